import type pg from 'pg';
import {
  findDatabaseFailure,
  openDedicatedClient,
  type Database,
  type Transaction,
} from './database.ts';
import { sql } from './sql.ts';

/** Receives the notifications of PostgreSQL on one connection of this process. */
export interface Notifications {
  /**
   * Calls `onMessage` for each notification of a channel, and `onGap` when the connection was lost and
   * is restored: notifications that were sent meanwhile are missing. A channel has one listener.
   */
  listen(channel: string, onMessage: (payload: string) => void, onGap: () => void): Promise<void>;
  /** Waits until the notifications that were sent before have arrived. Throws without a connection. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

const retryMs = [250, 1000, 2000];
const heartbeatMs = 10_000;

/** Sends a notification to all listeners of a channel, at the commit of a transaction. */
export async function notifyListeners(
  database: Database | Transaction,
  channel: string,
  payload: string,
): Promise<void> {
  await sql`select pg_notify(${channel}, ${payload})`.execute(database);
}

/**
 * Opens the connection. It reconnects automatically. `warn` receives the reason of a failure, except
 * during an outage, which the database reports.
 */
export async function openNotifications(
  database: Database,
  warn: (message: string) => void,
): Promise<Notifications> {
  const listeners = new Map<string, { onMessage(payload: string): void; onGap(): void }>();
  let [isClosed, isWarned, attempts] = [false, false, 0];
  let current: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;

  function reconnectLater(client: pg.Client): void {
    if (client !== current) return;
    current = undefined;
    void client.end().catch(() => undefined);
    if (isClosed) return;
    retry = setTimeout(() => void connect(), retryMs[Math.min(attempts, retryMs.length - 1)]);
    retry.unref();
    attempts += 1;
  }

  // Once for each gap, and not for an outage, which the database reports.
  async function warnOf(error: Error): Promise<void> {
    if (isWarned || (await findDatabaseFailure(database)) || isClosed) return;
    isWarned = true;
    warn(`cannot listen to the database: ${error.message}`);
  }

  async function connect(): Promise<void> {
    const client = openDedicatedClient(database);
    current = client;
    const isFirst = attempts === 0;
    client.on('error', () => reconnectLater(client)).on('end', () => reconnectLater(client));
    client.on('notification', ({ channel, payload = '' }) =>
      listeners.get(channel)?.onMessage(payload),
    );
    try {
      await client.connect();
      for (const channel of listeners.keys()) await client.query(`listen ${channel}`);
      // The count restarts at one, so that every later connection counts as a reconnection.
      attempts = 1;
      isWarned = false;
      if (!isFirst) for (const { onGap } of listeners.values()) onGap();
    } catch (error) {
      if (client === current) void warnOf(error as Error);
      reconnectLater(client);
    }
  }

  await connect();
  // Detects a connection that broke without notice, such as behind a firewall.
  const heartbeat = setInterval(() => {
    const client = current;
    client?.query('select 1').catch(() => reconnectLater(client));
  }, heartbeatMs);
  heartbeat.unref();

  return {
    async listen(channel, onMessage, onGap) {
      listeners.set(channel, { onMessage, onGap });
      const client = current;
      await client?.query(`listen ${channel}`).catch(() => reconnectLater(client));
    },
    // PostgreSQL sends a connection its notifications before the end of an answer.
    async settle() {
      await current?.query('select 1');
    },
    async close() {
      isClosed = true;
      clearInterval(heartbeat);
      clearTimeout(retry);
      const client = current;
      current = undefined;
      await client?.end().catch(() => undefined);
    },
  };
}
