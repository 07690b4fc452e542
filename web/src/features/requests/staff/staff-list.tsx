import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import type { RequestSummary } from '@diwan/contract/requests/requests';
import { hasRole, useSession } from '../../../lib/api/session.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { DataTable } from '../../../ui/data/data-table.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Pager } from '../../../ui/data/pager.tsx';
import { SkeletonRows } from '../../../ui/feedback/skeleton.tsx';
import type { BulkAction } from './bulk-actions.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import { FilterChips } from './filter-chips.tsx';
import { useLastLook, useLooks } from './last-look.ts';
import { useListFilters, wantedOf } from './list-filters.ts';
import { keepSeenList, seenList } from './next-request.ts';
import { useRowOfLastOpened } from './row-focus.ts';
import { staffPageSize, useRequestList } from '../data/request-list.data.ts';
import { listInterval, useStatuses } from '../data/requests.data.ts';
import { SavedFilterChips } from './saved-filter-chips.tsx';
import { canDo, StaffBulkBar } from './staff-bulk-bar.tsx';
import { useStaffColumns } from './staff-columns.tsx';
import { StaffFilters } from './staff-filters.tsx';
import { useListKeys } from './staff-list-keys.ts';
import { statusIdsOfList, type StaffListName } from './staff-lists.ts';
import { useRowSelection } from './use-row-selection.ts';

/** What I received a moment ago keeps its row, although the server's list no longer holds it. */
function withReceived(
  items: readonly RequestSummary[],
  received: readonly RequestSummary[],
  sort: 'asc' | 'desc',
): RequestSummary[] {
  const gone = received.filter((each) => !items.some((item) => item.requestId === each.requestId));
  const direction = sort === 'asc' ? 1 : -1;
  return [...items, ...gone].sort(
    (one, other) =>
      direction * (one.createdAt.localeCompare(other.createdAt) || one.requestId - other.requestId),
  );
}

const none: RequestSummary[] = [];

export function StaffList({ list }: { list: StaffListName }) {
  const { t } = useTranslation(['requests', 'staff']);
  const { pathname, search } = useLocation();
  const { filters, change, clear, isFiltered } = useListFilters();
  const statuses = useStatuses();
  const isClerk = hasRole(useSession(), 'Admin', 'Employee');
  const [received, setReceived] = useState<readonly RequestSummary[]>([]);
  const [bulk, setBulk] = useState<{ action: BulkAction; requests: readonly RequestSummary[] }>();
  const { keyword, sort, isMine, page } = filters;
  const statusIds = statuses.data && statusIdsOfList(list, statuses.data, filters.statusId);
  const requests = useRequestList(
    { ...wantedOf(filters), statusIds, take: staffPageSize },
    { enabled: statuses.data !== undefined, refetchInterval: listInterval },
  );
  const lastLook = useLastLook(list === 'new');
  const { lookAt } = useLooks();
  const rows = requests.data ? withReceived(requests.data.items, received, sort) : undefined;
  const selection = useRowSelection(rows ?? none, (request) => request.requestId);
  const selected = [...selection.rows.values()].map(
    (request) => rows?.find((row) => row.requestId === request.requestId) ?? request,
  );
  const isUnseen = (request: RequestSummary) =>
    lastLook !== undefined &&
    request.updatedAt > lastLook &&
    !received.some((each) => each.requestId === request.requestId);
  const markOf = (request: RequestSummary) =>
    (lookAt(request.requestId) ?? request.updatedAt) < request.updatedAt
      ? 'changed'
      : isUnseen(request)
        ? 'unseen'
        : undefined;
  const columns = useStaffColumns({
    list,
    markOf,
    received,
    onReceived: (request) => setReceived((all) => [...all, request]),
    onPutBack: ({ requestId }) =>
      setReceived((all) => all.filter((each) => each.requestId !== requestId)),
    selection,
  });
  const begin = (action: BulkAction) => setBulk({ action, requests: canDo(action, selected) });
  useRowOfLastOpened(`${pathname}${search}`, rows !== undefined);
  useListKeys({
    rows: rows ?? none,
    selection,
    selected,
    isClerk,
    begin,
    changeMine: () => changeFilters({ isMine: !isMine }),
  });

  const error = requests.error ?? statuses.error;
  const unseen = rows?.filter(isUnseen).length ?? 0;
  const retry = () => Promise.all([statuses.refetch(), requests.refetch()]);
  const changeFilters: typeof change = (changed) => {
    setReceived([]);
    if (!('page' in changed)) selection.clear();
    change(changed);
  };
  const clearFilters = () => {
    setReceived([]);
    selection.clear();
    clear();
  };
  const numbers = requests.isPlaceholderData
    ? ''
    : (rows ?? none).map(({ requestNumber }) => requestNumber).join(' ');
  useEffect(() => {
    if (numbers !== '')
      keepSeenList({ ...seenList(`${pathname}${search}`), numbers: numbers.split(' ') });
  }, [numbers, pathname, search]);

  return (
    <>
      <StaffFilters
        key={keyword}
        filters={filters}
        onChange={changeFilters}
        statuses={list === 'all' ? (statuses.data ?? []) : undefined}
        hasHolder={isClerk && list !== 'new'}
        hasRefunds={isClerk && list === 'all'}
      />
      <div className="flex flex-wrap items-center gap-x-6">
        <FilterChips
          filters={filters}
          onChange={changeFilters}
          onClear={clearFilters}
          statuses={statuses.data ?? []}
        />
        <SavedFilterChips list={list} filters={filters} onChange={changeFilters} />
      </div>
      <p
        role="status"
        className="flex min-h-[1lh] flex-wrap items-center gap-x-4 pt-2 pb-4 text-sm text-ink-500"
      >
        {requests.data ? (
          <span>
            {requests.data.isTotalAtLeast
              ? t('listing.moreThan', { number: requests.data.totalCount })
              : t('listing.count', { count: requests.data.totalCount })}
          </span>
        ) : null}
        {unseen > 0 ? (
          <span className="font-semibold text-amber-800">
            {t('staff.arrived', { count: unseen })}
          </span>
        ) : null}
      </p>
      {error && !rows ? (
        <ErrorState
          error={error}
          title={t('listing.failed')}
          safety={t('listing.safe')}
          onRetry={retry}
          isRetrying={requests.isRefetching || statuses.isRefetching}
        />
      ) : !rows ? (
        <SkeletonRows count={6} />
      ) : rows.length > 0 ? (
        <DataTable
          caption={t(`staff.${list}Title`)}
          columns={columns}
          rows={rows}
          rowKey={(request) => request.requestId}
          isMarked={(request) => markOf(request) !== undefined}
          isStale={requests.isPlaceholderData}
          isWide
        />
      ) : isFiltered ? (
        <EmptyState
          title={t('listing.nothingTitle')}
          action={
            <Button variant="secondary" onPress={clearFilters}>
              {t('listing.clear')}
            </Button>
          }
        >
          {t('listing.nothingText')}
        </EmptyState>
      ) : (
        <EmptyState title={t(`staff.empty.${list}Title`)}>
          {t(`staff.empty.${list}Text`)}
        </EmptyState>
      )}
      {requests.data ? (
        <div className="pt-6">
          <Pager
            pageNumber={page}
            pageSize={staffPageSize}
            totalCount={requests.data.totalCount}
            onSelect={(next) => changeFilters({ page: next })}
          />
        </div>
      ) : null}
      {selected.length > 0 ? (
        <StaffBulkBar selected={selected} onAct={begin} onClear={selection.clear} />
      ) : null}
      {bulk ? (
        <BulkDialog
          {...bulk}
          onClose={(hasBegun) => {
            setBulk(undefined);
            if (hasBegun) selection.clear();
          }}
        />
      ) : null}
    </>
  );
}
