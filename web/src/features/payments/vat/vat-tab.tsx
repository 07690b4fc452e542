import { useEffect, useRef, useState } from 'react';
import { sendForFile } from '#lib/api/send.ts';
import { useCall } from '#lib/api/use-call.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { Button } from '#ui/actions/button.tsx';
import { DataTable, type Column } from '#ui/data/data-table.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import { Money } from '#ui/values/money.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { getSellers } from '@diwan/contract/payments/sellers';
import {
  exportVatReport,
  getVatReport,
  getVatReportLines,
  type VatReportLine,
  type VatReportRow,
} from '@diwan/contract/payments/vat-report';
import type { QueryOf } from '@diwan/contract/wire/call';
import { DownloadButtons, fileName } from '../administration/download-buttons.tsx';
import { isPeriod } from '../administration/journal-tab.tsx';
import { pageSize } from '../administration/payment-query.ts';
import { PagedTable } from '../administration/payments-list.tsx';
import { PeriodFields, thisMonth } from '../administration/trial-balance.tsx';

const sumNames = ['supplies', 'vat', 'credited', 'creditedVat', 'lines'] as const;
/** A row, or without a category the sum of all. */
type ShownRow = Omit<VatReportRow, 'category'> & { category?: VatReportRow['category'] };

function withSum(rows: readonly VatReportRow[]): ShownRow[] {
  const sum = { supplies: 0, vat: 0, credited: 0, creditedVat: 0, lines: 0 };
  for (const row of rows) for (const name of sumNames) sum[name] += row[name];
  return [...rows, sum];
}

const nameOf = (
  t: ReturnType<typeof useTranslation>['t'],
  { emirate }: Pick<VatReportRow, 'emirate'>,
) => (emirate ? t(`forms:emirates.${emirate}`) : t('unknownEmirate'));

const keyOf = ({ emirate, category }: ShownRow) => `${emirate ?? 'none'} ${category ?? 'sum'}`;

function useColumns(onOpen: (row: VatReportRow) => void): Column<ShownRow>[] {
  const { t } = useTranslation(['vat-report', 'forms']);
  const names = (row: VatReportRow) => ({
    emirate: nameOf(t, row),
    category: t(`categories.${row.category}`),
  });
  const amount = (key: string, of: (row: ShownRow) => number): Column<ShownRow> => ({
    key,
    header: t(key),
    align: 'end',
    cell: (row) => <Money fils={of(row)} />,
  });
  return [
    {
      key: 'emirate',
      header: t('emirate'),
      isPrimary: true,
      cell: (row) => (row.category ? nameOf(t, row) : t('sum')),
    },
    {
      key: 'category',
      header: t('category'),
      cell: (row) => (row.category ? t(`categories.${row.category}`) : null),
    },
    amount('supplies', (row) => row.supplies),
    amount('vat', (row) => row.vat),
    amount('credited', (row) => row.credited),
    amount('creditedVat', (row) => row.creditedVat),
    amount('net', (row) => row.supplies - row.credited),
    amount('netVat', (row) => row.vat - row.creditedVat),
    {
      key: 'lines',
      header: t('lines'),
      isControl: true,
      cell: ({ category, ...row }) =>
        category ? (
          <Button
            size="sm"
            variant="secondary"
            aria-label={t('showName', names({ ...row, category }))}
            onPress={() => onOpen({ ...row, category })}
          >
            {t('show')}
          </Button>
        ) : null,
    },
  ];
}

function useLineColumns(): Column<VatReportLine>[] {
  const { t } = useTranslation('vat-report');
  const { date } = useFormat();
  return [
    {
      key: 'number',
      header: t('number'),
      isPrimary: true,
      cell: (row) => <Reference>{row.number}</Reference>,
    },
    { key: 'day', header: t('day'), cell: (row) => date(row.day) },
    {
      key: 'request',
      header: t('request'),
      cell: (row) => (
        <Link
          className="link"
          to={`/requests/request-details?request-number=${encodeURIComponent(row.requestNumber)}`}
        >
          <Reference>{row.requestNumber}</Reference>
        </Link>
      ),
    },
    { key: 'agency', header: t('agency'), cell: (row) => <bdi>{row.agencyName}</bdi> },
    { key: 'what', header: t('what'), cell: (row) => <bdi>{row.title}</bdi> },
    {
      key: 'amount',
      header: t('amount'),
      align: 'end',
      cell: (row) => <Money fils={row.amount} />,
    },
    { key: 'vat', header: t('vat'), align: 'end', cell: (row) => <Money fils={row.vat} /> },
  ];
}

/**
 * The lines of documents behind a row of the report. They take the focus, because on a phone they
 * open far below the row.
 */
function Lines({ row, period }: { row: VatReportRow; period: QueryOf<typeof getVatReport> }) {
  const { t } = useTranslation(['vat-report', 'forms']);
  const [page, setPage] = useState(1);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView();
  }, []);
  const columns = useLineColumns();
  const list = useCall(getVatReportLines, {
    query: {
      ...period,
      Emirate: row.emirate ?? 'none',
      Category: row.category,
      PageNumber: page,
      Take: pageSize,
    },
    keepPrevious: true,
  });
  const title = t('linesOf', {
    emirate: nameOf(t, row),
    category: t(`categories.${row.category}`),
  });
  return (
    <section className="flex flex-col gap-3">
      <h2 ref={heading} tabIndex={-1} className="scroll-mt-6 text-lg outline-none">
        {title}
      </h2>
      <PagedTable
        list={list}
        caption={title}
        emptyTitle={t('none')}
        emptyText={t('noneText')}
        columns={columns}
        rowKey={({ number, line }) => `${number} ${line}`}
        page={page}
        onPage={setPage}
      />
    </section>
  );
}

const everySeller = 'all';

/** Whose documents: a return is that of one tax registration number. */
function SellerField({ value, onChange }: { value: string; onChange: (seller: string) => void }) {
  const { t } = useTranslation('vat-report');
  const { language } = useLanguage();
  const { data = [] } = useCall(getSellers, {});
  return (
    <div className="max-w-form">
      <SelectField
        label={t('seller')}
        description={t('sellerHint')}
        width="medium"
        value={value}
        onChange={onChange}
        choices={[
          { value: everySeller, label: t('everySeller') },
          ...data.map(({ agencyId, legalName }) => ({
            value: String(agencyId ?? 'operator'),
            label: legalName[language],
          })),
        ]}
      />
    </div>
  );
}

/** Supplies, VAT and credit notes of a period for the VAT return. */
export function VatTab() {
  const { t } = useTranslation('vat-report');
  const [seller, setSeller] = useState(everySeller);
  const [period, setPeriod] = useState(thisMonth);
  const [opened, setOpened] = useState<{ row: VatReportRow; time: number }>();
  const isReady = isPeriod(period.from, period.until);
  const query = {
    From: period.from,
    Until: period.until,
    ...(seller === everySeller
      ? {}
      : { Seller: seller === 'operator' ? ('operator' as const) : Number(seller) }),
  };
  const columns = useColumns((row) =>
    setOpened((before) => ({ row, time: (before?.time ?? 0) + 1 })),
  );
  const { data, error, refetch, isRefetching, isPlaceholderData } = useCall(getVatReport, {
    query,
    enabled: isReady,
    keepPrevious: true,
  });
  return (
    <div className="flex flex-col gap-6">
      <p className="text-ink-600">{t('hint')}</p>
      <PeriodFields
        period={period}
        onChange={(changed) => {
          setOpened(undefined);
          setPeriod(changed);
        }}
      />
      <SellerField
        value={seller}
        onChange={(changed) => {
          setOpened(undefined);
          setSeller(changed);
        }}
      />
      {error && !data ? (
        <ErrorState error={error} title={t('failed')} onRetry={refetch} isRetrying={isRefetching} />
      ) : !isReady ? null : !data ? (
        <SkeletonRows count={4} />
      ) : data.length === 0 ? (
        <EmptyState title={t('none')}>{t('noneText')}</EmptyState>
      ) : (
        <>
          {data.some(({ emirate }) => emirate === undefined) ? (
            <Alert tone="warning">{t('noEmirate')}</Alert>
          ) : null}
          <DataTable
            isWide
            caption={t('title')}
            columns={columns}
            rows={withSum(data)}
            rowKey={keyOf}
            isStale={isPlaceholderData}
          />
          <DownloadButtons
            choices={[
              {
                label: t('xlsx'),
                fileName: fileName('xlsx', 'vat-report', period.from, period.until),
                load: () => sendForFile(exportVatReport, { query, skipErrorHandling: true }),
              },
            ]}
          />
        </>
      )}
      {opened && isReady ? <Lines key={opened.time} row={opened.row} period={query} /> : null}
    </div>
  );
}
