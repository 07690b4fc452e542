import { useTranslation } from 'react-i18next';
import { calculatePendingPaymentRequestCost } from '@diwan/contract/requests/request-state';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import { useCall } from '../../../lib/api/use-call.ts';
import { Money } from '../../../ui/values/money.tsx';

/**
 * What is to be paid and for what, once fines or fees have been added; asked anew whenever the
 * request has changed.
 */
export function DueLines({ record }: { record: RequestRecord }) {
  const { t } = useTranslation('requests');
  const isFurther = record.history.some(({ charged }) => charged !== undefined);
  const { data } = useCall(calculatePendingPaymentRequestCost, {
    query: { RequestId: record.requestId },
    enabled: isFurther,
    staleTime: 0,
    skipErrorHandling: true,
  });
  // The amount is on the button; without the call only what it is for is missing.
  if (!isFurther || data?.due !== record.due) return null;
  return (
    <section aria-label={t('record.dueFor')} className="max-w-form rounded-md bg-white px-4 py-3">
      <p className="font-semibold">{t('record.dueFor')}</p>
      <dl className="mt-1">
        {data.lines.map((line) => (
          <div key={line.name} className="flex items-baseline justify-between gap-4 py-1">
            <dt className="text-ink-600">{line.title}</dt>
            <dd>
              <Money fils={line.due} />
            </dd>
          </div>
        ))}
      </dl>
      <p className="text-sm text-ink-500">{t('record.dueVat')}</p>
    </section>
  );
}
