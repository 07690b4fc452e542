import type { Database, Transaction } from '../database.ts';
import { acquireNamedLock } from '../named-lock.ts';
import { sql } from '../sql.ts';
import { inTransaction } from '../unit-of-work.ts';

/**
 * A change of so many rows that one statement would stop the product. Recipe: docs/recipes.md, "Change
 * a table while the product runs".
 */
export interface LongChange {
  /** Its row in `long_changes`; never used for another change. */
  name: string;
  /**
   * Changes the next rows after a position, at most some hundred, and returns the position of the last
   * one; undefined where there are none. `after` is undefined at the begin.
   */
  step(transaction: Transaction, after: string | undefined): Promise<string | undefined>;
}

/** Those of this release. A later one deletes them, when no older release can be upgraded to it. */
const longChanges: readonly LongChange[] = [];

async function doStep(database: Database, { name, step }: LongChange): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    // One process at a time; the next one goes on where this one has ended, or was killed.
    await acquireNamedLock(transaction, `long change ${name}`);
    const { rows } = await sql<{ position: string | null; is_finished: boolean }>`
      select position, finished_at is not null as is_finished
      from long_changes
      where name = ${name}`.execute(transaction);
    const [known] = rows;
    if (known?.is_finished) return true;
    const position = await step(transaction, known?.position ?? undefined);
    const isFinished = position === undefined;
    await sql`
      insert into long_changes (name, position, finished_at)
      values (${name}, ${position ?? null}, case when ${isFinished} then now() end)
      on conflict (name) do update set
        position = coalesce(excluded.position, long_changes.position),
        finished_at = excluded.finished_at`.execute(transaction);
    return isFinished;
  });
}

/**
 * Goes on with changes for some time, in transactions that hold their locks for milliseconds. It
 * continues after the position that was stored with the rows. Returns whether all are finished.
 */
export async function continueLongChanges(
  database: Database,
  changes = longChanges,
  milliseconds = 1000,
): Promise<boolean> {
  const until = performance.now() + milliseconds;
  for (const change of changes)
    for (let isFinished = false; !isFinished;) {
      if (performance.now() > until) return false;
      isFinished = await doStep(database, change);
    }
  return true;
}
