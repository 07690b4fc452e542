import { ConfigError } from '#config.ts';
import { openDatabase, type Database, type Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { withRunningDatabase } from '#platform/embedded-postgres/running-database.ts';
import * as store from './mark-restored.store.ts';

/** What is known of the database of before the restore. */
interface Former {
  /** By their series. */
  lastNumbers: ReadonlyMap<string, number>;
  lastRequestId: number;
  selectMessages(ids: readonly string[]): ReturnType<typeof store.selectMessages>;
}

/** What was changed so that nothing is sent or given twice. */
export interface MarkedRestore {
  restoredTo: Date;
  /** Messages that an admin sends or discards. */
  paused: number;
  /** Messages that the former database knows as ended. */
  ended: number;
  skipped: { series: string; first: number; last: number }[];
}

const dayMs = 86_400_000;

/**
 * How many numbers may have been given in the time that was lost: twice what the busiest day took,
 * for each day that began.
 */
const margin = (busiest: number, restoredTo: Date, now: Date) =>
  10 + 2 * busiest * Math.max(1, Math.ceil((now.getTime() - restoredTo.getTime()) / dayMs));

async function endKnownMessages(
  transaction: Transaction,
  former: Former,
  ids: readonly string[],
): Promise<number> {
  let ended = 0;
  for (let from = 0; from < ids.length; from += 1000) {
    const found = await former.selectMessages(ids.slice(from, from + 1000));
    const known = found.filter(({ state }) => ['sent', 'givenUp', 'failed'].includes(state));
    if (known.length > 0) await store.copyStates(transaction, known);
    ended += known.length;
  }
  return ended;
}

async function skipNumbers(
  transaction: Transaction,
  { id, restoredTo }: { id: number; restoredTo: Date },
  former: Former | undefined,
): Promise<MarkedRestore['skipped']> {
  const own = new Map(
    (await store.selectCounters(transaction)).map((each) => [each.series, each.last_sequence]),
  );
  const now = new Date();
  const busiest = new Map(
    (await store.countBusiestDays(transaction)).map(({ series, count }) => [series, count]),
  );
  const wanted =
    former?.lastNumbers ??
    new Map(
      [...own].map(([series, last]) => [
        series,
        last + margin(busiest.get(series) ?? 0, restoredTo, now),
      ]),
    );
  const skipped = [...wanted]
    .map(([series, last]) => ({ series, first: (own.get(series) ?? 0) + 1, last }))
    .filter(({ first, last }) => last >= first);
  for (const numbers of skipped) await store.skipNumbers(transaction, id, numbers);
  const lastId = await store.findLastRequestId(transaction);
  const ids = former
    ? former.lastRequestId - lastId
    : margin(await store.countBusiestRequests(transaction), restoredTo, now);
  if (ids > 0) await store.skipRequestIds(transaction, ids);
  return skipped;
}

async function readFormer(database: Database): Promise<Former> {
  const counters = await store.selectCounters(database);
  return {
    lastNumbers: new Map(counters.map((each) => [each.series, each.last_sequence])),
    lastRequestId: await store.findLastRequestId(database),
    selectMessages: (ids) => store.selectMessages(database, ids),
  };
}

/** Opens the database of before the restore: its address, or the folder of an embedded one. */
async function withFormer<Result>(
  given: string,
  use: (former: Former) => Promise<Result>,
): Promise<Result> {
  const isAddress = /^postgres(ql)?:\/\//.test(given);
  const place = isAddress ? { DATABASE_URL: given, DATA_DIR: '' } : { DATA_DIR: given };
  return withRunningDatabase(place, async ({ url }) => {
    const database = openDatabase(url, () => undefined);
    try {
      return await use(await readFormer(database));
    } finally {
      await database.destroy();
    }
  });
}

/**
 * Marks a database as restored to a time, before the product starts: pauses the messages that wait,
 * and skips the numbers that may have been given since. `former` is the database of before the restore, where
 * it can still be read: then both are known exactly. The next start asks the payment providers. Throws a
 * `ConfigError`.
 */
export async function markRestored(
  database: Database,
  restoredTo: Date,
  former?: string,
): Promise<MarkedRestore> {
  if (Number.isNaN(restoredTo.getTime()) || restoredTo > new Date())
    throw new ConfigError('The time of a restore is a past one, such as 2026-11-28T14:03:00+04:00');
  const mark = (known?: Former) =>
    inTransaction(database, async (transaction) => {
      const id = await store.insertRestore(transaction, restoredTo);
      const paused = await store.pauseWaiting(transaction);
      const ended = known ? await endKnownMessages(transaction, known, paused) : 0;
      const skipped = await skipNumbers(transaction, { id, restoredTo }, known);
      return { restoredTo, paused: paused.length - ended, ended, skipped };
    });
  return former === undefined ? mark() : withFormer(former, mark);
}

/** What an operator reads after `markRestored`. */
export const describeMarked = ({ restoredTo, paused, ended, skipped }: MarkedRestore): string[] => [
  `Restored to ${restoredTo.toISOString()}`,
  `${paused} messages are paused until an administrator sends or discards them` +
    (ended > 0 ? `; ${ended} had ended` : ''),
  ...skipped.map(
    ({ series, first, last }) => `${series}: numbers ${first} to ${last} are not given again`,
  ),
  'The next start of the product asks the payment providers about what came after',
];
