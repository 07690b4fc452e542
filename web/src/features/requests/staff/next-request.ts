import { recallJson, remember } from '../../../lib/browser-memory.ts';

/** The order in which a list was seen, so that the next request is the one below, whatever has become of this one. */
export interface SeenList {
  /** The address of the list, with its filters. */
  address: string;
  numbers: readonly string[];
}

const key = 'requests-list';
const most = 500;

function read(): SeenList | undefined {
  const kept = recallJson('session', key) as Partial<SeenList> | undefined;
  return typeof kept?.address === 'string' && Array.isArray(kept.numbers) ? (kept as SeenList) : undefined;
}

export function seenList(address: string): readonly string[] {
  const kept = read();
  return kept?.address === address ? kept.numbers : [];
}

export function keepSeenList(list: SeenList): void {
  remember('session', key, JSON.stringify({ ...list, numbers: list.numbers.slice(-most) }));
}

/** The first below the current one that the list still holds; then what has come up since. Undefined at the end. */
export function nextIn(seen: readonly string[], current: string, now: readonly string[]): string | undefined {
  const place = seen.indexOf(current);
  const below = place < 0 ? undefined : seen.slice(place + 1).find((number) => now.includes(number));
  if (below !== undefined) return below;
  const here = now.indexOf(current);
  // A list that was never seen, such as after a copied address, is taken as it is now.
  if (place < 0) return here < 0 ? now.find((number) => number !== current) : now[here + 1];
  return now.find((number) => !seen.includes(number));
}
