import type pg from 'pg';
import { openClient, type Database } from '../database/database.ts';
import { channel, sendNews, type ToldNews } from './hub-news.ts';

/** What carries news from the database to the listeners of this process. */
export interface Relay {
  /** Tells what transactions wrote down; to be called after their commit. Never throws. */
  announce(): void;
  close(): Promise<void>;
}

interface RelayOptions {
  database: Database;
  onNews: (news: readonly ToldNews[]) => void;
  /** The connection was lost and is back: what was told meanwhile is not known here. */
  onGap: () => void;
  warn: (message: string) => void;
  /** How often news that nobody announced is looked for. */
  strayMs: number;
}

const retryMs = [250, 1000, 2000, 5000];
const heartbeatMs = 15_000;

/** One connection that hears what all processes tell. It comes back by itself. */
export async function openRelay({
  database,
  onNews,
  onGap,
  warn,
  strayMs,
}: RelayOptions): Promise<Relay> {
  let [isClosed, isWanted, attempts] = [false, false, 0];
  let sending: Promise<void> | undefined;
  let current: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;

  function lose(client: pg.Client): void {
    if (client !== current) return;
    current = undefined;
    void client.end().catch(() => undefined);
    if (isClosed) return;
    retry = setTimeout(() => void listen(), retryMs[Math.min(attempts, retryMs.length - 1)]);
    retry.unref();
    attempts += 1;
  }

  async function listen(): Promise<void> {
    const client = openClient(database);
    current = client;
    const isFirst = attempts === 0;
    client.on('error', () => lose(client)).on('end', () => lose(client));
    client.on('notification', ({ payload }) => onNews(JSON.parse(payload ?? '[]') as ToldNews[]));
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      // Attempts go on counting from one, so that every later success is known to follow a loss.
      attempts = 1;
      if (!isFirst) onGap();
    } catch (error) {
      if (client === current && !isClosed)
        warn(`hubs cannot listen to the database: ${(error as Error).message}`);
      lose(client);
    }
  }

  async function send(): Promise<void> {
    try {
      while (isWanted && !isClosed) {
        isWanted = false;
        if (await sendNews(database)) isWanted = true;
      }
    } catch (error) {
      // It stays written down; the next look for strays finds it.
      if (!isClosed) warn(`hubs cannot tell news: ${(error as Error).message}`);
    }
    sending = undefined;
  }

  function announce(): void {
    isWanted = true;
    if (!isClosed) sending ??= send();
  }

  await listen();
  // What a process that died has left is told first.
  announce();
  await sending;
  const stray = setInterval(announce, strayMs);
  // A connection that broke without a word, as behind a firewall, answers nothing.
  const heartbeat = setInterval(() => {
    const client = current;
    client?.query('select 1').catch(() => lose(client));
  }, heartbeatMs);
  for (const timer of [stray, heartbeat]) timer.unref();

  return {
    announce,
    async close() {
      isClosed = true;
      clearInterval(stray);
      clearInterval(heartbeat);
      clearTimeout(retry);
      const client = current;
      current = undefined;
      await Promise.all([sending, client?.end().catch(() => undefined)]);
    },
  };
}
