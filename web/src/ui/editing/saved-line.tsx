import { Cloud, CloudOff, LoaderCircle, TriangleAlert, type LucideIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { messageOf } from '#lib/api/handle-error.ts';
import { classNames } from '#lib/browser/class-names.ts';
import type { SavingState } from '#lib/documents/saved-document.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';

const problemStates: readonly SavingState[] = ['device', 'unkept', 'refused', 'conflict'];
const icons: Partial<Record<SavingState, LucideIcon>> = {
  saving: LoaderCircle,
  device: CloudOff,
  unkept: TriangleAlert,
  refused: TriangleAlert,
  conflict: TriangleAlert,
};

/** The server's text about a problem, where it has one. */
function ownText(problem: ApiError | null): string | undefined {
  if (!problem) return undefined;
  return problem.name === 'ValidationFailed' ? problem.fieldErrors.body?.[0] : messageOf(problem);
}

interface Saving {
  state: SavingState;
  saved: { savedAt: string };
  problem: ApiError | null;
}

function useTexts({ state, saved, problem }: Saving, noDraft: string) {
  const { t } = useTranslation('saving');
  const { relative } = useFormat();
  const problemText = problemStates.includes(state) ? (ownText(problem) ?? t(state)) : '';
  if (problemText) return { problemText, text: problemText };
  if (state === 'saving') return { problemText, text: t('saving') };
  if (saved.savedAt) return { problemText, text: t('saved', { when: relative(saved.savedAt) }) };
  return { problemText, text: state === 'waiting' ? t('waiting') : noDraft };
}

/**
 * Whether a document is saved, always at the same place. Announced only on problems and on recovery.
 * `noDraft` is shown while there is nothing to save.
 */
export function SavedLine({ view, noDraft = '' }: { view: Saving; noDraft?: string }) {
  const { t } = useTranslation('saving');
  const { state } = view;
  const { problemText, text } = useTexts(view, noDraft);
  const [hadProblem, setHadProblem] = useState(false);
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = window.setInterval(() => setTick((before) => before + 1), 20_000);
    return () => window.clearInterval(timer);
  }, []);
  const hasProblem = problemText !== '';
  if (hasProblem && !hadProblem) setHadProblem(true);
  const Icon = icons[state] ?? Cloud;
  return (
    <>
      <p role="status" className="sr-only">
        {problemText || (hadProblem && state === 'saved' ? t('savedAgain') : '')}
      </p>
      {/* On a phone the line is above the button; its height is reserved, so that the button does not move. */}
      <p
        data-saving={state}
        className={classNames(
          'flex min-h-[1lh] items-start gap-2 text-sm max-md:order-first md:ms-auto',
          hasProblem ? 'text-amber-800' : 'text-ink-500',
        )}
      >
        {text ? (
          <>
            <span className="flex h-[1lh] shrink-0 items-center">
              <Icon
                aria-hidden
                size={18}
                className={state === 'saving' ? 'animate-spin motion-reduce:animate-none' : ''}
              />
            </span>
            <span aria-hidden={hasProblem}>{text}</span>
          </>
        ) : null}
      </p>
    </>
  );
}
