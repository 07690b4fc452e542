import {
  CompiledQuery,
  DummyDriver,
  PostgresDialect,
  Transaction as KyselyTransaction,
  type ConnectionProvider,
  type DatabaseConnection,
  type OperationNodeSource,
  type QueryExecutor,
} from 'kysely';
import {
  findOpenCall,
  runInCall,
  runOutsideCall,
  type CallConnection,
} from './calls/call-connection.ts';
import { readPrimary } from './calls/standby.ts';
import { isDeadlock } from './database-failures.ts';
import type { Database, Transaction } from './database.ts';
import type { Tables } from './schema.generated.ts';
import { combineWrites, sql } from './sql.ts';

/** A query that is sent with others: it executes one statement, or none, by `part`. */
export type Query<Result = unknown> = (part: Transaction) => Promise<Result>;
type Queries = Readonly<Record<string, Query>>;
/** What each of the queries returns, by their names. */
type ResultsOf<Named extends Queries> = {
  [Name in keyof Named]: Awaited<ReturnType<Named[Name]>>;
};

// Kysely needs these to open transactions, which a unit of work does itself.
const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error('not a pool')) });
const unused = { config: { dialect }, dialect, driver: new DummyDriver() };

/** The connection of one query. Another statement would take another round trip, and run too late. */
function forOneStatement(connection: DatabaseConnection): DatabaseConnection {
  let isUsed = false;
  return {
    executeQuery(query) {
      if (isUsed)
        return Promise.reject(new Error(`A query executes one statement, not also: ${query.sql}`));
      isUsed = true;
      return connection.executeQuery(query);
    },
    streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
  };
}

/**
 * Sends queries over one connection without waiting between them: one round trip. PostgreSQL runs
 * them in their order. Throws the first error, after all have ended. Sends no commit when one could
 * not be sent: PostgreSQL does not know of it.
 */
async function sendAll(
  executor: QueryExecutor,
  connection: DatabaseConnection,
  queries: readonly Query[],
  commits: boolean,
): Promise<unknown[]> {
  const results: Promise<unknown>[] = [];
  let hasFailed = false;
  for (const query of queries) {
    const own = forOneStatement(connection);
    await new Promise<void>((resolve) => {
      const provider: ConnectionProvider = {
        async provideConnection(consumer) {
          const result = consumer(own);
          resolve();
          return result;
        },
      };
      const part = new KyselyTransaction<Tables>({
        ...unused,
        executor: executor.withConnectionProvider(provider),
      });
      const result = query(part);
      results.push(result);
      result.then(
        () => resolve(),
        () => {
          hasFailed = true;
          resolve();
        },
      );
    });
  }
  if (commits) {
    // What could not be sent has failed by now.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    if (!hasFailed) results.push(connection.executeQuery(CompiledQuery.raw('commit')));
  }
  const settled = await Promise.allSettled(results);
  const failed = settled.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  return (await Promise.all(results)).slice(0, queries.length);
}

/** Sends named queries together, in one round trip, and returns their results by their names. */
export function sendTogether<const Named extends Queries>(
  database: Database | Transaction,
  queries: Named,
): Promise<ResultsOf<Named>> {
  const executor = database.getExecutor();
  return executor.provideConnection(async (connection) =>
    named(queries, await sendAll(executor, connection, Object.values(queries), false)),
  );
}

const named = <Named extends Queries>(
  queries: Named,
  results: readonly unknown[],
): ResultsOf<Named> =>
  Object.fromEntries(
    Object.keys(queries).map((name, index) => [name, results[index]]),
  ) as ResultsOf<Named>;

// A part of the transaction of a call is undone alone when it fails, as a transaction would be.
const savepoint = CompiledQuery.raw('savepoint part');
const releaseSavepoint = CompiledQuery.raw('release savepoint part');
const toSavepoint = CompiledQuery.raw('rollback to savepoint part');

const beginSnapshot = 'begin isolation level repeatable read';

/** The connection of a transaction and what waits for its end. */
class Work implements ConnectionProvider, CallConnection {
  readonly database: Database;
  readonly #base: QueryExecutor;
  readonly executor: QueryExecutor;
  readonly afterCommit: (() => unknown)[] = [];
  waiting: Query[] = [];
  // The begins and ends of parts among them.
  readonly #bounds = new Map<Query, CompiledQuery>();
  isCommitted = false;
  #connection: DatabaseConnection | undefined;
  #release: (() => void) | undefined;
  #last: Promise<unknown> = Promise.resolve();

  readonly #begin: string;

  constructor(database: Database, begin: string) {
    this.database = database;
    this.#begin = begin;
    this.#base = database.getExecutor();
    this.executor = this.#base.withConnectionProvider(this);
  }

  // What waits is sent before any other statement, which may read it. One consumer at a time.
  provideConnection<Result>(
    consumer: (connection: DatabaseConnection) => Promise<Result>,
  ): Promise<Result> {
    const run = async () => {
      if (this.isCommitted) throw new Error('A statement comes after the commit');
      const connection = await this.#open();
      const waiting = this.waiting.splice(0);
      const bounds = this.#onlyBounds(waiting);
      // They go with the statement, which fails too where they do.
      if (bounds) for (const bound of bounds) connection.executeQuery(bound).catch(() => undefined);
      else await sendAll(this.#base, connection, waiting, false);
      return consumer(connection);
    };
    const result = this.#last.then(run);
    this.#last = result.catch(() => undefined);
    return result;
  }

  get isOpen(): boolean {
    return !this.isCommitted;
  }

  take(): Promise<DatabaseConnection> {
    return this.provideConnection((connection) => Promise.resolve(connection));
  }

  #addBound(statement: CompiledQuery): Query {
    const bound: Query = (part) => part.executeQuery(statement);
    this.#bounds.set(bound, statement);
    this.waiting.push(bound);
    return bound;
  }

  /** The bounds of parts, where the queries are nothing else. */
  #onlyBounds(queries: readonly Query[]): CompiledQuery[] | undefined {
    const bounds = queries.flatMap((query) => this.#bounds.get(query) ?? []);
    return bounds.length === queries.length ? bounds : undefined;
  }

  /** Does `work` as a part of the transaction of a call. */
  async runPart<Result>(work: (unit: UnitOfWork) => Promise<Result>): Promise<Result> {
    const announced = this.afterCommit.length;
    const begin = this.#addBound(savepoint);
    try {
      const result = await work(new UnitOfWork(this, false));
      await this.#last;
      // What is wrong with them is found here, as at the commit of a transaction.
      if (!this.#onlyBounds(this.waiting)) await this.sendNow([]);
      const index = this.waiting.indexOf(begin);
      if (index < 0) this.#addBound(releaseSavepoint);
      else this.waiting.splice(index, 1);
      return result;
    } catch (error) {
      await this.#last;
      this.afterCommit.splice(announced);
      const index = this.waiting.indexOf(begin);
      this.waiting.splice(Math.max(index, 0));
      if (index < 0)
        for (const statement of [toSavepoint, releaseSavepoint])
          await this.#connection?.executeQuery(statement).catch(() => undefined);
      throw error;
    }
  }

  /** Sends what was collected and then these queries, in one round trip. */
  async sendNow(queries: readonly Query[]): Promise<unknown[]> {
    const collected = this.waiting.splice(0);
    const results = await this.provideConnection((connection) =>
      sendAll(this.#base, connection, [...collected, ...queries], false),
    );
    return results.slice(collected.length);
  }

  // `begin` is sent with the first statement.
  async #open(): Promise<DatabaseConnection> {
    if (this.#connection) return this.#connection;
    const connection = await new Promise<DatabaseConnection>((resolve, reject) => {
      const take = () =>
        this.#base.provideConnection(
          (given) =>
            new Promise<void>((release) => {
              this.#release = release;
              resolve(given);
            }),
        );
      // The call would lend the connection that is opened here. Only a snapshot writes nothing.
      const isSnapshot = this.#begin === beginSnapshot;
      runOutsideCall(isSnapshot ? take : () => readPrimary(take)).catch(reject);
    });
    this.#connection = connection;
    await connection.executeQuery(CompiledQuery.raw(this.#begin));
    return connection;
  }

  /** Sends what waits and these queries with the commit. */
  async commit(queries: readonly Query[]): Promise<unknown[]> {
    await this.#last;
    if (this.isCommitted) throw new Error('A transaction commits once');
    this.isCommitted = true;
    const all = [...this.waiting.splice(0).filter((query) => !this.#bounds.has(query)), ...queries];
    if (all.length === 0 && !this.#connection) return [];
    if (all.length === 1 && !this.#connection) {
      // One statement is a transaction by itself.
      const results = await this.#base.provideConnection((connection) =>
        sendAll(this.#base, connection, all, false),
      );
      return results.slice(-queries.length);
    }
    const results = await sendAll(this.#base, await this.#open(), all, true);
    return results.slice(all.length - queries.length);
  }

  async rollBack(): Promise<void> {
    await this.#last;
    // A connection that is lost is refused; PostgreSQL ends its transaction.
    await this.#connection?.executeQuery(CompiledQuery.raw('rollback')).catch(() => undefined);
  }

  release(): void {
    this.#release?.();
  }
}

/**
 * A transaction that collects what is to be written and sends it with the commit, in one round trip.
 * It takes a connection when the first statement is sent.
 */
export class UnitOfWork extends KyselyTransaction<Tables> {
  readonly #work: Work;
  readonly #isOutermost: boolean;

  constructor(work: Work, isOutermost: boolean) {
    super({ ...unused, executor: work.executor });
    this.#work = work;
    this.#isOutermost = isOutermost;
  }

  /** Sends named queries now, together, and returns their results. */
  send<const Named extends Queries>(queries: Named): Promise<ResultsOf<Named>> {
    return sendTogether(this, queries);
  }

  /** Collects queries. They are sent with the commit, or before the next statement. */
  add(...queries: readonly Query[]): void {
    this.#work.waiting.push(...queries);
  }

  /** Collects writes that are one statement: see `combineWrites`. */
  write(writes: Readonly<Record<string, OperationNodeSource | undefined>>): void {
    this.add((part) => sql`${combineWrites(writes)} select`.execute(part));
  }

  /**
   * Sends what was collected and then these queries, with the commit, and returns the results of the
   * queries. Nothing can be refused or undone after it. Within another unit of work it sends all
   * but the commit.
   */
  async commit<const Named extends Queries>(queries: Named): Promise<ResultsOf<Named>> {
    if (!this.#isOutermost) return named(queries, await this.#work.sendNow(Object.values(queries)));
    return named(queries, await this.#work.commit(Object.values(queries)));
  }

  /** Runs after the commit, such as an announcement; never when the work is undone. */
  afterCommit(run: () => unknown): void {
    this.#work.afterCommit.push(run);
  }

  /** Runs as a part of this unit of work: it ends with this one. */
  runPart<Result>(work: (unit: UnitOfWork) => Promise<Result>): Promise<Result> {
    return work(new UnitOfWork(this.#work, false));
  }
}

/**
 * Does `work` in a transaction, the only way to begin one. It commits when `work` returns, at the
 * latest, and is undone when `work` throws. Where `database` is a unit of work, `work` is a part of
 * that one; in a call with a key it is a part of the transaction of the call.
 */
export async function inTransaction<Result>(
  database: Database,
  work: (unit: UnitOfWork) => Promise<Result>,
): Promise<Result> {
  if (database instanceof UnitOfWork) return database.runPart(work);
  const call = findOpenCall(database);
  return call instanceof Work ? call.runPart(work) : doWork(database, 'begin', work);
}

/**
 * Does a whole call in one transaction: all that `work` asks of `database`, in transactions of its own
 * or not. What `last` makes of the result is sent with the commit. What reads committed data anew
 * comes after it (`afterCall`).
 */
export async function inCallTransaction<Result>(
  database: Database,
  work: () => Promise<Result>,
  last: (result: Result) => Query,
): Promise<Result> {
  const whole = new Work(database, 'begin');
  try {
    const result = await runInCall(whole, work);
    await whole.commit([last(result)]);
    for (const run of whole.afterCommit) await run();
    return result;
  } catch (error) {
    whole.isCommitted = true;
    await whole.rollBack();
    throw error;
  } finally {
    whole.release();
  }
}

/**
 * Does `work` like `inTransaction`, at most three times: again where PostgreSQL ended it because of a
 * deadlock. For work that nobody repeats. What it does outside of the database may happen again.
 */
export async function inRepeatableTransaction<Result>(
  database: Database,
  work: (unit: UnitOfWork) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await inTransaction(database, work);
    } catch (error) {
      if (attempt === 3 || !isDeadlock(error)) throw error;
    }
}

/**
 * Does `work` like `inTransaction`, and all its reads see the database as it is at the first; never
 * as a part of another transaction.
 */
export const inSnapshot = <Result>(
  database: Database,
  work: (unit: UnitOfWork) => Promise<Result>,
): Promise<Result> => runOutsideCall(() => doWork(database, beginSnapshot, work));

async function doWork<Result>(
  database: Database,
  begin: string,
  work: (unit: UnitOfWork) => Promise<Result>,
): Promise<Result> {
  const whole = new Work(database, begin);
  try {
    const result = await work(new UnitOfWork(whole, true));
    if (!whole.isCommitted) await whole.commit([]);
    for (const run of whole.afterCommit) run();
    return result;
  } catch (error) {
    await whole.rollBack();
    throw error;
  } finally {
    whole.release();
  }
}
