import { setImmediate as endOfTurn } from 'node:timers/promises';
import { runOutsideCall } from './calls/call-connection.ts';

// More keys than this take several statements.
const maximumKeys = 500;
// Further keys wait for the end of one of them. Under load a few large statements cost much less
// than many small ones.
const maximumUnderWay = 2;

/**
 * Makes a function that runs a statement for a key, such as the id of a row to read or to change. Keys
 * that are given in one turn of the event loop, or while two calls of `run` are under way, are done by
 * one call of `run`, which returns the results in their order. It begins after the last of them was
 * given, so that each result is as new as if the statement had run for it alone.
 */
export function openSharedStatement<Key, Result>(
  run: (keys: readonly Key[]) => Promise<readonly Result[]>,
): (key: Key) => Promise<Result> {
  let next: { keys: Key[]; results: Promise<readonly Result[]> } | undefined;
  let underWay = 0;
  const waiting: (() => void)[] = [];

  async function runTogether(keys: readonly Key[]): Promise<readonly Result[]> {
    await endOfTurn();
    if (underWay === maximumUnderWay) await new Promise<void>((resolve) => waiting.push(resolve));
    else underWay += 1;
    if (next?.keys === keys) next = undefined;
    try {
      return await run(keys);
    } finally {
      const begin = waiting.shift();
      if (begin) begin();
      else underWay -= 1;
    }
  }

  return async (key) => {
    if (!next || next.keys.length === maximumKeys) {
      const keys: Key[] = [];
      // Of one call its transaction would take the keys of all.
      next = { keys, results: runOutsideCall(() => runTogether(keys)) };
    }
    const index = next.keys.push(key) - 1;
    return (await next.results)[index] as Result;
  };
}
