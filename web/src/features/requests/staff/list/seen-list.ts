import { loadJson, storeItem } from '#lib/browser/storage.ts';

/**
 * A list in the order in which the user saw it, so that the next request can be found even when the
 * current one has left the list. Stored in the browser.
 */
interface SeenList {
  /** The address of the list, with its filters. */
  address: string;
  numbers: readonly string[];
  /** The request that was opened last. */
  opened?: string;
}

const key = 'requests-list';
const maximumStored = 500;

export function loadSeenList(address: string): SeenList {
  const stored = loadJson('session', key) as Partial<SeenList> | undefined;
  return stored?.address === address && Array.isArray(stored.numbers)
    ? (stored as SeenList)
    : { address, numbers: [] };
}

export function storeSeenList(list: SeenList): void {
  storeItem(
    'session',
    key,
    JSON.stringify({ ...list, numbers: list.numbers.slice(-maximumStored) }),
  );
}

/**
 * The first request after the current one that is still in the list; otherwise the first one that
 * the user has not seen. Undefined at the end of the list.
 */
export function findNextRequest(
  seen: readonly string[],
  current: string,
  latest: readonly string[],
): string | undefined {
  const seenIndex = seen.indexOf(current);
  const next =
    seenIndex < 0 ? undefined : seen.slice(seenIndex + 1).find((number) => latest.includes(number));
  if (next !== undefined) return next;
  const index = latest.indexOf(current);
  // The user has not seen the list, for example after opening a copied address.
  if (seenIndex < 0)
    return index < 0 ? latest.find((number) => number !== current) : latest[index + 1];
  return latest.find((number) => !seen.includes(number));
}

/**
 * The request before the current one, even when it has left the list. Undefined at the beginning of
 * the list.
 */
export function findPreviousRequest(seen: readonly string[], current: string): string | undefined {
  return seen[seen.indexOf(current) - 1];
}
