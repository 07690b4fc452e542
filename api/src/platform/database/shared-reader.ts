import { setImmediate as endOfTurn } from 'node:timers/promises';

// More keys than this are read by several statements.
const maximumKeys = 500;

/**
 * Makes a function that reads what belongs to a key. Keys that are asked for in one turn of the event
 * loop are read by one call of `read`, which returns the results in their order. It begins after the
 * last of them was asked for, so that each result is as new as if it were read alone.
 */
export function openSharedReader<Key, Result>(
  read: (keys: readonly Key[]) => Promise<readonly Result[]>,
): (key: Key) => Promise<Result> {
  let next: { keys: Key[]; results: Promise<readonly Result[]> } | undefined;

  function begin() {
    const keys: Key[] = [];
    const results = endOfTurn().then(() => {
      if (next?.keys === keys) next = undefined;
      return read(keys);
    });
    return { keys, results };
  }

  return async (key) => {
    if (!next || next.keys.length === maximumKeys) next = begin();
    const index = next.keys.push(key) - 1;
    return (await next.results)[index] as Result;
  };
}
