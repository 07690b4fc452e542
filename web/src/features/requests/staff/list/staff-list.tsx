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
import { FilterChips } from '#ui/search/filter-chips.tsx';
import type { RequestSummary } from '@diwan/contract/requests/requests';
import { requestReaders, staff } from '@diwan/contract/wire/call';
import { ShortcutList } from '../shortcuts/shortcut-list.tsx';
import { BulkDialog, StaffBulkBar } from './bulk-actions.tsx';
import { requestsAllowing, type BulkAction } from './bulk-run.ts';
import { useLastOpenedRowFocus, useListShortcuts } from './list-shortcuts.ts';
import { useShownRows } from './live-rows.ts';
import { storeSeenList, loadSeenList } from './seen-list.ts';
import { useStaffColumns, type StaffColumnsOptions } from './staff-columns.tsx';
import { SavedFilterChips, useActiveFilters } from './staff-filter-chips.tsx';
import { StaffFilters } from './staff-filters.tsx';
import { statusesOfList, type StaffListName } from './staff-lists.ts';

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

const noStatuses: Status[] = [];

/** The statuses and one page of requests of a list. */
function useStaffRequests(list: StaffListName, filters: ListFilters) {
  const statuses = useStatuses();
  const chosen = statusesOfList(list, statuses.data ?? [], filters.statusId);
  const requests = useRequestList(
    { ...toRequestListQuery(filters), ...chosen, pageSize: staffPageSize },
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
  const { t } = useTranslation('requests');
  const { pathname, search } = useLocation();
  const address = `${pathname}${search}`;
  const totalText = useTotalText();
  const { filters, change, clear, isFiltered } = useListFilters(noStaffFilters);
  const requests = useStaffRequests(list, filters);
  const { statuses, data, isStale } = requests;
  const session = useSession();
  const isClerk = hasRole(session, ...staff);
  const isReader = hasRole(session, ...requestReaders);
  const [density, setDensity] = useDensity();
  const [bulk, setBulk] = useState<{ action: BulkAction; requests: readonly RequestSummary[] }>();
  const shown = useShownRows(list, filters, requests);
  const { live, rows } = shown;
  const selection = useRowSelection(rows, (request) => request.requestId);
  const selected = [...selection.rows.values()].map(
    (request) => rows.find((row) => row.requestId === request.requestId) ?? request,
  );
  const changeFilters: typeof change = (changed) => {
    shown.clearReceived();
    if (!('page' in changed)) selection.clear();
    change(changed);
  };
  const clearFilters = () => {
    shown.clearReceived();
    selection.clear();
    clear();
  };
  const active = useActiveFilters(filters, statuses);
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
    changeMine: () => changeFilters({ isMine: !filters.isMine }),
  });
  return (
    <>
      <div className="flex min-h-12 flex-wrap items-center gap-x-4">
        <h1 className="text-lg">{t(`staff.${list}Title`)}</h1>
        <ListSummary total={data && totalText(data)} unseen={shown.unseen} />
        <NewRows count={live.added} onShow={live.show} />
        <SavedFilterChips list={list} filters={filters} onChange={changeFilters} />
        <span className="ms-auto flex items-center max-lg:hidden">
          <DensitySwitch density={density} onChange={setDensity} />
          <ShortcutList page="list" />
        </span>
      </div>
      <StaffFilters
        key={filters.keyword}
        filters={filters}
        onChange={changeFilters}
        statuses={list === 'all' ? statuses : undefined}
        hasHolder={isReader && list !== 'new'}
        hasRefundFilter={isReader && list === 'all'}
      />
      <div className="pb-2 empty:hidden">
        <FilterChips active={active} onChange={changeFilters} onClear={clearFilters} />
      </div>
      {!data ? (
        <MissingRows requests={requests} />
      ) : rows.length > 0 ? (
        <StaffTable
          list={list}
          filters={filters}
          onSort={(sort) => changeFilters({ sort })}
          shown={shown}
          selection={selection}
          isStale={isStale}
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
            pageNumber={filters.page}
            pageSize={staffPageSize}
            totalCount={data.totalCount}
            onSelect={(page) => changeFilters({ page })}
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

interface StaffTableProps extends Pick<
  StaffColumnsOptions,
  'list' | 'filters' | 'onSort' | 'selection'
> {
  shown: ReturnType<typeof useShownRows>;
  isStale: boolean;
  density: Density;
}

/** The requests, each with what the user can do with it in the list. */
function StaffTable({ shown, isStale, density, ...options }: StaffTableProps) {
  const { t } = useTranslation('requests');
  const { rows, changeOf } = shown;
  const columns = useStaffColumns({
    ...options,
    changeOf,
    received: shown.received,
    onReceived: shown.addReceived,
    onReleased: shown.removeReceived,
  });
  return (
    <DataTable
      caption={t(`staff.${options.list}Title`)}
      columns={columns}
      rows={rows}
      rowKey={(request) => request.requestId}
      isMarked={(request) => changeOf(request) !== undefined}
      isStale={isStale}
      isWide
      density={density}
    />
  );
}

/** Stands for the rows while they are loading, or says why they could not be loaded. */
function MissingRows({ requests }: { requests: ReturnType<typeof useStaffRequests> }) {
  const { t } = useTranslation('requests');
  const { error, isRetrying, retry } = requests;
  return error ? (
    <ErrorState
      error={error}
      title={t('listing.failed')}
      safety={t('listing.safe')}
      onRetry={retry}
      isRetrying={isRetrying}
    />
  ) : (
    <SkeletonRows count={6} />
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
  const { t } = useTranslation(['requests', 'shell', 'staff']);
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
              {t('shell:kit.clearFilters')}
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
