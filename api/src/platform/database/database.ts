import {
  type ExpressionBuilder,
  Kysely,
  type PostgresPool,
  type Transaction as KyselyTransaction,
} from 'kysely';
import pg from 'pg';
import { serverBusy } from '../core/limiter.ts';
import { CallDialect } from './calls/call-driver.ts';
import { WaitBudget } from './calls/wait-budget.ts';
import { streamOf } from './client-stream.ts';
import {
  DatabaseUnavailable,
  findConnectFailure,
  findQueryFailure,
  isQueryTimeout,
  openFailureMonitor,
  type DatabaseFailure,
  type FailureMonitor,
} from './database-failures.ts';
import type { Tables } from './schema.generated.ts';
import { sql } from './sql.ts';
import { openStatementNames, type PreparedStatement } from './statement-names.ts';

export type Database = Kysely<Tables>;
export type Transaction = KyselyTransaction<Tables>;
/** Builds queries that are parts of another one. */
export type QueryBuilder = ExpressionBuilder<Tables, never>;

// Reads bigint as a number: ids, fils and sizes stay far below 2^53. A day stays a text, YYYY-MM-DD: as
// a `Date` it would be a time in the zone of the process.
const parsers = new pg.TypeOverrides();
parsers.setTypeParser(pg.types.builtins.INT8, Number);
parsers.setTypeParser(pg.types.builtins.DATE, (text: string) => text);
// A time such as `2026-03-01 08:30:00.25+04` is an ISO time but for two characters, and V8 reads those
// much faster than the pattern of `pg` does.
const { TIMESTAMPTZ } = pg.types.builtins;
const parseAnyTime = pg.types.getTypeParser(TIMESTAMPTZ) as (text: string) => Date;
parsers.setTypeParser(TIMESTAMPTZ, (text: string) =>
  text[10] === ' ' && '+-'.includes(text[text.length - 3] ?? ' ')
    ? new Date(`${text.slice(0, 10)}T${text.slice(11)}:00`)
    : parseAnyTime(text),
);

/** The limits of a pool. Without them it waits as long as a query takes. */
interface DatabaseLimits {
  /** Connections of this process. */
  connections?: number;
  /** How long a call waits for a connection, in milliseconds. */
  connectMs?: number;
  /**
   * After this time without an answer the connection is destroyed. Waits for the connection and stalls of
   * earlier statements of its user count.
   */
  queryMs?: number;
  /** After this time PostgreSQL ends a statement. */
  statementMs?: number;
  /** After this time PostgreSQL ends a transaction that waits for its client. */
  idleTransactionMs?: number;
  /** Whether statements that are sent again are prepared. */
  prepares?: boolean;
  /** Reads what may lag (calls/standby.ts). */
  standby?: { database: Database; maximumLagSeconds: number };
}

/** Connections in use and idle, and calls that wait for one. */
interface ConnectionCounts {
  busy: number;
  idle: number;
  waiting: number;
}

/**
 * A statement that has ended, heard of where it was sent. `text` has no values; times are those of
 * `performance.now()`.
 */
export interface EndedStatement {
  text: string;
  startedAt: number;
  endedAt: number;
  hasFailed: boolean;
}
type StatementObserver = (statement: EndedStatement) => void;

// What belongs to a `Database` beside its queries.
interface DatabaseParts {
  address: () => string;
  connectMs: number;
  monitor: FailureMonitor;
  /** Since when no connection was given back while calls waited for one. */
  starvedSince(): number | undefined;
  countConnections(): ConnectionCounts;
  observers: Set<StatementObserver>;
  unlimited: Database | undefined;
  standby: DatabaseLimits['standby'];
}

const partsOfDatabases = new WeakMap<Database, DatabaseParts>();

function partsOf(database: Database): DatabaseParts {
  const parts = partsOfDatabases.get(database);
  if (!parts) throw new Error('This database was not opened by openDatabase');
  return parts;
}

// A broken route is noticed although nothing is sent.
const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/**
 * A connection to the database outside of its pool, for `listen`. The caller connects it, handles its
 * errors and ends it.
 */
export function openDedicatedClient(database: Database): pg.Client {
  const { address, connectMs } = partsOf(database);
  return new pg.Client({
    connectionString: address(),
    connectionTimeoutMillis: connectMs,
    query_timeout: 5000,
    application_name: 'diwan listener',
    ...keepAlive,
  });
}

// Space is needed by changes only, and a change of a table would stay in the logs of the server.
const spaceProbe = `
  begin;
  create temporary table space_probe on commit drop as
    select repeat('x', 1000)
    from generate_series(1, 32);
  rollback`;

// Tests the database over a new connection.
async function probeDatabase(
  address: () => string,
  timeoutMs: number,
  failure: DatabaseFailure | undefined,
): Promise<DatabaseUnavailable | undefined> {
  const client = new pg.Client({
    connectionString: address(),
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  client.on('error', () => undefined);
  let isConnected = false;
  try {
    await client.connect();
    isConnected = true;
    const { rows } = await client.query<{ setting: string }>(
      "select current_setting('transaction_read_only') as setting",
    );
    if (rows[0]?.setting === 'on') return new DatabaseUnavailable('readOnly', 'it is read-only');
    if (failure === 'noResources') await client.query(spaceProbe);
    return undefined;
  } catch (error) {
    const found = isConnected ? findQueryFailure(error) : findConnectFailure(error);
    return found && new DatabaseUnavailable(found, error);
  } finally {
    void client.end().catch(() => undefined);
  }
}

const noResult = (command: string): pg.QueryResult => ({
  command,
  rowCount: 0,
  oid: 0,
  fields: [],
  rows: [],
});

/** What the connections of a pool share. */
interface ConnectionOptions {
  monitor: FailureMonitor;
  nameOf: (text: string) => PreparedStatement | undefined;
  queryMs: number | undefined;
  observers: ReadonlySet<StatementObserver>;
}

/**
 * A connection of the pool. After a failure that leaves its state unknown it refuses all further
 * queries, and `release` destroys it.
 */
class GuardedConnection {
  readonly #client: pg.PoolClient;
  readonly #options: ConnectionOptions;
  readonly #budget = new WaitBudget();
  // `undefined` when it is not known.
  #hasOnePlan: boolean | undefined = false;
  /** As `#hasOnePlan`, before the transaction. */
  #hadOnePlan: boolean | undefined = false;
  #broken: DatabaseUnavailable | undefined;
  #isBeginPending = false;
  #isCorked = false;

  constructor(client: pg.PoolClient, options: ConnectionOptions) {
    this.#client = client;
    this.#options = options;
  }

  /** Begins to serve a user who has waited for it. */
  lend(waitedMs: number): this {
    this.#budget.begin(waitedMs);
    return this;
  }

  /**
   * Sends a statement immediately, also while others run. `begin` goes with the first statement of
   * its transaction.
   */
  async query(text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    if (this.#broken) throw this.#broken;
    const wasBeginPending = this.#isBeginPending;
    this.#isBeginPending = text === 'begin';
    if (this.#isBeginPending) {
      this.#hadOnePlan = this.#hasOnePlan;
      return noResult('BEGIN');
    }
    // It takes the settings of its transaction back.
    if (text === 'rollback') this.#hasOnePlan = this.#hadOnePlan;
    else if (text.startsWith('rollback to')) this.#hasOnePlan = undefined;
    const isEnd = text === 'commit' || text === 'rollback';
    if (isEnd && wasBeginPending) return noResult(text.toUpperCase());
    this.#cork();
    const begun = wasBeginPending ? this.#send('begin', []) : undefined;
    const sent = this.#send(text, parameters);
    // A lost connection rejects both.
    sent.catch(() => undefined);
    await begun;
    return sent;
  }

  // Statements that are sent in one turn of the event loop go in one packet.
  #cork(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    const stream = streamOf(this.#client);
    stream.cork();
    const uncork = () => {
      this.#isCorked = false;
      stream.uncork();
    };
    // In the second tick, so that a commit is in the packet too: see `sendAll`.
    process.nextTick(() => process.nextTick(uncork));
  }

  async #send(text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    const startedAt = performance.now();
    let hasFailed = true;
    try {
      const prepared = this.#options.nameOf(text);
      if (prepared) this.#choosePlans(prepared);
      const named = prepared && { name: prepared.name };
      const limit = this.#budget.limit(text, this.#options.queryMs);
      const config = { text, values: [...parameters], ...named, ...limit };
      const result = await this.#client.query(config);
      this.#budget.noteAnswer(startedAt, performance.now());
      hasFailed = false;
      return result;
    } catch (error) {
      const failure = findQueryFailure(error);
      if (failure === undefined) throw error;
      const unavailable = new DatabaseUnavailable(failure, error);
      if (failure === 'connectionLost' || isQueryTimeout(error)) {
        this.#broken = unavailable;
        streamOf(this.#client).destroy();
      }
      this.#options.monitor.note(unavailable);
      throw unavailable;
    } finally {
      const ended = { text, startedAt, endedAt: performance.now(), hasFailed };
      for (const observe of this.#options.observers) observe(ended);
    }
  }

  // The setting goes in the packet of its statement. Its failure is that of its transaction.
  #choosePlans({ hasOnePlan }: PreparedStatement): void {
    if (this.#hasOnePlan === hasOnePlan) return;
    this.#hasOnePlan = hasOnePlan;
    const mode = hasOnePlan ? 'force_generic_plan' : 'auto';
    this.#client
      .query({ text: `set plan_cache_mode = ${mode}` })
      .catch(() => (this.#hasOnePlan = undefined));
  }

  release(isDiscarded = false): void {
    this.#client.release(isDiscarded || this.#broken !== undefined);
  }
}

/** A class of clients that ask for the address when they are made. */
const clientAt = (address: () => string) =>
  class extends pg.Client {
    constructor(config: pg.ClientConfig) {
      super({ ...config, connectionString: address() });
    }
  } as never;

/**
 * Opens a pool. When the database fails, calls throw `DatabaseUnavailable`, and the process continues;
 * `report` receives a line at the begin and at the end of an outage. A call that gets no connection
 * in time throws ServerBusy. Where `address` is a function, each new connection asks it: a password
 * can be replaced.
 */
export function openDatabase(
  address: string | (() => string),
  report: (line: string) => void,
  limits: DatabaseLimits = {},
): Database {
  const { connectMs = 5000 } = limits;
  const addressNow = typeof address === 'function' ? address : () => address;
  const pool = new pg.Pool({
    Client: clientAt(addressNow),
    max: limits.connections ?? 20,
    types: parsers,
    pipeline: true,
    connectionTimeoutMillis: connectMs,
    ...keepAlive,
    ...(limits.queryMs ? { query_timeout: limits.queryMs } : {}),
    ...(limits.statementMs ? { statement_timeout: limits.statementMs } : {}),
    ...(limits.idleTransactionMs
      ? { idle_in_transaction_session_timeout: limits.idleTransactionMs }
      : {}),
  });
  // Connections from before an outage may be dead without notice.
  let reachableSince = 0;
  let starvedSince: number | undefined;
  const nameOf = limits.prepares ? openStatementNames() : () => undefined;
  const openedAt = new WeakMap<pg.PoolClient, number>();
  const observers = new Set<StatementObserver>();
  const guarded = new WeakMap<pg.PoolClient, GuardedConnection>();
  const monitor = openFailureMonitor({
    probe: (failure) => probeDatabase(addressNow, connectMs, failure),
    report,
    onReachable() {
      reachableSince = performance.now();
    },
  });
  const { queryMs } = limits;
  const options: ConnectionOptions = { monitor, nameOf, queryMs, observers };
  pool.on('connect', (client) => {
    openedAt.set(client, performance.now());
    guarded.set(client, new GuardedConnection(client, options));
    // A connection that breaks during a transaction emits an error. Without a listener the process
    // would end.
    client.on('error', () => undefined);
  });
  pool.on('release', () => {
    starvedSince = undefined;
  });
  // A pool that is being closed may report the end of a server that closes right after it.
  pool.on('error', (error) => {
    if (!pool.ending)
      monitor.note(new DatabaseUnavailable(findQueryFailure(error) ?? 'connectionLost', error));
  });

  function findConnectError(error: Error): Error {
    if (pool.ending) return error;
    // All connections are in use. Either there are too many calls, or their queries get no answer.
    if (error.message === 'timeout exceeded when trying to connect') {
      starvedSince ??= performance.now();
      monitor.suspect();
      return serverBusy();
    }
    const failure = findConnectFailure(error);
    if (failure === undefined) return error;
    const unavailable = new DatabaseUnavailable(failure, error);
    monitor.note(unavailable);
    return unavailable;
  }

  async function connect(): Promise<GuardedConnection> {
    const askedAt = performance.now();
    for (;;) {
      const refusal = monitor.refusal();
      if (refusal) {
        starvedSince = undefined;
        throw refusal;
      }
      const client = await pool.connect().catch((error: Error) => {
        throw findConnectError(error);
      });
      const connection = guarded.get(client) ?? new GuardedConnection(client, options);
      if ((openedAt.get(client) ?? 0) >= reachableSince)
        return connection.lend(performance.now() - askedAt);
      streamOf(client).destroy();
      client.release(true);
    }
  }

  const parts: DatabaseParts = {
    address: addressNow,
    connectMs,
    monitor,
    starvedSince: () => starvedSince,
    countConnections: () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    observers,
    unlimited: undefined,
    standby: limits.standby,
  };
  const end = async () => {
    monitor.stop();
    await Promise.all([pool.end(), parts.unlimited?.destroy()]);
  };
  // The product uses no cursors.
  const connections: PostgresPool = {
    connect: connect as unknown as PostgresPool['connect'],
    end,
    options: pool.options,
  };
  const database: Database = new Kysely<Tables>({
    dialect: new CallDialect(connections, () => database, limits.standby),
  });
  partsOfDatabases.set(database, parts);
  return database;
}

/**
 * The same database over connections without limits of time, for migrations, seeds and jobs that may
 * take long. It is closed with `database`.
 */
export function withoutTimeLimits(database: Database): Database {
  const parts = partsOf(database);
  const standby = parts.standby && {
    ...parts.standby,
    database: withoutTimeLimits(parts.standby.database),
  };
  parts.unlimited ??= openDatabase(parts.address, () => undefined, standby ? { standby } : {});
  return parts.unlimited;
}

/** Why the database cannot serve now, by a query; `undefined` when it can. */
export async function findDatabaseFailure(
  database: Database,
): Promise<DatabaseFailure | 'noFreeConnection' | undefined> {
  const { monitor } = partsOf(database);
  const known = monitor.current();
  if (known) return known;
  try {
    const { rows } = await sql<{ setting: string }>`
      select current_setting('transaction_read_only') as setting`.execute(database);
    if (rows[0]?.setting !== 'on') return undefined;
    monitor.note(new DatabaseUnavailable('readOnly', 'it is read-only'));
    return 'readOnly';
  } catch (error) {
    return error instanceof DatabaseUnavailable ? error.failure : 'noFreeConnection';
  }
}

/** Hears of each statement of the pool, where its sender waits for it. */
export const observeStatements = (database: Database, observer: StatementObserver): void =>
  void partsOf(database).observers.add(observer);

/** The connections of this process. */
export const countConnections = (database: Database): ConnectionCounts =>
  partsOf(database).countConnections();

// Longer than any limit of a query, so that connections in use should have been given back.
const stuckAfterMs = 60_000;

/**
 * Whether for a minute no call has got a connection although the database serves. Then calls hold
 * all connections forever, and only a restart helps.
 */
export function isPoolStuck(database: Database, afterMs = stuckAfterMs): boolean {
  const since = partsOf(database).starvedSince();
  return since !== undefined && performance.now() - since > afterMs;
}
