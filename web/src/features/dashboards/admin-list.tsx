import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../lib/page/page-title.ts';
import type { AddressFilters } from '../../lib/browser/use-address-filters.ts';
import { Button } from '../../ui/actions/button.tsx';
import { DataTable, type Column } from '../../ui/data/data-table.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { PageHeader } from '../../ui/data/page-header.tsx';
import { Pager } from '../../ui/data/pager.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { AdminListSearch, type ListFilter } from './admin-list-search.tsx';

export const adminPageSize = 20;

/** A page of a list and how its question goes. */
export interface ListState<Row> {
  data: { items: readonly Row[]; totalCount: number } | undefined;
  error: unknown;
  refetch: () => unknown;
  isRefetching: boolean;
  isPlaceholderData: boolean;
}

interface AdminListProps<Row, Name extends string> {
  title: string;
  lead: string;
  /** What can be searched for, as the hint in the empty box. */
  placeholder: string;
  filters: AddressFilters<Name>;
  filter?: ListFilter<Name>;
  /** Another filter, with its own way of choosing. */
  more?: ReactNode;
  list: ListState<Row>;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string | number;
  /** What can be done besides looking, at the head of the page. */
  action?: ReactNode;
  /** What it means that there is nothing, where that says more than an empty list. */
  emptyTitle?: string;
}

/** A list that an admin looks through, in each of its states. */
export function AdminList<Row, Name extends string = never>({
  title,
  lead,
  placeholder,
  filters,
  filter,
  more,
  list,
  columns,
  rowKey,
  action,
  emptyTitle,
}: AdminListProps<Row, Name>) {
  const { t } = useTranslation('dashboards');
  usePageTitle(title);
  const { data, error } = list;
  // A page that the list no longer has, after a deletion or from an old address.
  const isBeyond = data !== undefined && data.items.length === 0 && data.totalCount > 0;
  return (
    <div className="page pb-16">
      <PageHeader
        title={title}
        lead={lead}
        crumbs={[{ label: t('admin.title'), to: '/dashboard-Admin' }, { label: title }]}
        action={action}
      />
      <AdminListSearch
        key={filters.keyword}
        placeholder={placeholder}
        filters={filters}
        filter={filter}
        more={more}
      />
      <p role="status" className="flex min-h-[1lh] items-center pt-3 pb-4 text-sm text-ink-600">
        {data ? t('list.count', { count: data.totalCount }) : ''}
      </p>
      {error && !data ? (
        <ErrorState
          error={error}
          title={t('failed')}
          onRetry={list.refetch}
          isRetrying={list.isRefetching}
        />
      ) : !data ? (
        <SkeletonRows count={6} />
      ) : isBeyond ? (
        <EmptyState
          title={t('list.beyondTitle')}
          action={
            <Button variant="secondary" onPress={() => filters.change({ page: 1 })}>
              {t('list.firstPage')}
            </Button>
          }
        />
      ) : data.items.length > 0 ? (
        <DataTable
          caption={title}
          columns={columns}
          rows={data.items}
          rowKey={rowKey}
          isStale={list.isPlaceholderData}
        />
      ) : filters.isFiltered ? (
        <EmptyState
          title={t('list.nothingTitle')}
          action={
            <Button variant="secondary" onPress={filters.clear}>
              {t('list.clear')}
            </Button>
          }
        >
          {t('list.nothingText')}
        </EmptyState>
      ) : (
        <EmptyState title={emptyTitle ?? t('list.emptyTitle')}>{lead}</EmptyState>
      )}
      {data ? (
        <div className="pt-6">
          <Pager
            pageNumber={filters.page}
            pageSize={adminPageSize}
            totalCount={data.totalCount}
            onSelect={(page) => filters.change({ page })}
          />
        </div>
      ) : null}
    </div>
  );
}
