import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { PaymentStatus } from '@diwan/contract/requests/payments';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import type { StatusTone } from '@diwan/contract/requests/workflow';
import { Moment } from '../../../ui/values/moment.tsx';
import { Money } from '../../../ui/values/money.tsx';
import { StatusTag } from '../../../ui/values/status-tag.tsx';
import { MoneyLine } from './money-line.tsx';
import { RequestRefund } from './request-refund.tsx';

const tones: Record<PaymentStatus, StatusTone> = {
  pending: 'waiting',
  paid: 'done',
  declined: 'refused',
  cancelled: 'refused',
};

interface RequestMoneyProps {
  record: RequestRecord;
  /** What an admin does about a refund; the applicant is told what happens next instead. */
  forStaff?: ReactNode;
}

/** What it costs line by line, what the payment provider said, and what is given back. */
export function RequestMoney({
  record: { fees, payments, due, refund },
  forStaff,
}: RequestMoneyProps) {
  const { t } = useTranslation('requests');
  if (fees.total === 0) return <p className="text-ink-600">{t('money.free')}</p>;
  return (
    <>
      <dl>
        {fees.lines.map((line) => (
          <MoneyLine key={line.name} label={line.title} fils={line.amount} />
        ))}
        {fees.totalAdminstrativeFeesVatValue > 0 ? (
          <MoneyLine label={t('money.vat')} fils={fees.totalAdminstrativeFeesVatValue} />
        ) : null}
        <MoneyLine label={t('money.total')} fils={fees.total} isTotal />
        {due < fees.total ? <MoneyLine label={t('money.paid')} fils={fees.total - due} /> : null}
        {due > 0 && due < fees.total ? (
          <MoneyLine label={t('money.due')} fils={due} isTotal />
        ) : null}
      </dl>
      {refund ? <RequestRefund refund={refund} forStaff={forStaff} /> : null}
      <h3 className="mt-6 mb-2 text-base">{t('money.payments')}</h3>
      {payments.length === 0 ? <p className="text-ink-600">{t('money.noPayments')}</p> : null}
      <ul className="divide-y divide-ink-100">
        {payments.map((payment) => (
          <li key={payment.merchantReference} className="flex flex-col gap-1 py-3">
            <div className="flex flex-wrap items-center justify-between gap-2">
              <StatusTag tone={tones[payment.status]}>
                {t(`money.status.${payment.status}`)}
              </StatusTag>
              <Money fils={payment.amount} />
            </div>
            <p className="text-sm text-ink-500">
              <Moment at={payment.createdAt} />
            </p>
            <p className="text-sm text-ink-500">
              {t('money.reference')}{' '}
              <bdi dir="ltr" className="wrap-anywhere">
                {payment.merchantReference}
              </bdi>
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}
