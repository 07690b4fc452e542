import { useState } from 'react';
import { sendForFile } from '#lib/api/send.ts';
import { useCall } from '#lib/api/use-call.ts';
import { serverToday } from '#lib/browser/server-time.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { DataTable, type Column } from '#ui/data/data-table.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { DayField } from '#ui/forms/day-field.tsx';
import { PrintedFilters } from '#ui/search/filter-chips.tsx';
import {
  exportTrialBalance,
  getTrialBalance,
  type TrialBalanceRow,
} from '@diwan/contract/payments/journal';
import { DownloadButtons, fileName } from './download-buttons.tsx';
import { isPeriod } from './journal-tab.tsx';
import { Amount } from './payments-list.tsx';

/** Two days in Asia/Dubai, this month at first. */
export function PeriodFields({
  period: { from, until },
  onChange,
}: {
  period: { from: string; until: string };
  onChange: (period: { from: string; until: string }) => void;
}) {
  const { t } = useTranslation(['journal', 'payment-lists']);
  const { date } = useFormat();
  const max = serverToday();
  return (
    <>
      {isPeriod(from, until) ? (
        <PrintedFilters
          texts={[
            t('payment-lists:chips.from', { date: date(from) }),
            t('payment-lists:chips.until', { date: date(until) }),
          ]}
        />
      ) : null}
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4 print:hidden">
        <DayField
          label={t('from')}
          value={from}
          max={max}
          onChange={(value) => onChange({ from: value, until })}
          isRequired
        />
        <DayField
          label={t('until')}
          value={until}
          max={max}
          onChange={(value) => onChange({ from, until: value })}
          isRequired
          {...(isPeriod(from, until) ? {} : { error: t('periodWrong') })}
        />
      </div>
    </>
  );
}

/** The current month until today. */
export function thisMonth(): { from: string; until: string } {
  const until = serverToday();
  return { from: `${until.slice(0, 8)}01`, until };
}

const amounts = ['opening', 'debits', 'credits', 'closing'] as const;

type ShownRow = Omit<TrialBalanceRow, 'account'> & {
  account: TrialBalanceRow['account'] | undefined;
};

/** The rows, and behind those of each currency their sum. */
const withSums = (rows: readonly TrialBalanceRow[]): ShownRow[] =>
  [...new Set(rows.map(({ currency }) => currency))].flatMap((currency) => {
    const own = rows.filter((row) => row.currency === currency);
    const sum = (field: (typeof amounts)[number]) =>
      own.reduce((total, row) => total + row[field], 0);
    return [
      ...own,
      {
        account: undefined,
        currency,
        opening: sum('opening'),
        debits: sum('debits'),
        credits: sum('credits'),
        closing: sum('closing'),
      },
    ];
  });

function useColumns(): Column<ShownRow>[] {
  const { t } = useTranslation(['journal', 'ledger']);
  return [
    {
      key: 'account',
      header: t('trialBalance.account'),
      isPrimary: true,
      cell: (row) =>
        row.account ? (
          t(`ledger:accounts.${row.account}`)
        ) : (
          <strong>{t('trialBalance.sum')}</strong>
        ),
    },
    ...amounts.map((field): Column<ShownRow> => ({
      key: field,
      header: t(`trialBalance.${field}`),
      align: 'end',
      cell: (row) => <Amount amount={row[field]} currency={row.currency} />,
    })),
  ];
}

/** What each account held before a period, what was booked in it, and what it holds after it. */
export function TrialBalance() {
  const { t } = useTranslation('journal');
  const [period, setPeriod] = useState(thisMonth);
  const isReady = isPeriod(period.from, period.until);
  const query = { From: period.from, Until: period.until };
  const columns = useColumns();
  const { data, error, refetch, isRefetching, isPlaceholderData } = useCall(getTrialBalance, {
    query,
    enabled: isReady,
    keepPrevious: true,
  });
  return (
    <>
      <PeriodFields period={period} onChange={setPeriod} />
      {error && !data ? (
        <ErrorState error={error} title={t('failed')} onRetry={refetch} isRetrying={isRefetching} />
      ) : !isReady ? null : !data ? (
        <SkeletonRows count={4} />
      ) : data.length === 0 ? (
        <EmptyState title={t('trialBalance.none')}>{t('trialBalance.noneText')}</EmptyState>
      ) : (
        <>
          <DataTable
            caption={t('trialBalance.title')}
            columns={columns}
            rows={withSums(data)}
            rowKey={(row) => `${row.account ?? 'sum'} ${row.currency}`}
            isStale={isPlaceholderData}
          />
          <DownloadButtons
            choices={[
              {
                label: t('xlsx'),
                fileName: fileName('xlsx', 'trial-balance', period.from, period.until),
                load: () => sendForFile(exportTrialBalance, { query, skipErrorHandling: true }),
              },
            ]}
          />
        </>
      )}
    </>
  );
}
