import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import type { Column } from '#ui/data/data-table.tsx';
import { ErrorAlert } from '#ui/feedback/alert.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import { TypedText } from '#ui/values/typed-text.tsx';
import { decideRefund, getRefunds, type RefundRecord } from '@diwan/contract/payments/events';
import { usePaymentFilters } from './payment-query.ts';
import { Amount, FilteredTable, PaymentLink } from './payments-list.tsx';

const tones = {
  waiting: 'waiting',
  ready: 'progress',
  sent: 'progress',
  succeeded: 'done',
  refused: 'refused',
  withdrawn: 'refused',
} as const;

function ConfirmRefund({
  refund,
  isConfirmed,
  onClose,
}: {
  refund: RefundRecord;
  isConfirmed: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation('payment-desk');
  const { amount: amountText } = useFormat();
  const client = useQueryClient();
  const action = useAction(decideRefund, {
    skipErrorHandling: true,
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: [getRefunds.name] });
      showToast(t(isConfirmed ? 'refunds.confirmed' : 'refunds.withdrawn'), 'success');
      onClose();
    },
    onError: () => void client.invalidateQueries({ queryKey: [getRefunds.name] }),
  });
  const { id, version, outsideReference } = refund;
  const confirmText = outsideReference === undefined ? 'confirmText' : 'confirmOutside';
  return (
    <ConfirmDialog
      title={t(isConfirmed ? 'refunds.confirm' : 'refunds.withdraw')}
      confirmLabel={t(isConfirmed ? 'refunds.confirm' : 'refunds.withdraw')}
      cancelLabel={t('cancel')}
      isDangerous={!isConfirmed}
      isPending={action.isPending}
      onConfirm={() => action.mutate({ body: { id, version, isConfirmed, note: '' } })}
      onClose={onClose}
    >
      <ErrorAlert error={action.error} />
      <p>
        {t(`refunds.${isConfirmed ? confirmText : 'withdrawText'}`, {
          amount: amountText(refund.amount, refund.currency),
          number: refund.requestNumber,
          reference: outsideReference ?? '',
        })}
      </p>
      {refund.note ? <TypedText className="text-ink-600">{refund.note}</TypedText> : null}
    </ConfirmDialog>
  );
}

interface Decision {
  refund: RefundRecord;
  isConfirmed: boolean;
}

function useRefundColumns(onDecide: (decision: Decision) => void): Column<RefundRecord>[] {
  const { t } = useTranslation('payment-desk');
  const { date } = useFormat();
  return [
    {
      key: 'request',
      header: t('requestNumber'),
      isPrimary: true,
      cell: (row) =>
        row.outsideReference === undefined ? (
          <PaymentLink merchantReference={row.merchantReference}>
            <bdi dir="ltr">{row.requestNumber}</bdi>
          </PaymentLink>
        ) : (
          <span className="flex flex-col items-start gap-1">
            <bdi dir="ltr">{row.requestNumber}</bdi>
            <bdi dir="ltr" className="text-sm text-ink-600 wrap-anywhere">
              {row.outsideReference}
            </bdi>
          </span>
        ),
    },
    { key: 'amount', header: t('amount'), align: 'end', cell: (row) => <Amount {...row} /> },
    {
      key: 'state',
      header: t('status'),
      cell: (row) => (
        <span className="flex flex-col items-start gap-1">
          <StatusTag tone={tones[row.state]}>{t(`refunds.states.${row.state}`)}</StatusTag>
          {row.expectedBy ? (
            <span className="text-sm text-ink-600">
              {t('refunds.arrives', { date: date(row.expectedBy) })}
            </span>
          ) : null}
        </span>
      ),
    },
    {
      key: 'reason',
      header: t('refunds.reason'),
      cell: (row) => (
        <span className="flex flex-col items-start gap-1">
          <span>{t(`refunds.reasons.${row.reason}`)}</span>
          {row.note ? <TypedText className="text-sm text-ink-600">{row.note}</TypedText> : null}
        </span>
      ),
    },
    {
      key: 'by',
      header: t('refunds.askedBy'),
      cell: (row) => (
        <span className="flex flex-col items-start gap-1">
          {row.requestedBy ? <bdi>{row.requestedBy}</bdi> : null}
          {row.decidedBy ? (
            <span className={row.requestedBy ? 'text-sm text-ink-600' : undefined}>
              {t('refunds.decidedBy', { name: row.decidedBy })}
            </span>
          ) : null}
          {row.requestedBy || row.decidedBy ? null : <span>{t('refunds.byItself')}</span>}
        </span>
      ),
    },
    { key: 'at', header: t('begun'), cell: (row) => <Moment at={row.createdAt} /> },
    {
      key: 'action',
      header: t('cases.decision'),
      isControl: true,
      cell: (row) =>
        row.state === 'waiting' ? (
          <span className="flex flex-wrap gap-2">
            {row.isOwn ? (
              <span className="text-sm text-ink-600">{t('refunds.waitsForAnother')}</span>
            ) : (
              <Button
                call={decideRefund}
                size="sm"
                aria-label={t('refunds.confirmName', { number: row.requestNumber })}
                onPress={() => onDecide({ refund: row, isConfirmed: true })}
              >
                {t('refunds.confirm')}
              </Button>
            )}
            <Button
              call={decideRefund}
              size="sm"
              variant="secondary"
              aria-label={t('refunds.withdrawName', { number: row.requestNumber })}
              onPress={() => onDecide({ refund: row, isConfirmed: false })}
            >
              {t('refunds.withdraw')}
            </Button>
          </span>
        ) : null,
    },
  ];
}

/** Refunds through the provider; those that wait for a second person are first. */
export function RefundsTab() {
  const { t } = useTranslation('payment-desk');
  const of = usePaymentFilters('refunds');
  const [open, setOpen] = useState<Decision>();
  const list = useCall(getRefunds, { query: { ...of.query, ...of.page }, keepPrevious: true });
  const columns = useRefundColumns(setOpen);
  return (
    <>
      <FilteredTable
        of={of}
        list={list}
        caption={t('tabs.refunds')}
        emptyTitle={t('refunds.none')}
        emptyText={t('refunds.noneText')}
        columns={columns}
        rowKey={(row) => row.id}
      />
      {open ? <ConfirmRefund {...open} onClose={() => setOpen(undefined)} /> : null}
    </>
  );
}
