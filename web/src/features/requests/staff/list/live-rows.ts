import { useState } from 'react';
import type { RequestSummary } from '@diwan/contract/requests/requests';

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
 * its rows at once. `isSettled`: the reply is not about to be replaced.
 */
export function useLiveRows(
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
