import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';
import type { Database } from '../database/database.ts';
import { notifyProcesses, type EventTransport } from './event-transport.ts';

/** How long Redis may take to connect and to answer, in milliseconds. */
const answerMs = 1000;
const heartbeatMs = 5000;
const longestPauseMs = 2000;

interface RedisTransportOptions {
  /** The address of the server: redis:// or rediss://, with user and password. */
  url: string;
  /** The channel of this deployment: databases do not separate the channels of Redis. */
  channel: string;
  database: Database;
  /** Carries what Redis cannot carry. */
  postgres: EventTransport;
  warn: (message: string) => void;
}

function connectTo(url: string) {
  return createClient({
    url,
    name: 'diwan',
    // What cannot be sent now goes through PostgreSQL.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: answerMs,
      reconnectStrategy: (attempts) => Math.min(100 * 2 ** attempts, longestPauseMs),
    },
  });
}
type Client = ReturnType<typeof connectTo>;

class NoAnswer extends Error {}

async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  const late = new AbortController();
  const timeout = sleep(answerMs, undefined, { signal: late.signal, ref: false });
  try {
    return await Promise.race([
      work,
      timeout.then(() => {
        throw new NoAnswer(`it has not answered within ${answerMs} ms`);
      }),
    ]);
  } finally {
    late.abort();
  }
}

/**
 * Carries notifications through the publish and subscribe of Redis, so that the commits of a large
 * installation do not wait for each other's NOTIFY. Every process listens to PostgreSQL as well:
 * while Redis cannot be reached, notifications go that way. Decision 0082.
 */
export function redisTransport({
  url,
  channel,
  database,
  postgres,
  warn,
}: RedisTransportOptions): EventTransport {
  let client: Client | undefined;
  let listener: { onMessage(payload: string): void; onGap(): void } | undefined;
  let [isClosed, isOut, wasConnected] = [false, false, false];
  let heartbeat: NodeJS.Timeout | undefined;

  // One line at the begin of an outage, and one at its end.
  function report(error: unknown): void {
    if (isClosed || isOut) return;
    isOut = true;
    const { message, code } = error as Error & { code?: string };
    warn(`hubs cannot reach Redis: ${message || code}. PostgreSQL carries their events meanwhile.`);
  }

  const receive = (payload: string) => listener?.onMessage(payload);

  /** Opens a connection that reconnects automatically; returns when its first attempt is over. */
  function open(): Promise<void> {
    const own = connectTo(url);
    client = own;
    return new Promise((resolve) => {
      const fail = (error: unknown) => {
        if (own === client) report(error);
        resolve();
      };
      own.on('error', fail);
      own.on('ready', () => {
        // A connection that is restored has its subscription already.
        inTime(own.subscribe(channel, receive)).then(() => {
          if (own === client && !isClosed) connected();
          resolve();
        }, fail);
      });
      own.connect().catch(fail);
    });
  }

  function connected(): void {
    if (isOut) warn('hubs can reach Redis again');
    // guard: hub events missed while Redis was away
    if (wasConnected) listener?.onGap();
    [isOut, wasConnected] = [false, true];
  }

  /** Opens another connection instead of one that broke without notice. */
  function replace(own: Client, error: unknown): void {
    if (own !== client || isClosed) return;
    report(error);
    own.destroy();
    void open();
  }

  async function check(own: Client): Promise<void> {
    try {
      await inTime(own.ping());
    } catch (error) {
      replace(own, error);
    }
  }

  async function publish(payloads: readonly string[]): Promise<void> {
    const own = client;
    try {
      if (!own?.isReady) throw new Error('there is no connection');
      await inTime(Promise.all(payloads.map((payload) => own.publish(channel, payload))));
    } catch (error) {
      if (own && error instanceof NoAnswer) replace(own, error);
      else report(error);
      // Without the database too, each process finds by their numbers what it has missed.
      // guard: hub events while Redis is dead
      await notifyProcesses(database, payloads).catch(() => undefined);
    }
  }

  const publishing = new Set<Promise<void>>();

  return {
    send: (_transaction, payloads) =>
      Promise.resolve(async () => {
        const sent = publish(payloads);
        publishing.add(sent);
        await sent;
        publishing.delete(sent);
      }),
    async listen(onMessage, onGap) {
      listener = { onMessage, onGap };
      await postgres.listen(onMessage, onGap);
      // A start does not wait for a Redis that accepts connections and says nothing.
      await inTime(open()).catch(report);
      heartbeat = setInterval(() => client && void check(client), heartbeatMs);
      heartbeat.unref();
    },
    async settle() {
      await Promise.all(publishing);
      await Promise.all([postgres.settle(), client?.isReady && client.ping()]);
    },
    async close() {
      isClosed = true;
      clearInterval(heartbeat);
      client?.destroy();
      await postgres.close();
    },
  };
}
