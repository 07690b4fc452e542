import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { Refusal } from '../core/refusals.ts';
import { startThread } from '../core/start-thread.ts';
import type { ReadCard } from './mrz.ts';

interface CardLimits {
  milliseconds: number;
  megabytes: number;
  /** The most cards that wait for the one that is read. */
  waiting: number;
}

// A card takes about a second, a picture without one two.
const usualLimits: CardLimits = { milliseconds: 5000, megabytes: 256, waiting: 8 };
// A new thread costs a second of CPU, and 200 MB while it lives.
const idleMs = 60_000;
const startMs = 60_000;
// Who sends pictures that take too long would else keep the only thread from the others.
const pauseMs = 60_000;

/**
 * Reads the cards in pictures, one at a time in a thread, so that the server continues. Nothing that
 * is read is stored or logged.
 */
export interface CardReader {
  /**
   * Reads the card in a JPEG or PNG file; the thread takes the bytes. Undefined: there is no card,
   * it was misread, or it needs too much memory. Throws ServerBusy where it takes too long, for a
   * minute after that, where too many cards wait, or where another card of the same user does.
   */
  read(
    userId: string,
    getBytes: () => Promise<Uint8Array<ArrayBuffer>>,
    today: string,
  ): Promise<ReadCard | undefined>;
}

const isOutOfMemory = (error: NodeJS.ErrnoException) => error.code === 'ERR_WORKER_OUT_OF_MEMORY';

/**
 * Opens the reading of cards for this process: one thread, which starts with the first card.
 */
export function openCardReaders(limits = usualLimits): CardReader {
  const users = new Set<string>();
  /** When the users whose card took too long may send another one. */
  const pauses = new Map<string, number>();
  let last: Promise<unknown> = Promise.resolve();
  let thread: Worker | undefined;
  let idleTimer: NodeJS.Timeout | undefined;

  function endThread(): void {
    void thread?.terminate();
    thread = undefined;
  }

  /** Throws ServerBusy for a user whose card took too long. */
  function checkPause(userId: string): void {
    const now = Date.now();
    for (const [user, end] of pauses) if (end <= now) pauses.delete(user);
    const end = pauses.get(userId);
    // guard: pause after a card that took too long
    if (end !== undefined)
      throw new Refusal('ServerBusy', { retryAfter: Math.ceil((end - now) / 1000) });
  }

  async function getThread(): Promise<Worker> {
    clearTimeout(idleTimer);
    if (thread) return thread;
    thread = startThread(new URL('read-card.thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: limits.megabytes },
    });
    // An error without a listener would end the process.
    thread.on('error', endThread);
    await once(thread, 'message', { signal: AbortSignal.timeout(startMs) });
    return thread;
  }

  async function readOne(
    userId: string,
    getBytes: () => Promise<Uint8Array<ArrayBuffer>>,
    today: string,
  ): Promise<ReadCard | undefined> {
    const bytes = await getBytes();
    let timeout: AbortSignal | undefined;
    try {
      const worker = await getThread();
      timeout = AbortSignal.timeout(limits.milliseconds);
      worker.ref();
      const answer = once(worker, 'message', { signal: timeout });
      worker.postMessage({ bytes, today }, [bytes.buffer]);
      const [card] = (await answer) as [ReadCard | undefined];
      // A thread without work does not keep the process alive.
      worker.unref();
      idleTimer = setTimeout(endThread, idleMs).unref();
      return card;
    } catch (error) {
      endThread();
      if (isOutOfMemory(error as Error)) return undefined;
      if (!timeout?.aborted) throw error;
      pauses.set(userId, Date.now() + pauseMs);
      throw new Refusal('ServerBusy', { retryAfter: pauseMs / 1000 });
    }
  }

  return {
    async read(userId, getBytes, today) {
      checkPause(userId);
      if (users.has(userId) || users.size > limits.waiting) throw new Refusal('ServerBusy');
      users.add(userId);
      try {
        const before = last;
        const reading = before.then(() => readOne(userId, getBytes, today));
        last = reading.catch(() => undefined);
        return await reading;
      } finally {
        users.delete(userId);
      }
    },
  };
}
