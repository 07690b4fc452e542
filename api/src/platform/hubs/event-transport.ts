import type { Database, Transaction } from '../database/database.ts';
import { notifyListeners, type Notifications } from '../database/notifications.ts';

/** Carries the notifications of the hubs from the process that publishes to all processes. */
export interface EventTransport {
  /**
   * Is called in the transaction that numbers the notifications. Returns what sends them after its
   * commit, which never throws; `undefined` where the commit sends them.
   */
  send(
    transaction: Transaction,
    payloads: readonly string[],
  ): Promise<(() => Promise<void>) | undefined>;
  /**
   * Calls `onMessage` for each notification, this process's own included, perhaps twice and not
   * always in order, and `onGap` when a connection was lost and is restored.
   */
  listen(onMessage: (payload: string) => void, onGap: () => void): Promise<void>;
  /** Waits until what was sent before has arrived, or will not. May throw. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

// All processes listen to this channel. PostgreSQL separates the channels of databases.
const channel = 'diwan_hubs';

/** Sends notifications through PostgreSQL, at the commit of a transaction. */
export async function notifyProcesses(
  database: Database | Transaction,
  payloads: readonly string[],
): Promise<void> {
  for (const payload of payloads) await notifyListeners(database, channel, payload);
}

/** The transport that needs nothing but the database. */
export const postgresTransport = (notifications: Notifications): EventTransport => ({
  async send(transaction, payloads) {
    await notifyProcesses(transaction, payloads);
    return undefined;
  },
  listen: (onMessage, onGap) => notifications.listen(channel, onMessage, onGap),
  settle: () => notifications.settle(),
  close: () => Promise.resolve(),
});
