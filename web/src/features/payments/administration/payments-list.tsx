import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { useCall } from '#lib/api/use-call.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { DataTable, type Column } from '#ui/data/data-table.tsx';
import { Pager } from '#ui/data/pager.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import { getPayments, type PaymentSummary } from '@diwan/contract/payments/events';
import type { PaymentSum } from '@diwan/contract/payments/payment-lists';
import type { PaymentStatus } from '@diwan/contract/requests/payments';
import type { StatusTone } from '@diwan/contract/requests/workflow';
import { FilteredList } from './payment-filters.tsx';
import { pageSize, type PaymentFilters, usePaymentFilters } from './payment-query.ts';

const tones: Readonly<Record<PaymentStatus, StatusTone>> = {
  pending: 'progress',
  paid: 'done',
  declined: 'refused',
  cancelled: 'refused',
  expired: 'refused',
  held: 'waiting',
  returned: 'done',
};

/** The status of a payment for staff. */
export function PaymentStatusTag({ status }: { status: PaymentStatus }) {
  const { t } = useTranslation('payment-desk');
  return <StatusTag tone={tones[status]}>{t(`statuses.${status}`)}</StatusTag>;
}

/** An amount in the smallest unit of its currency. */
export function Amount({ amount, currency }: { amount: number; currency: string }) {
  const format = useFormat();
  return <bdi className="whitespace-nowrap tabular-nums">{format.amount(amount, currency)}</bdi>;
}

interface ListStateProps<Row> {
  list: UseQueryResult<{ items: Row[]; totalCount: number }, ApiError>;
  caption: string;
  emptyTitle: string;
  /** What will be in a list that is empty without filters. */
  emptyText: string;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string | number;
  page: number;
  /** Rows of a page. */
  size?: number;
  onPage: (page: number) => void;
}

/** A list of a tab in all its states. */
export function PagedTable<Row>({
  list,
  emptyTitle,
  emptyText,
  page,
  size = pageSize,
  onPage,
  ...table
}: ListStateProps<Row>) {
  const { t } = useTranslation('payment-desk');
  const { data, error, refetch, isRefetching, isPlaceholderData } = list;
  if (error && !data)
    return (
      <ErrorState error={error} title={t('failed')} onRetry={refetch} isRetrying={isRefetching} />
    );
  if (!data) return <SkeletonRows count={4} />;
  if (data.items.length === 0) return <EmptyState title={emptyTitle}>{emptyText}</EmptyState>;
  return (
    <div className="flex flex-col gap-4">
      <DataTable {...table} rows={data.items} isStale={isPlaceholderData} />
      <Pager pageNumber={page} pageSize={size} totalCount={data.totalCount} onSelect={onPage} />
    </div>
  );
}

/** A list of payments with its filters, the sums of the whole filtered list and its export. */
export function FilteredTable<Row>({
  of,
  list,
  ...table
}: Omit<ListStateProps<Row>, 'list' | 'page' | 'size' | 'onPage'> & {
  of: PaymentFilters;
  list: UseQueryResult<{ items: Row[]; totalCount: number; sums: PaymentSum[] }, ApiError>;
}) {
  const { filters } = of;
  return (
    <FilteredList of={of} sums={list.data?.sums}>
      <PagedTable
        {...table}
        list={list}
        page={filters.page}
        onPage={(page) => filters.change({ page })}
      />
    </FilteredList>
  );
}

/** The link to the timeline of a payment. `isRow`: the whole row is the link, so it has no button. */
export function PaymentLink({
  merchantReference,
  isRow,
  children,
}: {
  merchantReference: string;
  isRow?: boolean;
  children?: ReactNode;
}) {
  return (
    <Link
      to={`/dashboard/payments?payment=${encodeURIComponent(merchantReference)}`}
      className={isRow ? 'row-link link' : 'link'}
    >
      {children ?? <Reference>{merchantReference}</Reference>}
    </Link>
  );
}

function usePaymentColumns(): Column<PaymentSummary>[] {
  const { t } = useTranslation('payment-desk');
  return [
    {
      key: 'reference',
      header: t('reference'),
      isPrimary: true,
      cell: (row) => <PaymentLink isRow merchantReference={row.merchantReference} />,
    },
    {
      key: 'status',
      header: t('status'),
      cell: (row) => <PaymentStatusTag status={row.status} />,
    },
    {
      key: 'amount',
      header: t('amount'),
      align: 'end',
      cell: (row) => <Amount {...row} />,
    },
    {
      key: 'provider',
      header: t('provider'),
      isHiddenOnPhone: true,
      cell: (row) => t(`providers.${row.provider}`),
    },
    {
      key: 'method',
      header: t('routing.method'),
      isHiddenOnPhone: true,
      cell: (row) => t(`methods.${row.method}`),
    },
    { key: 'createdAt', header: t('begun'), cell: (row) => <Moment at={row.createdAt} /> },
  ];
}

/** Every payment, the newest first. */
export function PaymentsTab() {
  const { t } = useTranslation('payment-desk');
  const of = usePaymentFilters('payments');
  const list = useCall(getPayments, { query: { ...of.query, ...of.page }, keepPrevious: true });
  const columns = usePaymentColumns();
  return (
    <FilteredTable
      of={of}
      list={list}
      caption={t('tabs.payments')}
      emptyTitle={t('noPayments')}
      emptyText={t('noPaymentsText')}
      columns={columns}
      rowKey={(row) => row.merchantReference}
    />
  );
}
