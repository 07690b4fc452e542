import { ArrowDownToLine, Rows3, Rows4 } from 'lucide-react';
import { useEffect, useState } from 'react';
import {
  noStaffFilters,
  toRequestListQuery,
  useListFilters,
  type ListFilters,
} from '#features/requests/data/list-filters.ts';
import {
  staffPageSize,
  useRequestList,
  useTotalText,
} from '#features/requests/data/request-list.data.ts';
import { listRefreshMs, useStatuses, type Status } from '#features/requests/data/requests.data.ts';
import { FilterChips } from '#features/requests/record/filter-chips.tsx';
import { hasRole, useSession } from '#lib/api/session.ts';
import { loadItem, storeItem } from '#lib/browser/storage.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { useLocation } from '#lib/router/router-provider.tsx';
import { Button } from '#ui/actions/button.tsx';
import { DataTable, densities, type Density } from '#ui/data/data-table.tsx';
import { Pager } from '#ui/data/pager.tsx';
import { useRowSelection } from '#ui/data/row-selection.ts';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import type { RequestSummary } from '@diwan/contract/requests/requests';
import type { ListOrder } from '@diwan/contract/requests/saved-filters';
import { ShortcutList } from '../shortcuts/shortcut-list.tsx';
import { BulkDialog, StaffBulkBar } from './bulk-actions.tsx';
import { requestsAllowing, type BulkAction } from './bulk-run.ts';
import { useListLastViewed, useSeenUpdates } from './last-viewed.ts';
import { useLastOpenedRowFocus, useListShortcuts } from './list-shortcuts.ts';
import { useLiveRows, type RowChange } from './live-rows.ts';
import { storeSeenList, loadSeenList } from './seen-list.ts';
import { useStaffColumns } from './staff-columns.tsx';
import { SavedFilterChips, useActiveFilters } from './staff-filter-chips.tsx';
import { StaffFilters } from './staff-filters.tsx';
import { statusIdsOfList, type StaffListName } from './staff-lists.ts';

const compareSent = (one: RequestSummary, other: RequestSummary) =>
  one.createdAt.localeCompare(other.createdAt) || one.requestId - other.requestId;

const dueOrNever = ({ promisedBy = '9999' }: RequestSummary) => promisedBy;

/** The orders of a list by times, as the server sorts it. */
const comparisons: Partial<
  Record<ListOrder, (one: RequestSummary, other: RequestSummary) => number>
> = {
  asc: compareSent,
  desc: (one, other) => compareSent(other, one),
  due: (one, other) => dueOrNever(one).localeCompare(dueOrNever(other)) || compareSent(other, one),
  dueLast: (one, other) =>
    Number(!one.promisedBy) - Number(!other.promisedBy) ||
    dueOrNever(other).localeCompare(dueOrNever(one)) ||
    compareSent(one, other),
};

/**
 * Adds requests that the user has just received, which the server's list no longer contains; at the
 * end of a list that is sorted by another column.
 */
function withReceived(
  items: readonly RequestSummary[],
  received: readonly RequestSummary[],
  sort: ListOrder,
): RequestSummary[] {
  const missing = received.filter(
    (each) => !items.some((item) => item.requestId === each.requestId),
  );
  return missing.length === 0
    ? [...items]
    : [...items, ...missing].toSorted(comparisons[sort] ?? (() => 0));
}

/** Which requests arrived since the user last viewed the list, or changed since they viewed them. */
function useRequestChanges(
  list: StaffListName,
  received: readonly RequestSummary[],
  live: ReadonlyMap<number, RowChange>,
) {
  const lastViewedAt = useListLastViewed(list === 'new');
  const { findSeenUpdate } = useSeenUpdates();
  const isReceived = ({ requestId }: RequestSummary) =>
    received.some((each) => each.requestId === requestId);
  const isUnseen = (request: RequestSummary) =>
    lastViewedAt !== undefined && request.updatedAt > lastViewedAt && !isReceived(request);
  const changeOf = (request: RequestSummary): RowChange | undefined =>
    !isReceived(request) && live.has(request.requestId)
      ? live.get(request.requestId)
      : (findSeenUpdate(request.requestId) ?? request.updatedAt) < request.updatedAt
        ? 'changed'
        : isUnseen(request)
          ? 'unseen'
          : undefined;
  return { isReceived, isUnseen, changeOf };
}

/** Stores the order of the shown rows, so that a request's page can open the next one. */
function useStoredRowOrder(
  address: string,
  rows: readonly RequestSummary[],
  isStale: boolean,
): void {
  const numbers = isStale ? '' : rows.map(({ requestNumber }) => requestNumber).join(' ');
  useEffect(() => {
    if (numbers !== '') storeSeenList({ ...loadSeenList(address), numbers: numbers.split(' ') });
  }, [numbers, address]);
}

const noRequests: RequestSummary[] = [];
const noStatuses: Status[] = [];

/** The statuses and one page of requests of a list. */
function useStaffRequests(list: StaffListName, filters: ListFilters) {
  const statuses = useStatuses();
  const statusIds = statuses.data && statusIdsOfList(list, statuses.data, filters.statusId);
  const requests = useRequestList(
    { ...toRequestListQuery(filters), statusIds, pageSize: staffPageSize },
    { enabled: statuses.data !== undefined, refetchInterval: listRefreshMs },
  );
  return {
    statuses: statuses.data ?? noStatuses,
    data: requests.data,
    /** The rows of the previous query are shown while the next one is loading. */
    isStale: requests.isPlaceholderData,
    isLoading: requests.isFetching,
    error: requests.error ?? statuses.error,
    isRetrying: requests.isRefetching || statuses.isRefetching,
    retry: () => Promise.all([statuses.refetch(), requests.refetch()]),
  };
}

export function StaffList({ list }: { list: StaffListName }) {
  const { t } = useTranslation(['requests', 'staff']);
  const { pathname, search } = useLocation();
  const address = `${pathname}${search}`;
  const totalText = useTotalText();
  const { filters, change, clear, isFiltered } = useListFilters(noStaffFilters);
  const { statuses, data, isStale, isLoading, error, isRetrying, retry } = useStaffRequests(
    list,
    filters,
  );
  const isClerk = hasRole(useSession(), 'Admin', 'Employee');
  const [density, setDensity] = useDensity();
  const [received, setReceived] = useState<readonly RequestSummary[]>([]);
  const [bulk, setBulk] = useState<{ action: BulkAction; requests: readonly RequestSummary[] }>();
  const { keyword, sort, isMine, page } = filters;
  const live = useLiveRows(JSON.stringify(filters), data?.items ?? noRequests, !isLoading);
  const { isReceived, isUnseen, changeOf } = useRequestChanges(list, received, live.changes);
  const rows = withReceived(
    live.rows.filter((row) => !isReceived(row) || live.changes.get(row.requestId) !== 'left'),
    received,
    sort,
  );
  const selection = useRowSelection(rows, (request) => request.requestId);
  const selected = [...selection.rows.values()].map(
    (request) => rows.find((row) => row.requestId === request.requestId) ?? request,
  );
  const active = useActiveFilters(filters, statuses);
  const columns = useStaffColumns({
    list,
    filters,
    onSort: (order) => changeFilters({ sort: order }),
    changeOf,
    received,
    onReceived: (request) => setReceived((all) => [...all, request]),
    onReleased: ({ requestId }) =>
      setReceived((all) => all.filter((each) => each.requestId !== requestId)),
    selection,
  });
  const startBulkAction = (action: BulkAction) =>
    setBulk({ action, requests: requestsAllowing(action, selected) });
  useLastOpenedRowFocus(address, data !== undefined);
  useStoredRowOrder(address, rows, isStale);
  useListShortcuts({
    rows,
    selection,
    selected,
    isClerk,
    startBulkAction,
    changeMine: () => changeFilters({ isMine: !isMine }),
  });

  const unseen = rows.filter(isUnseen).length;
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
  return (
    <>
      <div className="flex min-h-12 flex-wrap items-center gap-x-4">
        <h1 className="text-lg">{t(`staff.${list}Title`)}</h1>
        <ListSummary total={data && totalText(data)} unseen={unseen} />
        <NewRows count={live.added} onShow={live.show} />
        <SavedFilterChips list={list} filters={filters} onChange={changeFilters} />
        <span className="ms-auto flex items-center max-lg:hidden">
          <DensitySwitch density={density} onChange={setDensity} />
          <ShortcutList page="list" />
        </span>
      </div>
      <StaffFilters
        key={keyword}
        filters={filters}
        onChange={changeFilters}
        statuses={list === 'all' ? statuses : undefined}
        hasHolder={isClerk && list !== 'new'}
        hasRefundFilter={isClerk && list === 'all'}
      />
      <div className="pb-2 empty:hidden">
        <FilterChips active={active} onChange={changeFilters} onClear={clearFilters} />
      </div>
      {error && !data ? (
        <ErrorState
          error={error}
          title={t('listing.failed')}
          safety={t('listing.safe')}
          onRetry={retry}
          isRetrying={isRetrying}
        />
      ) : !data ? (
        <SkeletonRows count={6} />
      ) : rows.length > 0 ? (
        <DataTable
          caption={t(`staff.${list}Title`)}
          columns={columns}
          rows={rows}
          rowKey={(request) => request.requestId}
          isMarked={(request) => changeOf(request) !== undefined}
          isStale={isStale}
          isWide
          density={density}
        />
      ) : (
        <EmptyList
          list={list}
          active={isFiltered ? active : []}
          onChange={changeFilters}
          onClear={clearFilters}
        />
      )}
      {data ? (
        <div className="pt-4">
          <Pager
            pageNumber={page}
            pageSize={staffPageSize}
            totalCount={data.totalCount}
            onSelect={(next) => changeFilters({ page: next })}
          />
        </div>
      ) : null}
      {selected.length > 0 ? (
        <StaffBulkBar selected={selected} onAct={startBulkAction} onClear={selection.clear} />
      ) : null}
      {bulk ? (
        <BulkDialog
          {...bulk}
          onClose={(hasStarted) => {
            setBulk(undefined);
            if (!hasStarted) return;
            selection.clear();
            live.acceptNext();
          }}
        />
      ) : null}
    </>
  );
}

/** How many requests the list has, and how many of them are new since the last visit. */
function ListSummary({ total, unseen }: { total: string | undefined; unseen: number }) {
  const { t } = useTranslation('requests');
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-4 text-sm text-ink-600">
      {total === undefined ? null : <span>{total}</span>}
      {unseen > 0 ? (
        <span className="font-semibold text-amber-800">
          {t('staff.arrived', { count: unseen })}
        </span>
      ) : null}
    </p>
  );
}

/**
 * Announces requests that came while the list is read. It takes no space from the rows: on a phone
 * it lies above the page.
 */
function NewRows({ count, onShow }: { count: number; onShow: () => void }) {
  const { t } = useTranslation('staff');
  return (
    <span
      role="status"
      // On a phone it floats where the row of the heading is, so that it covers no link.
      className="max-lg:fixed max-lg:inset-e-4 max-lg:top-26 max-lg:z-20"
    >
      {count > 0 ? (
        <Button size="sm" icon={<ArrowDownToLine aria-hidden size={18} />} onPress={onShow}>
          {t('live.show', { count })}
        </Button>
      ) : null}
    </span>
  );
}

interface EmptyListProps {
  list: StaffListName;
  active: ReturnType<typeof useActiveFilters>;
  onChange: (changed: Partial<ListFilters>) => void;
  onClear: () => void;
}

/** Says why the list is empty; with filters, which of them can be removed. */
function EmptyList({ list, active, onChange, onClear }: EmptyListProps) {
  const { t } = useTranslation(['requests', 'staff']);
  if (active.length === 0)
    return (
      <EmptyState title={t(`staff.empty.${list}Title`)}>{t(`staff.empty.${list}Text`)}</EmptyState>
    );
  return (
    <EmptyState
      title={t('listing.nothingTitle')}
      action={
        <>
          {active.map(({ text, without }) => (
            <Button key={text} variant="secondary" size="sm" onPress={() => onChange(without)}>
              {t('staff:filters.without', { filter: text })}
            </Button>
          ))}
          {active.length > 1 ? (
            <Button variant="quiet" size="sm" onPress={onClear}>
              {t('listing.clear')}
            </Button>
          ) : null}
        </>
      }
    >
      {t(active.length === 1 ? 'staff:filters.nothingForOne' : 'staff:filters.nothingForAll')}
    </EmptyState>
  );
}

interface DensitySwitchProps {
  density: Density;
  onChange: (density: Density) => void;
}

/** Switches between rows of 48 and 36 px. */
function DensitySwitch({ density, onChange }: DensitySwitchProps) {
  const { t } = useTranslation('staff');
  const isCompact = density === 'compact';
  return (
    <Button
      variant="quiet"
      size="sm"
      aria-pressed={isCompact}
      icon={isCompact ? <Rows4 aria-hidden size={18} /> : <Rows3 aria-hidden size={18} />}
      onPress={() => onChange(isCompact ? 'comfortable' : 'compact')}
    >
      {t('list.compact')}
    </Button>
  );
}

const densityKey = 'requests-density';

/** The height of the rows, stored in this browser. */
function useDensity() {
  const [density, setDensity] = useState<Density>(
    () => densities.find((each) => each === loadItem('local', densityKey)) ?? 'comfortable',
  );
  return [
    density,
    (chosen: Density) => {
      storeItem('local', densityKey, chosen);
      setDensity(chosen);
    },
  ] as const;
}
