import { useState } from 'react';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { DataTable, type Column } from '#ui/data/data-table.tsx';
import { ErrorAlert } from '#ui/feedback/alert.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import { TypedText } from '#ui/values/typed-text.tsx';
import {
  requestPayout,
  decidePayout,
  getPayees,
  getPayouts,
  type Payee,
  type Payout,
  type PayoutDecision,
} from '@diwan/contract/payments/payouts';
import { ledgerRefreshMs } from './ledger-tab.tsx';
import {
  PayoutDialog,
  StatementDialog,
  usePayeeName,
  useRefreshPayouts,
} from './payee-dialogs.tsx';
import { usePaymentFilters } from './payment-query.ts';
import { Amount, FilteredTable } from './payments-list.tsx';

/** What is owed to a payee in each currency, the dirham first. */
interface PayeeRow {
  payee: Payee;
  balances: Payee[];
}

const keyOf = ({ agencyId, provider }: Payee) => [agencyId, provider].join(' ');

function groupByPayee(rows: readonly Payee[]): PayeeRow[] {
  const groups = new Map<string, PayeeRow>();
  for (const row of rows) {
    const known = groups.get(keyOf(row));
    if (!known) groups.set(keyOf(row), { payee: row, balances: [row] });
    else if (row.currency === 'AED') known.balances.unshift(row);
    else known.balances.push(row);
  }
  return [...groups.values()];
}

/** What a payee is owed or holds in a currency, in words. */
function Owed({ row }: { row: Payee }) {
  const { t } = useTranslation('ledger');
  const { date, amount: amountText } = useFormat();
  return (
    <span className="flex flex-col gap-1">
      {row.owed === 0 ? null : (
        <span>
          <span className="text-sm text-ink-600">
            <span>{t(row.owed > 0 ? 'payouts.weOwe' : 'payouts.theyOwe')}</span>
            {': '}
          </span>
          <Amount amount={Math.abs(row.owed)} currency={row.currency} />
        </span>
      )}
      {row.waiting > 0 ? (
        <span className="text-sm text-ink-700">
          {t('payouts.waiting', { amount: amountText(row.waiting, row.currency) })}
        </span>
      ) : null}
      {row.paidOn ? (
        <span className="text-sm text-ink-600">
          {t('payouts.paidOn', { day: date(row.paidOn) })}
        </span>
      ) : null}
    </span>
  );
}

function Balances({ balances }: Pick<PayeeRow, 'balances'>) {
  const { t } = useTranslation('ledger');
  return (
    <span className="flex flex-col gap-1">
      {balances.every(({ owed }) => owed === 0) ? (
        <span className="text-ink-600">{t('payouts.even')}</span>
      ) : null}
      {balances.map((row) => (
        <Owed key={row.currency} row={row} />
      ))}
    </span>
  );
}

interface OpenedPayee extends PayeeRow {
  dialog: 'payout' | 'statement';
}

function usePayeeColumns(open: (opened: OpenedPayee) => void): Column<PayeeRow>[] {
  const { t } = useTranslation('ledger');
  const nameOf = usePayeeName();
  return [
    {
      key: 'name',
      header: t('payouts.payee'),
      isPrimary: true,
      cell: ({ payee }) => <bdi>{nameOf(payee)}</bdi>,
    },
    {
      key: 'owed',
      header: t('payouts.owed'),
      cell: ({ balances }) => <Balances balances={balances} />,
    },
    {
      key: 'action',
      header: t('payouts.action'),
      isControl: true,
      cell: ({ payee, balances }) => (
        <span className="flex flex-wrap gap-2">
          {balances
            .filter((row) => row.owed > row.waiting)
            .map((row) => (
              <Button
                call={requestPayout}
                key={row.currency}
                size="sm"
                aria-label={
                  row.currency === 'AED'
                    ? t('payouts.recordName', { name: nameOf(payee) })
                    : t('payouts.recordCurrency', { name: nameOf(payee), currency: row.currency })
                }
                onPress={() => open({ dialog: 'payout', payee: row, balances })}
              >
                <span>{t('payouts.record')}</span>
                {row.currency === 'AED' ? null : <bdi className="ms-1">{row.currency}</bdi>}
              </Button>
            ))}
          <Button
            size="sm"
            variant="secondary"
            aria-label={t('payouts.statementName', { name: nameOf(payee) })}
            onPress={() => open({ dialog: 'statement', payee, balances })}
          >
            {t('payouts.statement')}
          </Button>
        </span>
      ),
    },
  ];
}

function Payees() {
  const { t } = useTranslation('ledger');
  const [opened, setOpened] = useState<OpenedPayee>();
  const columns = usePayeeColumns(setOpened);
  const { data, error, refetch, isRefetching } = useCall(getPayees, {
    refetchInterval: ledgerRefreshMs,
  });
  if (error && !data)
    return (
      <ErrorState error={error} title={t('failed')} onRetry={refetch} isRetrying={isRefetching} />
    );
  if (!data) return <SkeletonRows count={4} />;
  if (data.length === 0)
    return <EmptyState title={t('payouts.owedNone')}>{t('payouts.owedNoneText')}</EmptyState>;
  const onClose = () => setOpened(undefined);
  return (
    <>
      <DataTable
        caption={t('payouts.owedTitle')}
        columns={columns}
        rows={groupByPayee(data)}
        rowKey={({ payee }) => keyOf(payee)}
      />
      {opened?.dialog === 'payout' ? <PayoutDialog payee={opened.payee} onClose={onClose} /> : null}
      {opened?.dialog === 'statement' ? (
        <StatementDialog
          payee={opened.payee}
          currencies={opened.balances.map(({ currency }) => currency)}
          onClose={onClose}
        />
      ) : null}
    </>
  );
}

const tones = {
  waiting: 'waiting',
  booked: 'done',
  refused: 'refused',
  returned: 'refused',
} as const;

function DecideDialog({
  payout,
  decision,
  onClose,
}: {
  payout: Payout;
  decision: PayoutDecision;
  onClose: () => void;
}) {
  const { t } = useTranslation('ledger');
  const { amount: amountText } = useFormat();
  const nameOf = usePayeeName();
  const refresh = useRefreshPayouts();
  const action = useAction(decidePayout, {
    skipErrorHandling: true,
    onSuccess: () => {
      refresh();
      showToast(t(`payouts.decided.${decision}`), 'success');
      onClose();
    },
    onError: refresh,
  });
  const { id, version } = payout;
  return (
    <ConfirmDialog
      title={t(`payouts.${decision}`)}
      confirmLabel={t(`payouts.${decision}`)}
      cancelLabel={t('cancel')}
      isDangerous={decision !== 'confirm'}
      isPending={action.isPending}
      onConfirm={() => action.mutate({ body: { id, version, decision } })}
      onClose={onClose}
    >
      <ErrorAlert error={action.error} />
      <p>
        {t(`payouts.${decision}Text`, {
          amount: amountText(payout.amount, payout.currency),
          name: nameOf(payout),
        })}
      </p>
    </ConfirmDialog>
  );
}

function usePayoutColumns(
  decide: (payout: Payout, decision: PayoutDecision) => void,
): Column<Payout>[] {
  const { t } = useTranslation('ledger');
  const { date } = useFormat();
  const nameOf = usePayeeName();
  return [
    {
      key: 'name',
      header: t('payouts.payee'),
      isPrimary: true,
      cell: (row) => <bdi>{nameOf(row)}</bdi>,
    },
    {
      key: 'reference',
      header: t('payouts.reference'),
      cell: (row) => (
        <span className="flex flex-col items-start">
          <bdi dir="ltr" className="wrap-anywhere">
            {row.reference}
          </bdi>
          <span className="text-sm text-ink-600">{date(row.paidOn)}</span>
          {row.note ? <TypedText className="text-sm text-ink-600">{row.note}</TypedText> : null}
        </span>
      ),
    },
    {
      key: 'amount',
      header: t('payouts.amount'),
      align: 'end',
      cell: (row) => <Amount amount={row.amount} currency={row.currency} />,
    },
    {
      key: 'state',
      header: t('payouts.state'),
      cell: (row) => (
        <span className="flex flex-col items-start gap-1">
          <StatusTag tone={tones[row.state]}>{t(`payouts.states.${row.state}`)}</StatusTag>
          <bdi className="text-sm text-ink-600">{row.requestedBy}</bdi>
          {row.decidedBy ? <bdi className="text-sm text-ink-600">{row.decidedBy}</bdi> : null}
        </span>
      ),
    },
    {
      key: 'action',
      header: t('payouts.action'),
      isControl: true,
      cell: (row) => (
        <span className="flex flex-wrap gap-2">
          {row.state === 'waiting' && !row.decisions.includes('confirm') ? (
            <span className="text-sm text-ink-600">{t('payouts.waitsForAnother')}</span>
          ) : null}
          {row.decisions.map((decision) => (
            <Button
              call={decidePayout}
              key={decision}
              size="sm"
              variant={decision === 'confirm' ? 'primary' : 'secondary'}
              aria-label={t(`payouts.${decision}Name`, { name: row.reference })}
              onPress={() => decide(row, decision)}
            >
              {t(`payouts.${decision}`)}
            </Button>
          ))}
        </span>
      ),
    },
  ];
}

function Payouts() {
  const { t } = useTranslation('ledger');
  const of = usePaymentFilters('payouts');
  const [open, setOpen] = useState<{ payout: Payout; decision: PayoutDecision }>();
  const list = useCall(getPayouts, {
    query: { ...of.query, ...of.page },
    keepPrevious: true,
    refetchInterval: ledgerRefreshMs,
  });
  const columns = usePayoutColumns((payout, decision) => setOpen({ payout, decision }));
  return (
    <>
      <FilteredTable
        of={of}
        list={list}
        caption={t('payouts.title')}
        emptyTitle={t('payouts.none')}
        emptyText={t('payouts.noneText')}
        columns={columns}
        rowKey={(row) => row.id}
      />
      {open ? <DecideDialog {...open} onClose={() => setOpen(undefined)} /> : null}
    </>
  );
}

/** What is owed to agencies and payment providers, their statements, and payouts. */
export function PayoutsTab() {
  const { t } = useTranslation('ledger');
  return (
    <div className="flex flex-col gap-10">
      <section className="flex flex-col gap-3">
        <h2 className="text-lg">{t('payouts.owedTitle')}</h2>
        <p className="text-ink-600">{t('payouts.owedHint')}</p>
        <Payees />
      </section>
      <section className="flex flex-col gap-3">
        <h2 className="text-lg">{t('payouts.title')}</h2>
        <Payouts />
      </section>
    </div>
  );
}
