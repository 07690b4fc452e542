import type { UseQueryResult } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { useState } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { useCall } from '#lib/api/use-call.ts';
import { useSearchFilters } from '#lib/browser/search-params.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { Button } from '#ui/actions/button.tsx';
import { DataTable, type Column } from '#ui/data/data-table.tsx';
import { Pager } from '#ui/data/pager.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { Money } from '#ui/values/money.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import { getPayments, type PaymentSummary } from '@diwan/contract/payments/events';
import { paymentStatuses, type PaymentStatus } from '@diwan/contract/requests/payments';
import type { StatusTone } from '@diwan/contract/requests/workflow';

/** Items on one page of a tab. */
export const pageSize = 20;

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

const foreignAmount = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2 });

/** An amount in dirhams, or in the smallest unit of another currency. */
export function Amount({ amount, currency }: { amount: number; currency: string }) {
  if (currency === 'AED') return <Money fils={amount} />;
  return (
    <bdi dir="ltr" className="whitespace-nowrap tabular-nums">
      <span>{currency}</span> <span>{foreignAmount.format(amount / 100)}</span>
    </bdi>
  );
}

/** An amount as a part of a sentence. */
export function useAmountText(): (amount: number, currency: string) => string {
  const { money } = useFormat();
  return (amount, currency) =>
    currency === 'AED'
      ? money(amount)
      : `\u2066${currency}\u00A0${foreignAmount.format(amount / 100)}\u2069`;
}

interface ListStateProps<Row> {
  list: UseQueryResult<{ items: Row[]; totalCount: number }, ApiError>;
  caption: string;
  emptyTitle: string;
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
  if (data.items.length === 0) return <EmptyState title={emptyTitle} />;
  return (
    <div className="flex flex-col gap-4">
      <DataTable {...table} rows={data.items} isStale={isPlaceholderData} />
      <Pager pageNumber={page} pageSize={size} totalCount={data.totalCount} onSelect={onPage} />
    </div>
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
    { key: 'createdAt', header: t('begun'), cell: (row) => <Moment at={row.createdAt} /> },
  ];
}

/** Payments by reference or request number, and status. */
export function PaymentsTab() {
  const { t } = useTranslation('payment-desk');
  const filters = useSearchFilters('status');
  const [text, setText] = useState(filters.keyword);
  const status = paymentStatuses.find((each) => each === filters.values.status);
  const list = useCall(getPayments, {
    query: {
      Keyword: filters.keyword || undefined,
      Status: status,
      PageNumber: filters.page,
      Take: pageSize,
    },
    keepPrevious: true,
  });
  const columns = usePaymentColumns();
  return (
    <div className="flex flex-col gap-4">
      <form
        role="search"
        className="flex flex-col gap-4 md:flex-row md:items-end"
        onSubmit={(event) => {
          event.preventDefault();
          filters.change({ keyword: text.trim() });
        }}
      >
        <div className="flex min-w-0 grow items-end gap-2 md:max-w-form">
          <div className="min-w-0 grow">
            <TextField
              label={t('search')}
              isOptional
              value={text}
              onChange={setText}
              maxLength={80}
              dir={text === '' ? undefined : 'ltr'}
            />
          </div>
          <Button
            type="submit"
            variant="secondary"
            isIconOnPhone
            icon={<Search aria-hidden size={20} />}
          >
            {t('find')}
          </Button>
        </div>
        <SelectField
          label={t('status')}
          value={status ?? '-'}
          onChange={(value) => filters.change({ status: value === '-' ? '' : value })}
          choices={[
            { value: '-', label: t('anyStatus') },
            ...paymentStatuses.map((value) => ({ value, label: t(`statuses.${value}`) })),
          ]}
        />
      </form>
      <PagedTable
        list={list}
        caption={t('tabs.payments')}
        emptyTitle={t('noPayments')}
        columns={columns}
        rowKey={(row) => row.merchantReference}
        page={filters.page}
        onPage={(page) => filters.change({ page })}
      />
    </div>
  );
}
