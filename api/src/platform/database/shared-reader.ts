import { setImmediate as endOfTurn } from 'node:timers/promises';

// More keys than this are read by several statements.
const maximumKeys = 500;
// Further keys wait for the end of one of them. Under load a few large statements cost much less
// than many small ones.
const maximumUnderWay = 2;

/**
 * Makes a function that reads what belongs to a key. Keys that are asked for in one turn of the event
 * loop, or while two calls of `read` are under way, are read by one call of `read`, which returns the
 * results in their order. It begins after the last of them was asked for, so that each result is as
 * new as if it were read alone.
 */
export function openSharedReader<Key, Result>(
  read: (keys: readonly Key[]) => Promise<readonly Result[]>,
): (key: Key) => Promise<Result> {
  let next: { keys: Key[]; results: Promise<readonly Result[]> } | undefined;
  let underWay = 0;
  const waiting: (() => void)[] = [];

  async function readTogether(keys: readonly Key[]): Promise<readonly Result[]> {
    await endOfTurn();
    if (underWay === maximumUnderWay) await new Promise<void>((resolve) => waiting.push(resolve));
    else underWay += 1;
    if (next?.keys === keys) next = undefined;
    try {
      return await read(keys);
    } finally {
      const begin = waiting.shift();
      if (begin) begin();
      else underWay -= 1;
    }
  }

  return async (key) => {
    if (!next || next.keys.length === maximumKeys) {
      const keys: Key[] = [];
      next = { keys, results: readTogether(keys) };
    }
    const index = next.keys.push(key) - 1;
    return (await next.results)[index] as Result;
  };
}
