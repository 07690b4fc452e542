import { useTranslation } from '#lib/i18n/translate.ts';
import { Timeline } from '#ui/data/timeline.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { TypedText } from '#ui/values/typed-text.tsx';
import type { PartnerRecord } from '@diwan/contract/people/partner-registration';
import { toneOfState } from './provider-state.tsx';

/** The history of a provider, newest first: who, when and why. */
export function ProviderTimeline({ history }: { history: PartnerRecord['history'] }) {
  const { t } = useTranslation('partners');
  if (history.length === 0) return <p className="text-ink-600">{t('story.none')}</p>;
  const items = history.toReversed().map((step) => ({
    id: String(step.id),
    title: t(`story.${step.action}`),
    tone: toneOfState[step.state],
    meta: (
      <>
        {step.actor ? (
          <>
            <bdi>{step.actor}</bdi> ·{' '}
          </>
        ) : null}
        <Moment at={step.at} as="dateTime" />
      </>
    ),
    children: step.reasons.length > 0 || step.message ? <ProviderReasons step={step} /> : undefined,
  }));
  return <Timeline items={items} />;
}

/** The selected reasons and the message of a step. */
export function ProviderReasons({ step }: { step: PartnerRecord['history'][number] }) {
  return (
    <>
      {step.reasons.length > 0 ? (
        <ul className="list-disc ps-6">
          {step.reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      ) : null}
      {step.message ? <TypedText>{step.message}</TypedText> : null}
    </>
  );
}
