import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { startThread } from '#platform/core/start-thread.ts';
import type { PdfFinding } from './pdf-findings.ts';

/** `megabytes` limits the objects; the bytes of the file and of its object streams are beside it. */
interface PdfLimits {
  milliseconds: number;
  megabytes: number;
}

// A PDF of 25 MB with 200,000 objects takes one or two seconds, so a longer one is built to be slow.
const usualLimits: PdfLimits = { milliseconds: 30_000, megabytes: 256 };
// pdf-lib keeps every name it has seen.
const filesPerThread = 100;
// A new thread costs half a second of CPU, and 40 MB while it lives.
const idleMs = 300_000;

interface Thread {
  worker: Worker;
  filesLeft: number;
  idleTimer?: NodeJS.Timeout;
}

const idleThreads: Thread[] = [];

async function openThread(megabytes: number): Promise<Thread> {
  const worker = startThread(new URL('inspect-pdf.thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: megabytes },
  });
  await once(worker, 'message');
  return { worker, filesLeft: filesPerThread };
}

function keepThread(thread: Thread): void {
  thread.filesLeft -= 1;
  if (thread.filesLeft === 0) return void thread.worker.terminate();
  // A thread without work does not keep the process alive.
  thread.worker.unref();
  thread.idleTimer = setTimeout(() => {
    idleThreads.splice(idleThreads.indexOf(thread), 1);
    void thread.worker.terminate();
  }, idleMs).unref();
  idleThreads.push(thread);
}

const isOutOfMemory = (error: NodeJS.ErrnoException) => error.code === 'ERR_WORKER_OUT_OF_MEMORY';

/**
 * Finds the active and hidden content of a whole PDF in a thread, so that the server continues and the
 * memory is limited. The thread takes the bytes, which are empty afterwards. `undefined`: the PDF is
 * damaged, or it exceeds the limits. Each call uses one thread; the caller limits their number.
 */
export async function inspectPdfContent(
  bytes: Uint8Array<ArrayBuffer>,
  limits = usualLimits,
): Promise<PdfFinding[] | undefined> {
  const idle = limits === usualLimits ? idleThreads.pop() : undefined;
  clearTimeout(idle?.idleTimer);
  const thread = idle ?? (await openThread(limits.megabytes));
  const { worker } = thread;
  worker.ref();
  const timeout = AbortSignal.timeout(limits.milliseconds);
  const answer = once(worker, 'message', { signal: timeout });
  worker.postMessage(bytes, [bytes.buffer]);
  try {
    const [findings] = (await answer) as [PdfFinding[] | undefined];
    if (limits === usualLimits) keepThread(thread);
    else void worker.terminate();
    return findings;
  } catch (error) {
    void worker.terminate();
    if (!timeout.aborted && !isOutOfMemory(error as Error)) throw error;
    return undefined;
  }
}
