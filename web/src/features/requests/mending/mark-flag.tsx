import { Flag } from 'lucide-react';
import { createContext, use, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import { markKey, mostMarks } from '@diwan/contract/requests/return-marks';
import { IconButton } from '../../../ui/actions/icon-button.tsx';
import { newMark, type ActionDraft, type DraftMark } from '../staff/action-draft.ts';

interface Marking {
  marks: readonly DraftMark[];
  onChange: (marks: DraftMark[]) => void;
}

const MarkingContext = createContext<Marking | undefined>(undefined);

/**
 * Whoever may return the request flags what is wrong while reading; the reasons follow in the
 * dialog.
 */
export function MarkingProvider({
  record,
  draft,
  onDraft,
  children,
}: {
  record: RequestRecord;
  draft: ActionDraft;
  onDraft: (changed: Partial<ActionDraft>) => void;
  children: ReactNode;
}) {
  const marking = record.allowedActions.includes('return')
    ? { marks: draft.marks, onChange: (marks: DraftMark[]) => onDraft({ marks }) }
    : undefined;
  return <MarkingContext value={marking}>{children}</MarkingContext>;
}

/** Makes the flag beside one answer or document; `undefined` where nothing can be marked. */
export function useMarkFlag():
  | ((target: Pick<DraftMark, 'field' | 'attachmentId'>, title: string) => ReactNode)
  | undefined {
  const { t } = useTranslation('returns');
  const marking = use(MarkingContext);
  if (!marking) return undefined;
  return (target, title) => {
    const isMarked = marking.marks.some((mark) => markKey(mark) === markKey(target));
    const others = marking.marks.filter((mark) => markKey(mark) !== markKey(target));
    return (
      <span data-no-print className={`-my-2.5 flex rounded-md ${isMarked ? 'bg-amber-100' : ''}`}>
        <IconButton
          label={t('marks.markName', { title })}
          aria-pressed={isMarked}
          isDisabled={!isMarked && others.length >= mostMarks}
          onPress={() => marking.onChange(isMarked ? others : [...others, newMark(target)])}
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
