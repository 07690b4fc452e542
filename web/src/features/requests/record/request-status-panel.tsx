import { useMutation } from '@tanstack/react-query';
import { CircleAlert, CreditCard } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { useCall } from '#lib/api/use-call.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { ErrorAlert } from '#ui/feedback/alert.tsx';
import { RadioGroup } from '#ui/forms/radio-group.tsx';
import { Money } from '#ui/values/money.tsx';
import { getPaymentMethods, type PaymentMethod } from '@diwan/contract/requests/payments';
import { calculatePendingPaymentRequestCost } from '@diwan/contract/requests/request-costs';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import type { StatusTone } from '@diwan/contract/requests/workflow';
import { findLatestMessage } from '../data/latest-message.ts';
import { startPayment } from '../data/start-payment.ts';
import { ApplicantDueDate } from './due-date.tsx';
import { ObjectToDecision } from './owner-actions.tsx';
import { StaffMessage } from './staff-message.tsx';

const toneStyles: Record<StatusTone, string> = {
  waiting: 'border-amber-300 bg-amber-50',
  progress: 'border-blue-200 bg-blue-50',
  done: 'border-green-200 bg-green-50',
  refused: 'border-red-200 bg-red-50',
  withdrawn: 'border-ink-200 bg-ink-50',
};

interface RequestStatusPanelProps {
  record: RequestRecord;
  /** Opens the correction of a returned request. Shown when the applicant may correct it. */
  correctAction: ReactNode;
  reload: () => Promise<unknown>;
}

/** The current status for the applicant, and the next step that is expected of them. */
export function RequestStatusPanel({ record, correctAction, reload }: RequestStatusPanelProps) {
  const { t } = useTranslation('requests');
  const { money } = useFormat();
  const [method, setMethod] = useState<PaymentMethod>('card');
  const { data: methods = [] } = useCall(getPaymentMethods, {
    enabled: record.allowedActions.includes('pay'),
    skipErrorHandling: true,
  });
  const pay = useMutation<never, ApiError, number>({
    mutationFn: (requestId) =>
      startPayment(requestId, {
        skipErrorHandling: true,
        method: methods.length > 1 ? method : undefined,
      }),
  });
  const message = findLatestMessage(record);
  const title =
    record.statusTone === 'refused'
      ? 'record.whyRejected'
      : message?.action === 'return'
        ? 'record.whyReturned'
        : undefined;
  const can = (action: RequestRecord['allowedActions'][number]) =>
    record.allowedActions.includes(action);
  return (
    <section
      data-surface
      aria-labelledby="request-now"
      className={`flex flex-col gap-4 rounded-lg border p-4 md:p-6 ${toneStyles[record.statusTone]}`}
    >
      <div>
        <h2 id="request-now" className="text-lg">
          {t('record.now')}
        </h2>
        <p className="mt-1 max-w-form">{record.statusDescription}</p>
      </div>
      <ApplicantDueDate request={record} />
      {message ? <StaffMessage entry={message} title={title && t(title)} /> : null}
      <ErrorAlert error={pay.error} title={t('record.payFailed')} />
      {can('pay') ? <LastPaymentFailure payments={record.payments} /> : null}
      {can('pay') ? <DueBreakdown record={record} /> : null}
      {can('pay') || can('update') ? (
        <div data-no-print className="flex flex-col gap-3 md:items-start">
          {can('pay') ? (
            <>
              {methods.length > 1 ? (
                <RadioGroup
                  isInline
                  label={t('record.payWith')}
                  value={method}
                  onChange={(value) => setMethod(value as PaymentMethod)}
                  choices={methods.map((value) => ({ value, label: t(`methods.${value}`) }))}
                />
              ) : null}
              <Button
                size="lg"
                icon={<CreditCard aria-hidden size={20} />}
                isPending={pay.isPending}
                onPress={() => pay.mutate(record.requestId)}
              >
                {t('record.pay', { amount: money(record.due) })}
              </Button>
              <p className="text-sm text-ink-600">{t('record.payHint')}</p>
            </>
          ) : null}
          {can('update') ? correctAction : null}
        </div>
      ) : null}
      <ObjectToDecision record={record} reload={reload} />
    </section>
  );
}

/** Why the last payment did not go through, and that nothing was charged. */
function LastPaymentFailure({ payments }: Pick<RequestRecord, 'payments'>) {
  const { t } = useTranslation('requests');
  const { dateTime } = useFormat();
  const last = payments.at(-1);
  if (last?.status !== 'declined' && last?.status !== 'cancelled') return null;
  return (
    <p className="flex max-w-form gap-3 border-s-4 border-red-700 bg-white px-4 py-3">
      <span className="flex h-[1lh] items-center text-red-700">
        <CircleAlert aria-hidden size={20} className="shrink-0" />
      </span>
      <span>{t(`record.${last.status}`, { when: dateTime(last.createdAt) })}</span>
    </p>
  );
}

/**
 * The amount due by line, after staff added fines or fees. It is loaded again whenever the request
 * changes.
 */
function DueBreakdown({ record }: { record: RequestRecord }) {
  const { t } = useTranslation('requests');
  const hasCharges = record.history.some(({ charged }) => charged !== undefined);
  const { data } = useCall(calculatePendingPaymentRequestCost, {
    query: { RequestId: record.requestId },
    enabled: hasCharges,
    staleTime: 0,
    skipErrorHandling: true,
  });
  // The button shows the total. When the call fails, only the lines are missing.
  if (!hasCharges || data?.due !== record.due) return null;
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
      {data.lines.some(({ vat }) => vat > 0) ? (
        <p className="text-sm text-ink-500">{t('record.dueVat')}</p>
      ) : null}
    </section>
  );
}
