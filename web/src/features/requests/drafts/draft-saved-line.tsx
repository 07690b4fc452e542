import { Cloud, CloudOff, LoaderCircle, TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/i18n/format.ts';
import { messageOf } from '../../../lib/api/handle-error.ts';
import type { DraftView } from './draft-saver.ts';

type Saving = Pick<DraftView, 'state' | 'savedAt' | 'problem'>;

/**
 * Where what was typed is now. Read out only when it is in trouble and when it is out of it again.
 */
export function DraftSavedLine({ saving }: { saving: Saving }) {
  const { t } = useTranslation('drafts');
  const { relative } = useFormat();
  const [hadTrouble, setHadTrouble] = useState(false);
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = window.setInterval(() => setTick((before) => before + 1), 20_000);
    return () => window.clearInterval(timer);
  }, []);
  const { state, savedAt, problem } = saving;
  const isTrouble = state === 'device' || state === 'unkept' || state === 'refused';
  if (isTrouble && !hadTrouble) setHadTrouble(true);
  const own =
    problem &&
    (problem.name === 'ValidationFailed' ? problem.fieldErrors.body?.[0] : messageOf(problem));
  const trouble = own ?? (isTrouble ? t(`saving.${state}`) : '');
  const saved = savedAt === '' ? '' : t('saving.saved', { when: relative(savedAt) });
  const text = trouble || (state === 'saving' ? t('saving.saving') : saved);
  const Icon =
    state === 'saving'
      ? LoaderCircle
      : state === 'device'
        ? CloudOff
        : isTrouble
          ? TriangleAlert
          : Cloud;
  return (
    <>
      <p role="status" className="sr-only">
        {trouble || (hadTrouble && state === 'saved' ? t('saving.savedAgain') : '')}
      </p>
      {/* On a phone its line stands above the button, which must not move when the words come. */}
      <p
        data-saving={state}
        className={`flex min-h-[1lh] items-start gap-2 text-sm max-md:order-first md:ms-auto ${isTrouble ? 'text-amber-800' : 'text-ink-500'}`}
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
            <span aria-hidden={trouble !== ''}>{text}</span>
          </>
        ) : null}
      </p>
    </>
  );
}
