import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Worker } from 'node:worker_threads';
import { Refusal } from '../core/refusals.ts';
import { startThread } from '../core/start-thread.ts';

/** A document to make: the address of its Typst template, what it shows, and when it was issued. */
export interface PdfOrder {
  template: URL;
  data: unknown;
  createdAt: Date;
}

/** Makes documents in threads, one at a time in each, so that the server continues. */
export interface PdfMaker {
  /**
   * The bytes of a PDF/A-3b; the same order has the same bytes. Throws ServerBusy where too many
   * documents wait, or where one takes too long.
   */
  make(order: PdfOrder): Promise<Buffer>;
}

interface PdfMakerLimits {
  milliseconds: number;
  /** The most documents that wait for the one that is made. */
  waiting: number;
}

// A document takes 5 ms, the start of a thread 80 ms.
const usualLimits: PdfMakerLimits = { milliseconds: 20_000, waiting: 200 };
// A thread takes 30 MB at first, and 140 MB after hundreds of documents.
const idleMs = 60_000;

interface PdfThread {
  make(order: PdfOrder): Promise<Buffer>;
  waiting(): number;
}

function openPdfThread(limits: PdfMakerLimits): PdfThread {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let thread: Worker | undefined;
  let idleTimer: NodeJS.Timeout | undefined;

  function endThread(): void {
    void thread?.terminate();
    thread = undefined;
  }

  async function getThread(signal: AbortSignal): Promise<Worker> {
    clearTimeout(idleTimer);
    if (thread) return thread;
    thread = startThread(new URL('make-pdf.thread.ts', import.meta.url));
    // An error without a listener would end the process.
    thread.on('error', endThread);
    await once(thread, 'message', { signal });
    return thread;
  }

  async function makeOne({ template, data, createdAt }: PdfOrder): Promise<Buffer> {
    const timeout = AbortSignal.timeout(limits.milliseconds);
    try {
      const text = await readFile(template, 'utf8');
      const worker = await getThread(timeout);
      worker.ref();
      const answer = once(worker, 'message', { signal: timeout });
      const seconds = Math.floor(createdAt.getTime() / 1000);
      worker.postMessage({ template: text, data: JSON.stringify(data), createdAt: seconds });
      const [{ bytes, error }] = (await answer) as [{ bytes?: Uint8Array; error?: string }];
      // A thread without work does not keep the process alive.
      worker.unref();
      idleTimer = setTimeout(endThread, idleMs).unref();
      if (!bytes) throw new Error(`The document cannot be made: ${error}`);
      return Buffer.from(bytes);
    } catch (error) {
      endThread();
      throw timeout.aborted ? new Refusal('ServerBusy') : error;
    }
  }

  return {
    waiting: () => waiting,
    async make(order) {
      waiting += 1;
      try {
        const making = last.then(() => makeOne(order));
        last = making.catch(() => undefined);
        return await making;
      } finally {
        waiting -= 1;
      }
    },
  };
}

/** Opens the making of documents for this process: threads, which start with the first documents. */
export function openPdfMaker(limits = usualLimits, count = 1): PdfMaker {
  const threads = Array.from({ length: count }, () => openPdfThread(limits));
  return {
    make(order) {
      const [free] = threads.toSorted((one, other) => one.waiting() - other.waiting());
      if (!free || free.waiting() >= limits.waiting)
        return Promise.reject(new Refusal('ServerBusy'));
      return free.make(order);
    },
  };
}
