import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { RequestRefund as Refund } from '@diwan/contract/requests/request-refunds';
import { useFormat } from '../../../lib/i18n/format.ts';
import { Money } from '../../../ui/values/money.tsx';
import { StatusTag } from '../../../ui/values/status-tag.tsx';
import { MoneyLine } from './money-line.tsx';

/**
 * What is given back and why, and what has been. The applicant, without `forStaff`, is told what
 * happens next.
 */
export function RequestRefund({
  refund: { refundable, surplus, refunded, refunds },
  forStaff,
}: {
  refund: Refund;
  forStaff?: ReactNode;
}) {
  const { t } = useTranslation('requests');
  const { date } = useFormat();
  const title = useId();
  const left = refundable - refunded;
  const fees = refundable - surplus;
  return (
    <section aria-labelledby={title} className="mt-6 rounded-md bg-desert-50 p-4">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <h3 id={title} className="text-base">
          {t('refunds.title')}
        </h3>
        <StatusTag tone={left > 0 ? 'progress' : 'done'}>
          {t(left > 0 ? 'refunds.due' : 'refunds.done')}
        </StatusTag>
      </div>
      <dl>
        {fees > 0 ? <MoneyLine label={t('refunds.fees')} fils={fees} /> : null}
        {surplus > 0 ? <MoneyLine label={t('refunds.surplus')} fils={surplus} /> : null}
        {fees > 0 && surplus > 0 ? (
          <MoneyLine label={t('refunds.total')} fils={refundable} isTotal />
        ) : null}
      </dl>
      {refunds.length > 0 ? (
        <ul className="divide-y divide-ink-200 border-t border-ink-200">
          {refunds.map(({ reference, amount, at, recordedBy }) => (
            <li key={reference} className="py-2">
              <p className="flex items-baseline justify-between gap-4">
                <span>{t('refunds.given', { date: date(at) })}</span>
                <Money fils={amount} />
              </p>
              <p className="text-sm text-ink-600">
                {t('refunds.reference')}{' '}
                <bdi dir="ltr" className="wrap-anywhere">
                  {reference}
                </bdi>
              </p>
              {recordedBy ? (
                <p className="text-sm text-ink-600">
                  {t('refunds.recordedBy')} <bdi>{recordedBy}</bdi>
                </p>
              ) : null}
            </li>
          ))}
        </ul>
      ) : null}
      {refunded > 0 && left > 0 ? (
        <dl>
          <MoneyLine label={t('refunds.left')} fils={left} isTotal />
        </dl>
      ) : null}
      {forStaff === undefined && left > 0 ? (
        <p className="text-sm text-ink-700">{t('refunds.dueText')}</p>
      ) : (
        forStaff
      )}
    </section>
  );
}
