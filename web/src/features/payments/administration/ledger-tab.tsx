import { useState } from 'react';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { serverToday } from '#lib/browser/server-time.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { Button } from '#ui/actions/button.tsx';
import { DataTable, type Column } from '#ui/data/data-table.tsx';
import { ErrorAlert } from '#ui/feedback/alert.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import { previewLedgerClosing, type ClosingContent } from '@diwan/contract/payments/closings';
import {
  closeLedgerDay,
  getLedgerBalances,
  getLedgerDays,
  type LedgerBalance,
  type LedgerDay,
} from '@diwan/contract/payments/ledger';
import { Closings, useRefreshClosings } from './closings.tsx';
import { journalPath } from './journal-tab.tsx';
import { Amount, PagedTable } from './payments-list.tsx';
import { TrialBalance } from './trial-balance.tsx';

/** How often what others book is read, in milliseconds. */
export const ledgerRefreshMs = 30_000;

const mostNamedDays = 3;

/** Which days and sums a closing concerns. */
function ClosingSums({ content }: { content: ClosingContent }) {
  const { t } = useTranslation(['closings', 'ledger']);
  const { date, list, count } = useFormat();
  const days = content.days.toSorted();
  const [from = '', to = ''] = [days[0], days.at(-1)];
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p>
        {days.length > mostNamedDays
          ? t('willCloseMany', { count: days.length, from: date(from), to: date(to) })
          : t('willClose', { days: list(days.map((day) => date(day))) })}
      </p>
      <p>{t('entriesOf', { number: count(content.entries) })}</p>
      <dl className="grid grid-cols-[1fr_auto_auto] gap-x-4 gap-y-1">
        <dt className="font-semibold">{t('account')}</dt>
        <dd className="text-end font-semibold">{t('debits')}</dd>
        <dd className="text-end font-semibold">{t('credits')}</dd>
        {content.accounts.map(({ account, currency, debits, credits }) => (
          <div key={`${account} ${currency}`} className="contents">
            <dt>{t(`ledger:accounts.${account}`)}</dt>
            <dd className="text-end">
              <Amount amount={debits} currency={currency} />
            </dd>
            <dd className="text-end">
              <Amount amount={credits} currency={currency} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function CloseDayDialog({ day, onClose }: { day: string; onClose: () => void }) {
  const { t } = useTranslation(['ledger', 'closings']);
  const { date } = useFormat();
  const refresh = useRefreshClosings();
  const { data: content } = useCall(previewLedgerClosing, { query: { Until: day }, staleTime: 0 });
  const action = useAction(closeLedgerDay, {
    skipErrorHandling: true,
    onSuccess: ({ closedAt }) => {
      refresh();
      showToast(closedAt ? t('days.done') : t('closings:waits'), 'success');
      onClose();
    },
    onError: refresh,
  });
  // A closing takes all open days before it.
  const label =
    content && content.days.length > 1 ? t('days.closeUntil', { day: date(day) }) : t('days.close');
  return (
    <ConfirmDialog
      title={label}
      confirmLabel={label}
      cancelLabel={t('cancel')}
      isPending={action.isPending}
      onConfirm={() => action.mutate({ body: { day } })}
      onClose={onClose}
    >
      <ErrorAlert error={action.error} />
      <p>{t('days.closeText', { day: date(day) })}</p>
      <p>{t('closings:secondPerson')}</p>
      {content ? <ClosingSums content={content} /> : <SkeletonRows count={2} />}
    </ConfirmDialog>
  );
}

const isReady = (row: LedgerDay) =>
  row.day < serverToday() &&
  row.openDifferences === 0 &&
  row.missingSettlements.length === 0 &&
  row.waitingWithdrawals === 0;

function DayState({ row }: { row: LedgerDay }) {
  const { t } = useTranslation(['ledger', 'payment-desk']);
  if (row.closedAt)
    return (
      <span className="flex flex-col items-start gap-1">
        <StatusTag tone="done">{t('days.closed')}</StatusTag>
        <bdi className="text-sm text-ink-600">{row.closedBy ?? t('days.byJob')}</bdi>
      </span>
    );
  const label = isReady(row) ? 'ready' : row.day < serverToday() ? 'open' : 'today';
  return (
    <span className="flex flex-col items-start gap-1 text-sm text-ink-700">
      <StatusTag tone={label === 'open' ? 'waiting' : 'progress'}>{t(`days.${label}`)}</StatusTag>
      {label === 'open'
        ? row.missingSettlements.map((provider) => (
            <span key={provider}>
              {t('days.missing', { provider: t(`payment-desk:providers.${provider}`) })}
            </span>
          ))
        : null}
      {row.waitingWithdrawals > 0 ? <span>{t('days.withdrawal')}</span> : null}
      {row.openDifferences > 0 ? (
        <span>{t('days.differences', { number: row.openDifferences })}</span>
      ) : null}
    </span>
  );
}

const totalOf = (row: LedgerDay, account: LedgerBalance['account']) =>
  row.totals
    .filter((total) => total.account === account && total.currency === 'AED')
    .reduce((sum, { amount }) => sum + amount, 0);

function useDayColumns(onClose: (day: string) => void): Column<LedgerDay>[] {
  const { t } = useTranslation('ledger');
  const { date, count } = useFormat();
  return [
    {
      key: 'day',
      header: t('day'),
      isPrimary: true,
      cell: (row) => (
        <Link className="link" to={journalPath({ from: row.day, until: row.day })}>
          {date(row.day)}
        </Link>
      ),
    },
    {
      key: 'entries',
      header: t('days.entries'),
      align: 'end',
      cell: (row) => count(row.entries),
    },
    {
      key: 'revenue',
      header: t('days.revenue'),
      align: 'end',
      cell: (row) => <Amount amount={0 - totalOf(row, 'revenue')} currency="AED" />,
    },
    {
      key: 'vat',
      header: t('accounts.vat'),
      align: 'end',
      isHiddenOnPhone: true,
      cell: (row) => <Amount amount={0 - totalOf(row, 'vat')} currency="AED" />,
    },
    { key: 'state', header: t('days.state'), cell: (row) => <DayState row={row} /> },
    {
      key: 'action',
      header: t('days.action'),
      isControl: true,
      cell: (row) =>
        !row.closedAt && isReady(row) ? (
          <Button
            call={closeLedgerDay}
            size="sm"
            variant="secondary"
            aria-label={t('days.closeName', { day: date(row.day) })}
            onPress={() => onClose(row.day)}
          >
            {t('days.close')}
          </Button>
        ) : null,
    },
  ];
}

// A week: a card of a phone is 300 px high.
const daysOnPage = 7;

function Days() {
  const { t } = useTranslation('ledger');
  const [page, setPage] = useState(1);
  const [closing, setClosing] = useState<string>();
  const list = useCall(getLedgerDays, {
    query: { PageNumber: page, Take: daysOnPage },
    keepPrevious: true,
    refetchInterval: ledgerRefreshMs,
  });
  const columns = useDayColumns(setClosing);
  return (
    <>
      <PagedTable
        list={list}
        caption={t('tabs.days')}
        emptyTitle={t('days.none')}
        emptyText={t('days.noneText')}
        columns={columns}
        rowKey={(row) => row.day}
        page={page}
        size={daysOnPage}
        onPage={setPage}
      />
      {closing ? <CloseDayDialog day={closing} onClose={() => setClosing(undefined)} /> : null}
    </>
  );
}

/** One row for each account and currency. */
function sumAccounts(rows: readonly LedgerBalance[]): LedgerBalance[] {
  const sums = new Map<string, LedgerBalance>();
  for (const { account, currency, debits, credits, balance } of rows) {
    const key = `${account} ${currency}`;
    const sum = sums.get(key) ?? { account, currency, debits: 0, credits: 0, balance: 0 };
    sums.set(key, {
      ...sum,
      debits: sum.debits + debits,
      credits: sum.credits + credits,
      balance: sum.balance + balance,
    });
  }
  return [...sums.values()];
}

function useBalanceColumns(isDetailed: boolean): Column<LedgerBalance>[] {
  const { t } = useTranslation(['ledger', 'payment-desk']);
  const columns: Column<LedgerBalance>[] = [
    {
      key: 'account',
      header: t('balances.account'),
      isPrimary: true,
      cell: (row) => t(`accounts.${row.account}`),
    },
    {
      key: 'of',
      header: t('balances.of'),
      cell: (row) => (
        <span className="flex flex-col">
          {row.provider ? <span>{t(`payment-desk:providers.${row.provider}`)}</span> : null}
          {row.agencyName ? <bdi>{row.agencyName}</bdi> : null}
        </span>
      ),
    },
    {
      key: 'debits',
      header: t('balances.debits'),
      align: 'end',
      isHiddenOnPhone: true,
      cell: (row) => <Amount amount={row.debits} currency={row.currency} />,
    },
    {
      key: 'credits',
      header: t('balances.credits'),
      align: 'end',
      isHiddenOnPhone: true,
      cell: (row) => <Amount amount={row.credits} currency={row.currency} />,
    },
    {
      key: 'balance',
      header: t('balances.balance'),
      align: 'end',
      cell: (row) => <Amount amount={row.balance} currency={row.currency} />,
    },
  ];
  return isDetailed ? columns : columns.filter(({ key }) => key !== 'of');
}

function Balances() {
  const { t } = useTranslation('ledger');
  const [isDetailed, setIsDetailed] = useState(false);
  const columns = useBalanceColumns(isDetailed);
  const { data, error, refetch, isRefetching } = useCall(getLedgerBalances, {
    refetchInterval: ledgerRefreshMs,
  });
  if (error && !data)
    return (
      <ErrorState error={error} title={t('failed')} onRetry={refetch} isRetrying={isRefetching} />
    );
  if (!data) return <SkeletonRows count={4} />;
  if (data.length === 0)
    return <EmptyState title={t('balances.none')}>{t('balances.noneText')}</EmptyState>;
  return (
    <>
      <Checkbox label={t('balances.detail')} value={isDetailed} onChange={setIsDetailed} />
      <DataTable
        caption={t('tabs.balances')}
        columns={columns}
        rows={isDetailed ? data : sumAccounts(data)}
        rowKey={(row) => [row.account, row.provider, row.agencyId, row.currency].join(' ')}
      />
    </>
  );
}

/** The days of the ledger, which an admin closes, the closings, the trial balance, and the balance of each account. */
export function LedgerTab() {
  const { t } = useTranslation(['ledger', 'journal', 'closings']);
  return (
    <div className="flex flex-col gap-10">
      <section className="flex flex-col gap-3">
        <h2 className="text-lg">{t('tabs.days')}</h2>
        <Days />
      </section>
      <section className="flex flex-col gap-3">
        <h2 className="text-lg">{t('closings:list')}</h2>
        <p className="text-ink-600">{t('closings:listHint')}</p>
        <Closings />
      </section>
      <section className="flex flex-col gap-3">
        <h2 className="text-lg">{t('journal:trialBalance.title')}</h2>
        <p className="text-ink-600">{t('journal:trialBalance.hint')}</p>
        <TrialBalance />
      </section>
      <section className="flex flex-col gap-3">
        <h2 className="text-lg">{t('tabs.balances')}</h2>
        <p className="text-ink-600">{t('balances.hint')}</p>
        <Balances />
      </section>
    </div>
  );
}
