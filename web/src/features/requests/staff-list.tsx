import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RequestSummary } from '@diwan/contract/requests';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Pager } from '../../ui/pager.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { FilterChips } from './filter-chips.tsx';
import { useLastLook } from './last-look.ts';
import { useListFilters } from './list-filters.ts';
import { requestsPageSize, useRequestList } from './request-list.data.ts';
import { listInterval, useStatuses } from './requests.data.ts';
import { useStaffColumns } from './staff-columns.tsx';
import { StaffFilters } from './staff-filters.tsx';
import { statusIdsOfList, type StaffListName } from './staff-lists.ts';

/** What I received a moment ago keeps its row, although the server's list no longer holds it. */
function withReceived(items: readonly RequestSummary[], received: readonly RequestSummary[], sort: 'asc' | 'desc'): RequestSummary[] {
  const gone = received.filter((each) => !items.some((item) => item.requestId === each.requestId));
  const direction = sort === 'asc' ? 1 : -1;
  return [...items, ...gone].sort((one, other) => direction * (one.createdAt.localeCompare(other.createdAt) || one.requestId - other.requestId));
}

export function StaffList({ list }: { list: StaffListName }) {
  const { t } = useTranslation('requests');
  const { filters, change, clear, isFiltered } = useListFilters();
  const statuses = useStatuses();
  const [received, setReceived] = useState<readonly RequestSummary[]>([]);
  const { keyword, from, to, sort, page } = filters;
  const statusIds = statuses.data && statusIdsOfList(list, statuses.data, filters.statusId);
  const question = { statusIds, keyword, from, to, sort, page };
  const requests = useRequestList(question, { enabled: statuses.data !== undefined, refetchInterval: listInterval });
  const lastLook = useLastLook(list === 'new');
  const isUnseen = (request: RequestSummary) => lastLook !== undefined && request.updatedAt > lastLook && !received.some((each) => each.requestId === request.requestId);
  const columns = useStaffColumns({ list, isUnseen, received, onReceived: (request) => setReceived((all) => [...all, request]) });

  const error = requests.error ?? statuses.error;
  const rows = requests.data ? withReceived(requests.data.items, received, sort) : undefined;
  const unseen = rows?.filter(isUnseen).length ?? 0;
  const retry = () => Promise.all([statuses.refetch(), requests.refetch()]);
  const changeFilters: typeof change = (changed) => {
    setReceived([]);
    change(changed);
  };

  return (
    <>
      <StaffFilters key={`${keyword} ${from} ${to}`} filters={filters} onChange={changeFilters} statuses={list === 'all' ? (statuses.data ?? []) : undefined} />
      <FilterChips filters={filters} onChange={changeFilters} statuses={statuses.data ?? []} />
      <p role="status" className="flex min-h-[1lh] flex-wrap items-center gap-x-4 pt-2 pb-4 text-sm text-ink-500">
        {requests.data ? <span>{t('listing.count', { count: requests.data.totalCount })}</span> : null}
        {unseen > 0 ? <span className="font-semibold text-amber-800">{t('staff.arrived', { count: unseen })}</span> : null}
      </p>
      {error && !rows ? (
        <ErrorState error={error} title={t('listing.failed')} safety={t('listing.safe')} onRetry={retry} isRetrying={requests.isRefetching || statuses.isRefetching} />
      ) : !rows ? (
        <SkeletonRows count={6} />
      ) : rows.length > 0 ? (
        <DataTable caption={t(`staff.${list}Title`)} columns={columns} rows={rows} rowKey={(request) => request.requestId} isMarked={isUnseen} isStale={requests.isPlaceholderData} />
      ) : isFiltered ? (
        <EmptyState title={t('listing.nothingTitle')} action={<Button variant="secondary" onPress={clear}>{t('listing.clear')}</Button>}>{t('listing.nothingText')}</EmptyState>
      ) : (
        <EmptyState title={t(`staff.empty.${list}Title`)}>{t(`staff.empty.${list}Text`)}</EmptyState>
      )}
      {requests.data ? <div className="pt-6"><Pager pageNumber={page} pageSize={requestsPageSize} totalCount={requests.data.totalCount} onSelect={(next) => changeFilters({ page: next })} /></div> : null}
    </>
  );
}
