import { useState } from 'react';
import type { ListFilters } from '#features/requests/data/list-filters.ts';
import type { RequestSummary } from '@diwan/contract/requests/requests';
import type { ListOrder } from '@diwan/contract/requests/saved-filters';
import { useListLastViewed, useSeenUpdates } from './last-viewed.ts';
import type { StaffListName } from './staff-lists.ts';

/** How a row differs from what the user saw first. `left`: it is no longer in the list. */
export type RowChange = 'unseen' | 'changed' | 'left';

interface LiveRows {
  rows: readonly RequestSummary[];
  changes: ReadonlyMap<number, RowChange>;
  /** How many requests of the latest reply are not shown yet. */
  added: number;
}

const isSame = (one: RequestSummary, other: RequestSummary) =>
  one.version === other.version && one.updatedAt === other.updatedAt;

/**
 * The rows that are shown, each in its place and in its latest state. Rows that left the list stay,
 * without actions; new ones wait until the user asks for them.
 */
function mergeRows(shown: readonly RequestSummary[], latest: readonly RequestSummary[]): LiveRows {
  const byId = new Map(latest.map((request) => [request.requestId, request]));
  const changes = new Map<number, RowChange>();
  const rows = shown.map((request) => {
    const now = byId.get(request.requestId);
    byId.delete(request.requestId);
    if (now && isSame(request, now)) return now;
    changes.set(request.requestId, now ? 'changed' : 'left');
    return now ?? { ...request, allowedActions: [] };
  });
  return { rows, changes, added: byId.size };
}

interface ShownRows {
  key: string;
  items: readonly RequestSummary[];
  /** Those that the user asked for, which are marked. */
  asked: ReadonlySet<number>;
  /** Replies that are shown as they are: all until the first one is complete, or the next one. */
  accepts: 'first' | 'next' | undefined;
}

const none: ReadonlySet<number> = new Set();

/**
 * A page of a list that changes while somebody reads it. `key` names the query; another one shows
 * its rows immediately. `isSettled`: the reply is not about to be replaced.
 */
function useLiveRows(
  key: string,
  items: readonly RequestSummary[],
  isSettled: boolean,
): LiveRows & {
  show: () => void;
  /** The user acted on the rows: the list now, and after the next reply, is shown as it is. */
  acceptNext: () => void;
} {
  const [shown, setShown] = useState<ShownRows>({ key, items, asked: none, accepts: 'first' });
  const isReplaced = shown.items !== items;
  if (shown.key !== key) setShown({ key, items, asked: none, accepts: 'first' });
  else if (isReplaced && (shown.accepts !== undefined || shown.items.length === 0))
    setShown({ key, items, asked: none, accepts: isSettled ? undefined : shown.accepts });
  else if (shown.accepts === 'first' && isSettled && items.length > 0)
    setShown({ ...shown, accepts: undefined });
  const { rows, changes, added } = mergeRows(shown.items, items);
  return {
    rows,
    changes: new Map([...[...shown.asked].map((id) => [id, 'unseen'] as const), ...changes]),
    added,
    show() {
      const before = new Set(shown.items.map(({ requestId }) => requestId));
      const asked = items.filter(({ requestId }) => !before.has(requestId));
      setShown({
        key,
        items,
        asked: new Set(asked.map(({ requestId }) => requestId)),
        accepts: undefined,
      });
    },
    acceptNext: () => setShown({ key, items, asked: none, accepts: 'next' }),
  };
}

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

const noRequests: readonly RequestSummary[] = [];

interface ListReply {
  data: { items: readonly RequestSummary[] } | undefined;
  isLoading: boolean;
}

/** The rows as they are shown: live ones, with those that the user has just received. */
export function useShownRows(
  list: StaffListName,
  filters: ListFilters,
  { data, isLoading }: ListReply,
) {
  const [received, setReceived] = useState<readonly RequestSummary[]>([]);
  const live = useLiveRows(JSON.stringify(filters), data?.items ?? noRequests, !isLoading);
  const { isReceived, isUnseen, changeOf } = useRequestChanges(list, received, live.changes);
  const rows = withReceived(
    live.rows.filter((row) => !isReceived(row) || live.changes.get(row.requestId) !== 'left'),
    received,
    filters.sort,
  );
  return {
    live,
    rows,
    changeOf,
    /** How many arrived since the user last viewed the list. */
    unseen: rows.filter(isUnseen).length,
    received,
    addReceived: (request: RequestSummary) => setReceived((all) => [...all, request]),
    removeReceived: ({ requestId }: RequestSummary) =>
      setReceived((all) => all.filter((each) => each.requestId !== requestId)),
    clearReceived: () => setReceived([]),
  };
}
