import type { UploadAddress } from '@diwan/contract/requests/attachments';
import { keepTrying } from '../browser/keep-trying.ts';
import { faultOnTheWay, resolveAddress } from '../api/transmit.ts';
import { SendError } from '../api/send-error.ts';
import { upload } from './upload.ts';

interface BlockUpload {
  file: Blob;
  address: UploadAddress;
  /** Something of it may be there already. */
  isBegun: boolean;
  /** Another address, when this one has become too old. */
  renew: () => Promise<UploadAddress>;
  /** Gets 0 to 1. */
  onProgress: (share: number) => void;
  onWaiting: (isWaiting: boolean) => void;
  signal: AbortSignal;
}

const base64 = (text: string) => window.btoa(text);

// The name of a block says where it belongs and what is in it, so that an upload goes on only with
// blocks of this very file.
async function nameOf(block: Blob, index: number): Promise<string> {
  const place = String(index).padStart(6, '0');
  // Missing on a page that was not loaded safely; then the place must do.
  if (!('subtle' in crypto)) return base64(`${place}-${'0'.repeat(32)}`);
  const hash = new Uint8Array(
    await crypto.subtle.digest('SHA-256', await block.arrayBuffer()),
  ).slice(0, 16);
  return base64(`${place}-${[...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`);
}

async function listBlocks(url: string, signal: AbortSignal): Promise<Set<string>> {
  const response = await fetch(
    resolveAddress(`${url}&comp=blocklist&blocklisttype=uncommitted`).href,
    { signal, credentials: 'omit', referrerPolicy: 'no-referrer' },
  ).catch((error: unknown) => {
    throw faultOnTheWay(error, true);
  });
  const text = await response.text().catch(() => '');
  if (response.status === 403) throw new SendError(403, 'YouAreUnauthorized', '', {}, true);
  // What cannot be listed is sent again.
  return new Set(
    response.ok ? [...text.matchAll(/<Name>([^<]+)</g)].map((match) => match[1] ?? '') : [],
  );
}

/**
 * Sends a file straight to the storage by Azure's block protocol (Put Block, Put Block List): block
 * by block, each until it is there, and after a break
 * only what is missing. Then the content is there and nobody has judged it yet.
 */
export async function uploadBlocks({
  file,
  address,
  isBegun,
  renew,
  onProgress,
  onWaiting,
  signal,
}: BlockUpload): Promise<void> {
  let { url } = address;
  const { blockBytes } = address;
  const persist = <Result>(work: () => Promise<Result>) =>
    keepTrying(
      async () => {
        try {
          return await work();
        } catch (error) {
          if (!(error instanceof SendError) || error.status !== 403) throw error;
          ({ url } = await renew());
          return work();
        }
      },
      { signal, onWaiting },
    );

  const there = isBegun ? await persist(() => listBlocks(url, signal)) : new Set<string>();
  const names: string[] = [];
  for (let start = 0; start < file.size; start += blockBytes) {
    const block = file.slice(start, start + blockBytes, 'application/octet-stream');
    const name = await nameOf(block, names.length);
    signal.throwIfAborted();
    if (!there.has(name))
      await persist(() =>
        upload(
          block,
          `${url}&comp=block&blockid=${encodeURIComponent(name)}`,
          (share) => onProgress((start + share * block.size) / file.size),
          signal,
        ),
      );
    onProgress((start + block.size) / file.size);
    names.push(name);
  }
  const list = `<?xml version="1.0" encoding="utf-8"?><BlockList>${names.map((name) => `<Latest>${name}</Latest>`).join('')}</BlockList>`;
  await persist(() => upload(list, `${url}&comp=blocklist`, () => undefined, signal));
}
