import type { UploadAddress } from '@diwan/contract/wire/uploads';
import { ApiError, connectionError, errorFromReply } from '../api/api-error.ts';
import { callHeaders } from '../api/call-headers.ts';
import { networkError, parseJson, resolveAddress } from '../api/fetch-call.ts';
import { retry } from '../api/retry.ts';
import { getFreshToken } from '../api/token-refresh.ts';
import { currentLanguage } from '../i18n/language.ts';

/**
 * Sends bytes by XMLHttpRequest, because fetch reports no progress of an upload. `onProgress` gets
 * 0 to 1. Throws `ApiError`.
 */
export async function putBytes(
  content: Blob | string,
  url: string,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<unknown> {
  const { href, isOurs } = resolveAddress(url);
  const headers = isOurs
    ? callHeaders(currentLanguage(), await getFreshToken(), 'application/octet-stream')
    : {};
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', href);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    };
    request.onload = () => {
      const { status } = request;
      const body = parseJson(request.responseText);
      const isSent = status >= 200 && status < 300;
      // Blob storage answers without a body. Our server sends JSON, so anything else comes from a
      // device between the browser and the server.
      if (isSent && isOurs && body === undefined) reject(connectionError(true));
      else if (isSent) resolve(body);
      else reject(errorFromReply(status, body, true, request.getResponseHeader('retry-after')));
    };
    request.onerror = () => reject(connectionError(true));
    request.onabort = () => reject(new DOMException('Aborted', 'AbortError'));
    const stop = () => request.abort();
    signal.addEventListener('abort', stop);
    request.onloadend = () => signal.removeEventListener('abort', stop);
    request.send(content);
  });
}

interface BlockUpload {
  file: Blob;
  address: UploadAddress;
  /** Whether the storage may have some blocks already. */
  isResumed: boolean;
  /** Returns a new address when this one has expired. */
  renew: () => Promise<UploadAddress>;
  /** Gets 0 to 1. */
  onProgress: (share: number) => void;
  onWaiting: (isWaiting: boolean) => void;
  signal: AbortSignal;
}

const base64 = (text: string) => window.btoa(text);

// The id of a block contains its position and a hash of its content, so that an upload continues
// only with blocks of the same file.
async function blockIdOf(block: Blob, index: number): Promise<string> {
  const position = String(index).padStart(6, '0');
  // `subtle` is missing on an insecure page; then the id contains the position only.
  if (!('subtle' in crypto)) return base64(`${position}-${'0'.repeat(32)}`);
  const digest = await crypto.subtle.digest('SHA-256', await block.arrayBuffer());
  const hash = [...new Uint8Array(digest).slice(0, 16)]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  return base64(`${position}-${hash}`);
}

async function listBlocks(url: string, signal: AbortSignal): Promise<Set<string>> {
  const response = await fetch(
    resolveAddress(`${url}&comp=blocklist&blocklisttype=uncommitted`).href,
    { signal, credentials: 'omit', referrerPolicy: 'no-referrer' },
  ).catch((error: unknown) => {
    throw networkError(error, true);
  });
  const text = await response.text().catch(() => '');
  if (response.status === 403)
    throw new ApiError(403, 'YouAreUnauthorized', '', { skipErrorHandling: true });
  // Blocks that cannot be listed are sent again.
  return new Set(
    response.ok ? [...text.matchAll(/<Name>([^<]+)</g)].map((match) => match[1] ?? '') : [],
  );
}

/**
 * Sends a file to the storage by Azure's block protocol (Put Block, Put Block List). Repeats each
 * block until the storage has it; a resumed upload sends only the missing ones. The file is not
 * inspected yet.
 */
export async function uploadBlocks({
  file,
  address,
  isResumed,
  renew,
  onProgress,
  onWaiting,
  signal,
}: BlockUpload): Promise<void> {
  let { url } = address;
  const { blockBytes } = address;
  const withRenewal = async <Result>(work: () => Promise<Result>) => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 403) throw error;
      ({ url } = await renew());
      return work();
    }
  };
  const persist = <Result>(work: () => Promise<Result>) =>
    retry(() => withRenewal(work), { signal, onWaiting });

  const existing = isResumed ? await persist(() => listBlocks(url, signal)) : new Set<string>();
  const blockIds: string[] = [];
  for (let start = 0; start < file.size; start += blockBytes) {
    const block = file.slice(start, start + blockBytes, 'application/octet-stream');
    const blockId = await blockIdOf(block, blockIds.length);
    signal.throwIfAborted();
    if (!existing.has(blockId))
      await persist(() =>
        putBytes(
          block,
          `${url}&comp=block&blockid=${encodeURIComponent(blockId)}`,
          (share) => onProgress((start + share * block.size) / file.size),
          signal,
        ),
      );
    onProgress((start + block.size) / file.size);
    blockIds.push(blockId);
  }
  const latest = blockIds.map((blockId) => `<Latest>${blockId}</Latest>`).join('');
  const list = `<?xml version="1.0" encoding="utf-8"?><BlockList>${latest}</BlockList>`;
  await persist(() => putBytes(list, `${url}&comp=blocklist`, () => undefined, signal));
}

/** The calls that upload one kind of document. Each throws `ApiError`. */
export interface DocumentCalls<Received> {
  announce: () => Promise<{ id: string; upload: UploadAddress }>;
  renew: (id: string) => Promise<UploadAddress>;
  complete: (id: string) => Promise<Received>;
}

/**
 * The stage of an upload. `queued`: other uploads come first. `waiting`: for the network or the
 * server. `checking`: the server inspects the file.
 */
export type UploadStage = 'queued' | 'waiting' | 'sending' | 'checking';

export interface UploadOptions {
  /** The id of an earlier upload of the same file that did not finish. */
  unfinishedId?: string | undefined;
  onStarted: (id: string) => void;
  onStage: (stage: UploadStage) => void;
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

// A browser has six connections to one server; the page needs some of them.
const maximumParallel = 3;
let running = 0;
const queue: (() => void)[] = [];

async function runInQueue<Result>(
  signal: AbortSignal,
  onStage: UploadOptions['onStage'],
  work: () => Promise<Result>,
): Promise<Result> {
  while (running >= maximumParallel) {
    onStage('queued');
    await new Promise<void>((resolve) => {
      queue.push(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    signal.throwIfAborted();
  }
  running += 1;
  try {
    return await work();
  } finally {
    running -= 1;
    for (const start of queue.splice(0)) start();
  }
}

const isRefusal = (error: unknown, name: string) =>
  error instanceof ApiError && error.name === name;

async function findUnfinished(
  calls: DocumentCalls<unknown>,
  id: string,
): Promise<{ id: string; upload: UploadAddress } | undefined> {
  try {
    return { id, upload: await calls.renew(id) };
  } catch (error) {
    // The upload was deleted or completed; a new one sends the whole file.
    if (isRefusal(error, 'AttachmentNotFound')) return undefined;
    throw error;
  }
}

/**
 * Announces a file, sends it to the storage and lets the server inspect it. Repeats after failures
 * of the network as long as the page is open.
 */
export function uploadDocument<Received>(
  file: Blob,
  calls: DocumentCalls<Received>,
  { unfinishedId, onStarted, onStage, onProgress, signal }: UploadOptions,
): Promise<{ id: string; received: Received }> {
  return runInQueue(signal, onStage, async () => {
    const onWaiting = (isWaiting: boolean) => onStage(isWaiting ? 'waiting' : 'sending');
    const persist = <Result>(work: () => Promise<Result>) => retry(work, { signal, onWaiting });
    onStage('sending');
    const unfinished =
      unfinishedId === undefined
        ? undefined
        : await persist(() => findUnfinished(calls, unfinishedId));
    const { id, upload } = unfinished ?? (await persist(calls.announce));
    onStarted(id);
    // All bytes are sent, but the storage and the server have not confirmed them yet.
    const reportProgress = (share: number) => {
      onProgress(share);
      if (share >= 1) onStage('checking');
    };
    const transfer = (isResumed: boolean) =>
      uploadBlocks({
        file,
        address: upload,
        isResumed,
        renew: () => calls.renew(id),
        onProgress: reportProgress,
        onWaiting,
        signal,
      }).catch((error: unknown) => {
        // Another window may have completed this upload; the call below says whether it did.
        if (!isRefusal(error, 'AttachmentNotFound')) throw error;
      });
    await transfer(unfinished !== undefined);
    onStage('checking');
    try {
      return { id, received: await persist(() => calls.complete(id)) };
    } catch (error) {
      if (!isRefusal(error, 'AttachmentIncomplete')) throw error;
      // The storage may have lost blocks: the whole file is sent once more.
      onStage('sending');
      await transfer(false);
      onStage('checking');
      return { id, received: await persist(() => calls.complete(id)) };
    }
  });
}
