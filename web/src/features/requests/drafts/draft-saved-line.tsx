import { Cloud, CloudOff, LoaderCircle, TriangleAlert, type LucideIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { messageOf } from '#lib/api/handle-error.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import type { DraftView, SavingState } from './draft-saver.ts';

type Saving = Pick<DraftView, 'state' | 'savedAt' | 'problem'>;

const problemStates: readonly SavingState[] = ['device', 'unkept', 'refused'];
const icons: Partial<Record<SavingState, LucideIcon>> = {
  saving: LoaderCircle,
  device: CloudOff,
  unkept: TriangleAlert,
  refused: TriangleAlert,
};

/** The server's text about a problem, where it has one. */
function ownText(problem: ApiError | null): string | undefined {
  if (!problem) return undefined;
  return problem.name === 'ValidationFailed' ? problem.fieldErrors.body?.[0] : messageOf(problem);
}

/** The saving status of the draft. Announced only on problems and on recovery. */
export function DraftSavedLine({ saving }: { saving: Saving }) {
  const { t } = useTranslation('drafts');
  const { relative } = useFormat();
  const [hadProblem, setHadProblem] = useState(false);
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = window.setInterval(() => setTick((before) => before + 1), 20_000);
    return () => window.clearInterval(timer);
  }, []);
  const { state, savedAt, problem } = saving;
  const hasSavingProblem = problemStates.includes(state);
  if (hasSavingProblem && !hadProblem) setHadProblem(true);
  const problemText = ownText(problem) ?? (hasSavingProblem ? t(`saving.${state}`) : '');
  const saved = savedAt === '' ? '' : t('saving.saved', { when: relative(savedAt) });
  const text = problemText || (state === 'saving' ? t('saving.saving') : saved);
  const Icon = icons[state] ?? Cloud;
  return (
    <>
      <p role="status" className="sr-only">
        {problemText || (hadProblem && state === 'saved' ? t('saving.savedAgain') : '')}
      </p>
      {/* On a phone the line is above the button; its height is reserved, so that the button does not move. */}
      <p
        data-saving={state}
        className={classNames(
          'flex min-h-[1lh] items-start gap-2 text-sm max-md:order-first md:ms-auto',
          hasSavingProblem ? 'text-amber-800' : 'text-ink-500',
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
            <span aria-hidden={problemText !== ''}>{text}</span>
          </>
        ) : null}
      </p>
    </>
  );
}
