import { recallJson, remember } from '../../../lib/browser/browser-memory.ts';

/**
 * The order in which a list was seen, so that the next request is the one below, whatever has
 * become of this one.
 */
export interface SeenList {
  /** The address of the list, with its filters. */
  address: string;
  numbers: readonly string[];
  /** The request that was opened last. */
  opened?: string;
}

const key = 'requests-list';
const most = 500;

export function seenList(address: string): SeenList {
  const kept = recallJson('session', key) as Partial<SeenList> | undefined;
  return kept?.address === address && Array.isArray(kept.numbers)
    ? (kept as SeenList)
    : { address, numbers: [] };
}

export function keepSeenList(list: SeenList): void {
  remember('session', key, JSON.stringify({ ...list, numbers: list.numbers.slice(-most) }));
}

/**
 * The first below the current one that the list still holds; then what has come up since. Undefined
 * at the end.
 */
export function nextIn(
  seen: readonly string[],
  current: string,
  now: readonly string[],
): string | undefined {
  const place = seen.indexOf(current);
  const below =
    place < 0 ? undefined : seen.slice(place + 1).find((number) => now.includes(number));
  if (below !== undefined) return below;
  const here = now.indexOf(current);
  // A list that was never seen, such as after a copied address, is taken as it is now.
  if (place < 0) return here < 0 ? now.find((number) => number !== current) : now[here + 1];
  return now.find((number) => !seen.includes(number));
}

/**
 * The one above, also when it has left the list: whoever goes back wants what they had in hand
 * before. Undefined at the beginning of what was seen.
 */
export function previousIn(seen: readonly string[], current: string): string | undefined {
  return seen[seen.indexOf(current) - 1];
}
