import { useTranslation } from 'react-i18next';
import { getSecondFactor } from '@diwan/contract/people/second-factor';
import { useFormat } from '../../../lib/i18n/format.ts';
import { useCall } from '../../../lib/api/use-call.ts';
import { Card } from '../../../ui/data/card.tsx';
import { LinkButton } from '../../../ui/actions/link-button.tsx';
import { StatusTag } from '../../../ui/values/status-tag.tsx';

/** The state of the second factor, for the profile. */
export function SecondFactorCard() {
  const { t } = useTranslation('security');
  const { date } = useFormat();
  const { data } = useCall(getSecondFactor, {});
  if (!data) return null;
  return (
    <Card title={t('factor.title')}>
      <StatusTag tone={data.isSet ? 'done' : 'waiting'}>
        {data.since ? t('card.on', { date: date(data.since) }) : t('card.off')}
      </StatusTag>
      <p className="mt-3 text-ink-600">{t('factor.lead')}</p>
      <div className="mt-5">
        <LinkButton to="/account/second-factor" variant="secondary">
          {t(data.isSet ? 'card.manage' : 'card.setUp')}
        </LinkButton>
      </div>
    </Card>
  );
}
