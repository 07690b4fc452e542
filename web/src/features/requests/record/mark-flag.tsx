import { Flag } from 'lucide-react';
import { createContext, use, type ReactNode } from 'react';
import { useTranslation } from '../../../lib/i18n/translate.ts';
import { markKey, maximumMarks } from '@diwan/contract/requests/return-marks';
import { IconButton } from '../../../ui/actions/icon-button.tsx';

/** An answer or a document that a return can mark. */
export interface MarkTarget {
  field: string;
  attachmentId?: string;
}

interface Marking {
  marks: readonly MarkTarget[];
  /** Marks the target, or removes its mark. */
  onToggle: (target: MarkTarget) => void;
}

const MarkingContext = createContext<Marking | undefined>(undefined);

/**
 * Lets staff mark answers and documents while they read the request; they add the reasons in the
 * return dialog. Without `marking` no flags are shown.
 */
export function MarkingProvider({
  marking,
  children,
}: {
  marking: Marking | undefined;
  children: ReactNode;
}) {
  return <MarkingContext value={marking}>{children}</MarkingContext>;
}

/** Creates the flag button beside an answer or a document; undefined where nothing can be marked. */
export function useMarkFlag(): ((target: MarkTarget, title: string) => ReactNode) | undefined {
  const { t } = useTranslation('returns');
  const marking = use(MarkingContext);
  if (!marking) return undefined;
  return (target, title) => {
    const isMarked = marking.marks.some((mark) => markKey(mark) === markKey(target));
    return (
      <span data-no-print className={`-my-2.5 flex rounded-md ${isMarked ? 'bg-amber-100' : ''}`}>
        <IconButton
          label={t('marks.markName', { title })}
          aria-pressed={isMarked}
          isDisabled={!isMarked && marking.marks.length >= maximumMarks}
          onPress={() => marking.onToggle(target)}
        >
          <Flag
            aria-hidden
            size={18}
            className={isMarked ? 'text-amber-800' : undefined}
            fill={isMarked ? 'currentColor' : 'none'}
          />
        </IconButton>
      </span>
    );
  };
}
