import { AsyncLocalStorage } from 'node:async_hooks';
import type { DatabaseConnection, Kysely } from 'kysely';
import type { Tables } from '../schema.generated.ts';
import { sql } from '../sql.ts';

const lagging = new AsyncLocalStorage<boolean>();

/**
 * Runs `work`, whose statements may read a standby that lags behind by seconds. Its transactions go to
 * the primary, except for snapshots, which only read.
 */
export const readStandby = <Result>(work: () => Result): Result => lagging.run(true, work);

/** Runs `work` on the primary. */
export const readPrimary = <Result>(work: () => Result): Result => lagging.run(false, work);

const checkEveryMs = 1000;

/** A standby, and by how many seconds it may lag. */
export interface StandbyOptions {
  database: Kysely<Tables>;
  maximumLagSeconds: number;
}

// Without new changes the last one that was applied gets older, and nothing lags.
const readLag = async (database: Kysely<Tables>) =>
  (
    await sql<{ lag: number | null }>`
      select case
        when not pg_is_in_recovery() then 0
        when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
        else extract(epoch from now() - pg_last_xact_replay_timestamp())::float
      end as lag`.execute(database)
  ).rows[0]?.lag;

/** Connections of a standby, for code that may read one. */
export class StandbyConnections {
  readonly #standby: StandbyOptions | undefined;
  readonly #ends = new WeakMap<DatabaseConnection, () => void>();
  #checkedAt = -Infinity;
  #isUsable = Promise.resolve(false);

  constructor(standby: StandbyOptions | undefined) {
    this.#standby = standby;
  }

  // Asked once a second.
  #check({ database, maximumLagSeconds }: StandbyOptions): Promise<boolean> {
    if (performance.now() - this.#checkedAt < checkEveryMs) return this.#isUsable;
    this.#checkedAt = performance.now();
    this.#isUsable = readLag(database).then(
      (lag) => (lag ?? Infinity) <= maximumLagSeconds,
      () => false,
    );
    return this.#isUsable;
  }

  /** A connection; undefined where the primary has to answer. */
  async borrow(): Promise<DatabaseConnection | undefined> {
    const standby = this.#standby;
    if (lagging.getStore() !== true) return undefined;
    if (!standby || !(await this.#check(standby))) return undefined;
    return new Promise<DatabaseConnection | undefined>((resolve) => {
      const hold = (given: DatabaseConnection) =>
        new Promise<void>((end) => {
          this.#ends.set(given, end);
          resolve(given);
        });
      standby.database
        .getExecutor()
        .provideConnection(hold)
        .catch(() => resolve(undefined));
    });
  }

  /** Whether the connection was borrowed, which ends with this. */
  end(connection: DatabaseConnection): boolean {
    const end = this.#ends.get(connection);
    end?.();
    return end !== undefined;
  }
}
