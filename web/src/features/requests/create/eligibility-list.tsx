import { CircleCheck, CircleHelp, CircleX } from 'lucide-react';
import { useSession } from '#lib/api/session.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { TextLink } from '#ui/actions/links.tsx';
import type { Eligibility, EligibilityResult } from './eligibility.data.ts';

const stateStyles = {
  met: { icon: CircleCheck, mark: 'text-green-700' },
  notMet: { icon: CircleX, mark: 'text-red-700' },
  ask: { icon: CircleHelp, mark: 'text-ink-500' },
};

/** The eligibility rules with their results; open questions are answered in place. */
export function EligibilityList({ eligibility }: { eligibility: Eligibility }) {
  const { t } = useTranslation('forms');
  const { points, answer } = eligibility;
  return (
    <>
      {points.length > 1 ? <p className="mb-3 text-ink-600">{t('eligibility.all')}</p> : null}
      <ul className="flex flex-col gap-4">
        {points.map((point) => (
          <Point key={point.name} point={point} onAnswer={(isSo) => answer(point.name, isSo)} />
        ))}
      </ul>
    </>
  );
}

function Point({
  point,
  onAnswer,
}: {
  point: EligibilityResult;
  onAnswer: (isSo: boolean | undefined) => void;
}) {
  const { t } = useTranslation('forms');
  const isSignedIn = useSession() !== null;
  const { icon: Icon, mark } = stateStyles[point.state];
  const isAsked = point.state === 'ask' && point.question !== '';
  const change = point.isAnswered ? (
    <span className="-ms-3 block">
      <Button variant="quiet" size="sm" onPress={() => onAnswer(undefined)}>
        {t('eligibility.change')}
      </Button>
    </span>
  ) : null;
  return (
    <li className="flex gap-3">
      <span className={`flex h-[1lh] items-center ${mark}`}>
        <Icon aria-hidden size={22} className="shrink-0" />
      </span>
      <div className="min-w-0 grow">
        <p>{point.text}</p>
        <div role="status">
          {point.state === 'ask' ? null : (
            <p className={`text-sm ${mark}`}>{t(`eligibility.${point.state}`)}</p>
          )}
          {point.state === 'notMet' ? <Advice point={point} /> : null}
        </div>
        {point.state === 'ask' && point.question === '' && !isSignedIn ? (
          <p className="text-sm text-ink-500">{t('eligibility.signIn')}</p>
        ) : null}
        {isAsked ? (
          <div
            role="group"
            aria-label={point.question}
            data-no-print
            className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md bg-gold-50 px-4 py-3"
          >
            <p className="grow font-medium">{point.question}</p>
            <span className="flex gap-2">
              <Button variant="secondary" size="sm" onPress={() => onAnswer(true)}>
                {t('yes')}
              </Button>
              <Button variant="secondary" size="sm" onPress={() => onAnswer(false)}>
                {t('no')}
              </Button>
            </span>
          </div>
        ) : null}
        {change}
      </div>
    </li>
  );
}

function Advice({ point }: { point: EligibilityResult }) {
  const { t } = useTranslation('forms');
  return (
    <div className="mt-1 text-ink-700">
      {point.advice ? <p>{point.advice}</p> : null}
      {point.elsewhere ? (
        <p>
          {t('eligibility.fits')}{' '}
          <TextLink to={`/requests/Create/${encodeURIComponent(point.elsewhere.replacedName)}`}>
            {point.elsewhere.name}
          </TextLink>
        </p>
      ) : null}
    </div>
  );
}
