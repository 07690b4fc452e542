import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { beginSecondFactor, type SecondFactor } from '@diwan/contract/people/second-factor';
import { useAction } from '../../../lib/api/use-call.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Card } from '../../../ui/data/card.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { SecondFactorProof } from './second-factor-proof.tsx';
import type { BegunFactor } from './second-factor-setup.tsx';

/** What it is and what is needed, before anything begins. */
export function SecondFactorStart({
  factor,
  onBegun,
}: {
  factor: SecondFactor;
  onBegun: (begun: BegunFactor) => void;
}) {
  const { t } = useTranslation('security');
  const form = useId();
  const begin = useAction(beginSecondFactor, { onSuccess: onBegun, skipErrorHandling: true });
  return (
    <>
      {factor.mustSetUp ? <Notice tone="warning">{t('factor.required')}</Notice> : null}
      <Card title={t('factor.steps.title')}>
        <ol className="list-decimal space-y-2 ps-6 marker:font-semibold marker:text-gold-700">
          {(['app', 'scan', 'keep'] as const).map((step) => (
            <li key={step}>{t(`factor.steps.${step}`)}</li>
          ))}
        </ol>
        <div className="mt-6">
          <SecondFactorProof
            id={form}
            asksPassword={factor.asksPassword}
            error={begin.error}
            onChange={begin.reset}
            onProof={(body) => {
              if (!begin.isPending) begin.mutate({ body });
            }}
          />
          <div className={factor.asksPassword || begin.error ? 'mt-5' : undefined}>
            <Button
              type="submit"
              form={form}
              isPending={begin.isPending}
              pendingLabel={t('factor.working')}
            >
              {t('factor.begin')}
            </Button>
          </div>
        </div>
      </Card>
    </>
  );
}
