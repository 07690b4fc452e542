import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { retryAfterSeconds } from '../core/limiter.ts';
import { Refusal } from '../core/refusals.ts';

/** Why the database does not serve. The names hold no secrets; `/health/ready` shows them. */
export type DatabaseFailure =
  | 'unreachable'
  | 'connectionLost'
  | 'starting'
  | 'accessRefused'
  | 'tooManyConnections'
  | 'noResources'
  | 'readOnly'
  | 'timeout';

const descriptions: Record<DatabaseFailure, string> = {
  unreachable: 'no connection can be opened',
  connectionLost: 'connections break off',
  starting: 'it is starting or stopping',
  accessRefused: 'it refuses the user, the password or the database',
  tooManyConnections: 'it has no connection left',
  noResources: 'it has no disk space or memory left',
  readOnly: 'it accepts no changes',
  timeout: 'it does not answer in time',
};

// 08P01 is a fault of the query, such as a missing parameter. 55000 and other classes are faults of
// the product.
const failuresBySqlState: readonly [RegExp, DatabaseFailure][] = [
  [/^57P03$/, 'starting'],
  [/^(08(?!P01)|57P0)/, 'connectionLost'],
  [/^(28|3D000)/, 'accessRefused'],
  [/^53300$/, 'tooManyConnections'],
  [/^(53|58030)/, 'noResources'],
  [/^25006$/, 'readOnly'],
  [/^(57014|25P03)$/, 'timeout'],
];

const lostConnectionMessage =
  /^(Connection terminated|Client has encountered a connection error|Client was closed)/;
const lostConnectionCodes = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT']);

/** The error of node-postgres for a query without an answer within `query_timeout`. */
export const isQueryTimeout = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout';

/** The failure behind the error of a query; `undefined` for an error of the query itself. */
export function findQueryFailure(error: unknown): DatabaseFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof pg.DatabaseError)
    return failuresBySqlState.find(([state]) => state.test(error.code ?? ''))?.[1];
  if (isQueryTimeout(error)) return 'timeout';
  const { code = '' } = error as NodeJS.ErrnoException;
  return lostConnectionMessage.test(error.message) || lostConnectionCodes.has(code)
    ? 'connectionLost'
    : undefined;
}

/** Whether PostgreSQL has undone a transaction because it and another one waited for each other. */
export const isDeadlock = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '40P01';

// Of the pool and of a single connection.
const connectTimeoutMessage = /^(Connection terminated due to connection timeout|timeout expired)$/;

/** The failure behind the error of an attempt to connect. */
export function findConnectFailure(error: unknown): DatabaseFailure | undefined {
  if (error instanceof pg.DatabaseError) return findQueryFailure(error);
  return error instanceof Error && connectTimeoutMessage.test(error.message)
    ? 'timeout'
    : 'unreachable';
}

// The attempts on several addresses of a host name end in an error without a message.
const describeError = (error: unknown): string =>
  error instanceof Error
    ? error.message || ((error as NodeJS.ErrnoException).code ?? error.name)
    : String(error);

/** ServerBusy, because the database does not serve. The monitor reports it; callers need not. */
export class DatabaseUnavailable extends Refusal {
  readonly failure: DatabaseFailure;
  readonly detail: string;
  constructor(failure: DatabaseFailure, cause: unknown) {
    super('ServerBusy', { retryAfter: retryAfterSeconds });
    this.failure = failure;
    this.detail = describeError(cause);
    this.message = `the database is unavailable: ${this.detail}`;
  }
}

/** Follows the outages of a database: reports their begin and end, and refuses calls meanwhile. */
export interface FailureMonitor {
  /** Records what a call has met. */
  note(error: DatabaseUnavailable): void;
  /** Tests the database, because a call got no connection in time. */
  suspect(): void;
  /** The error for calls while no connection can be opened, so that they do not wait for one. */
  refusal(): DatabaseUnavailable | undefined;
  /** The failure, until a test shows that it is over. */
  current(): DatabaseFailure | undefined;
  stop(): void;
}

interface MonitorOptions {
  /** Tests the database over its own connection, for `failure` in particular. */
  probe(failure: DatabaseFailure | undefined): Promise<DatabaseUnavailable | undefined>;
  /** Writes a line for the operator. */
  report(line: string): void;
  /** The database serves again after no connection could be opened. */
  onReachable(): void;
}

interface Outage {
  failure: DatabaseFailure;
  since: number;
  lastFailureAt: number;
  isOver: boolean;
  refusal: DatabaseUnavailable | undefined;
}

const probeIntervalMs = 500;
// An outage that returns within this time is the same one, and is reported once.
const stableAfterMs = 5000;
const slowReportIntervalMs = 60_000;
// With these failures existing connections still serve.
const partialFailures: readonly DatabaseFailure[] = [
  'tooManyConnections',
  'noResources',
  'readOnly',
];

/** Opens the monitor of one database. */
export function openFailureMonitor({ probe, report, onReachable }: MonitorOptions): FailureMonitor {
  let outage: Outage | undefined;
  let [isProbing, isStopped, slowReportedAt] = [false, false, -Infinity];
  let slow: DatabaseUnavailable | undefined;

  function fail({ failure, detail }: DatabaseUnavailable): Outage {
    const now = Date.now();
    if (!outage)
      report(
        `Database unavailable: ${descriptions[failure]} (${detail}). Calls are answered with 503.`,
      );
    outage = {
      since: now,
      refusal: undefined,
      ...outage,
      failure,
      lastFailureAt: now,
      isOver: false,
    };
    return outage;
  }

  async function test(): Promise<void> {
    let found = await probe(outage?.failure);
    // This process may have been too busy to see the answer of the first test in time.
    if (found?.failure === 'timeout' && !outage) found = await probe(undefined);
    if (isStopped) return;
    if (found) {
      fail(found).refusal = partialFailures.includes(found.failure) ? undefined : found;
      return;
    }
    if (outage?.refusal) onReachable();
    if (outage) Object.assign(outage, { isOver: true, refusal: undefined });
    else if (slow && Date.now() - slowReportedAt > slowReportIntervalMs) {
      slowReportedAt = Date.now();
      report(`A database query or connection took too long and was ended (${slow.detail}).`);
    }
    slow = undefined;
  }

  async function follow(): Promise<void> {
    if (isProbing) return;
    isProbing = true;
    await test();
    while (outage && !isStopped) {
      if (outage.isOver && Date.now() - outage.lastFailureAt >= stableAfterMs) {
        const seconds = Math.ceil((outage.lastFailureAt - outage.since) / 1000);
        report(`Database available again. It failed for ${seconds} seconds.`);
        outage = undefined;
      } else {
        await sleep(probeIntervalMs, undefined, { ref: false });
        await test();
      }
    }
    isProbing = false;
  }

  return {
    note(error) {
      // A slow query or connection is no outage while a test of the database succeeds.
      if (error.failure === 'timeout') slow = error;
      else fail(error);
      void follow();
    },
    suspect: () => void follow(),
    refusal: () => outage?.refusal,
    current: () => (outage?.isOver === false ? outage.failure : undefined),
    stop() {
      isStopped = true;
    },
  };
}
