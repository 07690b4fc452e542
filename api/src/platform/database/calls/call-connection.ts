import { AsyncLocalStorage } from 'node:async_hooks';
import type { DatabaseConnection } from 'kysely';

/** The one transaction of a call with a key; see `inCallTransaction`. */
export interface CallConnection {
  /** The database whose statements it takes. Others, such as one without limits, are not part of it. */
  readonly database: object;
  readonly isOpen: boolean;
  /** The connection of the transaction, after what was collected for it has been sent. */
  take(): Promise<DatabaseConnection>;
  /** Runs after the commit, before the reply. */
  readonly afterCommit: (() => unknown)[];
}

const calls = new AsyncLocalStorage<CallConnection | undefined>();

/** The open transaction of the call that runs this code. */
export function findOpenCall(database?: object): CallConnection | undefined {
  const call = calls.getStore();
  return call?.isOpen && (database ?? call.database) === call.database ? call : undefined;
}

/** Runs `work`, and all that it starts, as a part of the call. */
export const runInCall = <Result>(call: CallConnection, work: () => Result): Result =>
  calls.run(call, work);

/** Runs `work` as if no call had started it: it reads what is committed. */
export const runOutsideCall = <Result>(work: () => Result): Result => calls.run(undefined, work);

/**
 * Runs `work` once the changes of the call are committed: now, or before the reply where the call is
 * one transaction. For what reads the changes anew, such as a snapshot in memory.
 */
export async function afterCall(work: () => unknown): Promise<void> {
  const call = findOpenCall();
  if (call) call.afterCommit.push(work);
  else await work();
}
