import type { UploadAddress } from '@diwan/contract/requests/attachments';
import { keepTrying } from '../browser/keep-trying.ts';
import { SendError } from '../api/send-error.ts';
import { uploadBlocks } from './upload-blocks.ts';

/** The calls by which one kind of document goes to the server; each refuses by a `SendError`. */
export interface DocumentCalls<Received> {
  announce: () => Promise<{ id: string; upload: UploadAddress }>;
  renew: (id: string) => Promise<UploadAddress>;
  complete: (id: string) => Promise<Received>;
}

/**
 * What a document on its way is doing: waiting for its turn or for the network, being sent, being
 * judged.
 */
export type SendingStage = 'queued' | 'waiting' | 'sending' | 'checking';

/** How a document is sent, and who hears of it. */
export interface SendingOptions {
  /** An upload of this very file that broke off before. */
  begunId?: string | undefined;
  onBegun: (id: string) => void;
  onStage: (stage: SendingStage) => void;
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

// A browser has six connections to one server; the page needs some for itself.
const mostAtOnce = 3;
let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<Result>(
  signal: AbortSignal,
  onStage: SendingOptions['onStage'],
  work: () => Promise<Result>,
): Promise<Result> {
  while (running >= mostAtOnce) {
    onStage('queued');
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    signal.throwIfAborted();
  }
  running += 1;
  try {
    return await work();
  } finally {
    running -= 1;
    for (const go of waiting.splice(0)) go();
  }
}

const isRefusal = (error: unknown, name: string) =>
  error instanceof SendError && error.name === name;

async function resume(
  calls: DocumentCalls<unknown>,
  begunId: string,
): Promise<{ id: string; upload: UploadAddress } | undefined> {
  try {
    return { id: begunId, upload: await calls.renew(begunId) };
  } catch (error) {
    // Thrown away meanwhile, or there already; begun anew it is sent whole.
    if (isRefusal(error, 'AttachmentNotFound')) return undefined;
    throw error;
  }
}

/**
 * Announces a file, sends it straight to the storage and has it judged; keeps trying through breaks
 * of the network for as long as the page lives.
 */
export function sendDocument<Received>(
  file: Blob,
  calls: DocumentCalls<Received>,
  { begunId, onBegun, onStage, onProgress, signal }: SendingOptions,
): Promise<{ id: string; received: Received }> {
  return inTurn(signal, onStage, async () => {
    const onWaiting = (isWaiting: boolean) => onStage(isWaiting ? 'waiting' : 'sending');
    const persist = <Result>(work: () => Promise<Result>) =>
      keepTrying(work, { signal, onWaiting });
    onStage('sending');
    const begun = begunId === undefined ? undefined : await persist(() => resume(calls, begunId));
    const { id, upload } = begun ?? (await persist(calls.announce));
    onBegun(id);
    // What has left the device is not there before the storage and the server have said so.
    const tell = (share: number) => {
      onProgress(share);
      if (share >= 1) onStage('checking');
    };
    const transfer = (isBegun: boolean) =>
      uploadBlocks({
        file,
        address: upload,
        isBegun,
        renew: () => calls.renew(id),
        onProgress: tell,
        onWaiting,
        signal,
      }).catch((error: unknown) => {
        // Another window may have sent it whole meanwhile, and nobody waits for it any more;
        // whether it is there, completing says.
        if (!isRefusal(error, 'AttachmentNotFound')) throw error;
      });
    await transfer(begun !== undefined);
    onStage('checking');
    try {
      return { id, received: await persist(() => calls.complete(id)) };
    } catch (error) {
      if (!isRefusal(error, 'AttachmentIncomplete')) throw error;
      // The storage may have lost some of it between two blocks: once more, from the beginning.
      onStage('sending');
      await transfer(false);
      onStage('checking');
      return { id, received: await persist(() => calls.complete(id)) };
    }
  });
}
