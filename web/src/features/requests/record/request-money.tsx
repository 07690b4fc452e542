import { type ReactNode, useId } from 'react';
import { useCall } from '#lib/api/use-call.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Moment } from '#ui/values/moment.tsx';
import { Money } from '#ui/values/money.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import type { Payment, PaymentStatus } from '@diwan/contract/requests/payments';
import {
  calculateDetailedCost,
  type DetailedCost,
  type RequestRefund,
} from '@diwan/contract/requests/request-costs';
import type { RequestDiscount, RequestRecord } from '@diwan/contract/requests/requests';
import type { StatusTone } from '@diwan/contract/requests/workflow';
import { DownloadInvoice } from './download-invoice.tsx';

const tones: Record<PaymentStatus, StatusTone> = {
  pending: 'waiting',
  paid: 'done',
  declined: 'refused',
  cancelled: 'refused',
  expired: 'refused',
  held: 'waiting',
  returned: 'done',
};

const hasFailed = ({ status }: Payment) =>
  status === 'declined' || status === 'cancelled' || status === 'expired';

interface RequestMoneyProps {
  record: RequestRecord;
  /** The refund actions of an admin. Without it, the applicant's next step is shown. */
  forStaff?: ReactNode;
  /** Whether the section is open: what each line costs is loaded then. */
  isShown?: boolean;
}

/** Whether nothing is charged, and nothing was taken off. */
export const isFreeOfCharge = ({ total, afterApproval, lines }: RequestRecord['fees']): boolean =>
  total === 0 && !afterApproval && lines.length === 0;

/** The fees by line, the payments, and the refund. */
export function RequestMoney({ record, forStaff, isShown = true }: RequestMoneyProps) {
  const { requestId, requestNumber, fees, payments, refund, discounts = [] } = record;
  const { t } = useTranslation('requests');
  const { count } = useFormat();
  if (isFreeOfCharge(fees)) return <p className="text-ink-600">{t('money.free')}</p>;
  const failed = payments.filter(hasFailed);
  return (
    <>
      {/* A payment or a charge changes what is paid of the lines. */}
      <FeeLines key={`${record.version} ${record.due}`} record={record} isShown={isShown} />
      {discounts.length > 0 ? <DiscountDecisions discounts={discounts} /> : null}
      {refund ? <RefundSummary refund={refund} forStaff={forStaff} /> : null}
      <h3 className="mt-6 mb-2 text-base">{t('money.payments')}</h3>
      {payments.length === 0 ? <p className="text-ink-600">{t('money.noPayments')}</p> : null}
      <PaymentList payments={payments.filter((payment) => !hasFailed(payment))} />
      {payments.some(({ status }) => status === 'paid') ? (
        // Without its buttons the margin alone would begin another sheet.
        <div data-no-print className="mt-3">
          <DownloadInvoice
            requestId={requestId}
            requestNumber={requestNumber}
            size="sm"
            kinds={
              refund && refund.refunds.length > 0
                ? ['invoice', 'receipt', 'creditNote']
                : ['invoice', 'receipt']
            }
          />
        </div>
      ) : null}
      {failed.length > 0 ? (
        <details className="group/tries mt-2 text-sm">
          <summary className="link w-fit py-2">
            {t('money.tries', { number: count(failed.length) })}
          </summary>
          <PaymentList payments={failed} />
        </details>
      ) : null}
    </>
  );
}

type CostLine = RequestRecord['fees']['lines'][number] & Partial<DetailedCost['lines'][number]>;

/**
 * What the request costs: the lines with their VAT and what is paid of each, what is paid and due, and
 * what is charged after approval. The record's own lines stay until the detailed ones are loaded,
 * without a connection too, so that nothing waits for them.
 */
function FeeLines({ record, isShown }: { record: RequestRecord; isShown: boolean }) {
  const { t } = useTranslation('requests');
  const { data } = useCall(calculateDetailedCost, {
    query: { RequestId: record.requestId },
    enabled: isShown,
    staleTime: 0,
    skipErrorHandling: true,
  });
  const { fees } = record;
  // After a payment or a charge the earlier answer is shown no more.
  const detailed = data?.due === record.due && data.total === fees.total ? data : undefined;
  const cost = detailed ?? { ...fees, due: record.due, paid: fees.total - record.due };
  const lines: readonly CostLine[] = cost.lines;
  const isPartlyPaid = cost.paid > 0 && cost.due > 0;
  // What a discount takes off counts as paid of its line, which would not read as money paid.
  const isPaidByLine = isPartlyPaid && lines.every(({ discount }) => discount === undefined);
  return (
    <dl aria-label={t('money.costs')}>
      {lines.map((line) => (
        <MoneyLine
          key={line.name}
          label={line.title}
          fils={line.amount}
          note={
            <LineNote line={line} isVatShown={detailed !== undefined} isPaidShown={isPaidByLine} />
          }
        />
      ))}
      {cost.totalAdminstrativeFeesVatValue > 0 ? (
        <MoneyLine label={t('money.vat')} fils={cost.totalAdminstrativeFeesVatValue} />
      ) : null}
      <MoneyLine label={t('money.total')} fils={cost.total} isTotal />
      {cost.paid > 0 ? <MoneyLine label={t('money.paid')} fils={cost.paid} /> : null}
      {isPartlyPaid ? <MoneyLine label={t('money.due')} fils={cost.due} isTotal /> : null}
      {cost.afterApproval ? (
        <MoneyLine label={t('money.afterApproval')} fils={cost.afterApproval.total} />
      ) : null}
    </dl>
  );
}

/** The VAT on a line, and how much of it is paid where the request is paid in part. */
function LineNote({
  line: { amount, vat, vatRate, vatCategory, paid },
  isVatShown,
  isPaidShown,
}: {
  line: CostLine;
  isVatShown: boolean;
  isPaidShown: boolean;
}) {
  const { t } = useTranslation(['requests', 'forms']);
  const { money, percent } = useFormat();
  return (
    <>
      {isVatShown && vat !== 0 ? (
        <span className="block text-sm">
          {t('money.plusVat', { rate: percent(vatRate / 10_000), amount: money(vat) })}
        </span>
      ) : null}
      {isVatShown && vatCategory ? (
        <span className="block text-sm">{t(`forms:cost.vatCategories.${vatCategory}`)}</span>
      ) : null}
      {isPaidShown && paid !== undefined ? (
        <span className="block text-sm">
          {paid === 0
            ? t('money.lineUnpaid')
            : paid < amount + vat
              ? t('money.linePaidPart', { amount: money(paid) })
              : t('money.linePaid')}
        </span>
      ) : null}
    </>
  );
}

/** Who granted or refused each discount, and what proves it; for staff. */
function DiscountDecisions({ discounts }: { discounts: readonly RequestDiscount[] }) {
  const { t } = useTranslation('requests');
  const { dateTime } = useFormat();
  const decision = ({ state, decidedBy, decidedAt }: RequestDiscount) => {
    if (state === 'claimed') return t('discounts.claimed');
    if (decidedBy === undefined || decidedAt === undefined) return t('discounts.byFacts');
    return t(`discounts.decided.${state}`, { name: decidedBy, when: dateTime(decidedAt) });
  };
  return (
    <ul className="mt-2 border-t border-ink-100 text-sm">
      {discounts.map((discount) => (
        <li key={discount.rule} className="py-2">
          <span>{discount.title}</span>
          <span className="block text-ink-600">{decision(discount)}</span>
        </li>
      ))}
    </ul>
  );
}

function PaymentList({ payments }: { payments: readonly Payment[] }) {
  const { t } = useTranslation('requests');
  return (
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
  );
}

/**
 * The refund that is due and its reasons, and the refunds that were paid. Without `forStaff` it
 * explains the next step to the applicant.
 */
function RefundSummary({
  refund: { refundable, surplus, refunded, underway, waiting = 0, refunds },
  forStaff,
}: {
  refund: RequestRefund;
  forStaff?: ReactNode;
}) {
  const { t } = useTranslation('requests');
  const { date, money } = useFormat();
  const title = useId();
  const remaining = refundable - refunded;
  const fees = refundable - surplus;
  return (
    <section aria-labelledby={title} className="mt-6 rounded-md bg-desert-50 p-4">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <h3 id={title} className="text-base">
          {t('refunds.title')}
        </h3>
        <StatusTag tone={remaining > 0 ? 'progress' : 'done'}>
          {t(remaining > 0 ? 'refunds.due' : 'refunds.done')}
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
          {refunds.map(({ reference, amount, at, expectedBy, recordedBy }) => (
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
              {expectedBy ? (
                <p className="text-sm text-ink-700">
                  {t('refunds.arrives', { date: date(expectedBy) })}
                </p>
              ) : null}
              {recordedBy ? (
                <p className="text-sm text-ink-600">
                  {t('refunds.recordedBy')} <bdi>{recordedBy}</bdi>
                </p>
              ) : null}
            </li>
          ))}
        </ul>
      ) : null}
      {refunded > 0 && remaining > 0 ? (
        <dl>
          <MoneyLine label={t('refunds.left')} fils={remaining} isTotal />
        </dl>
      ) : null}
      {forStaff === undefined ? null : <UnfinishedRefunds waiting={waiting} underway={underway} />}
      {forStaff === undefined && remaining > 0 ? (
        <p className="text-sm text-ink-700">
          {underway > 0 ? t('refunds.underway', { amount: money(underway) }) : t('refunds.dueText')}
        </p>
      ) : (
        forStaff
      )}
    </section>
  );
}

/** For staff: what waits for a second person, and what is on its way to the card. */
function UnfinishedRefunds({ waiting, underway }: { waiting: number; underway: number }) {
  const { t } = useTranslation('requests');
  const { money } = useFormat();
  return (
    <>
      {waiting > 0 ? (
        <p className="text-sm font-semibold text-ink-700">
          {t('refunds.waiting', { amount: money(waiting) })}
        </p>
      ) : null}
      {underway > waiting ? (
        <p className="text-sm text-ink-700">
          {t('refunds.onTheWay', { amount: money(underway - waiting) })}
        </p>
      ) : null}
    </>
  );
}

/** A line of the fees, in a `dl`. */
function MoneyLine({
  label,
  fils,
  isTotal,
  note,
}: {
  label: string;
  fils: number;
  isTotal?: boolean;
  note?: ReactNode;
}) {
  return (
    <div
      className={classNames(
        'flex items-baseline justify-between gap-4 py-2',
        isTotal && 'border-t-2 border-ink-800 font-semibold',
      )}
    >
      <dt className={isTotal ? undefined : 'text-ink-600'}>
        <span>{label}</span>
        {note}
      </dt>
      <dd>
        <Money fils={fils} />
      </dd>
    </div>
  );
}
