import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FileStore } from './file-store.ts';

/**
 * Where the content of an announced file goes: `url` takes blocks of `blockBytes` by Azure's block
 * protocol until `expiresAt` (ISO 8601 in UTC).
 */
export interface UploadAddress {
  url: string;
  blockBytes: number;
  expiresAt: string;
}

/** Makes addresses that take one file each. */
export interface UploadAddresses {
  make(part: string, maximumBytes: number): UploadAddress;
}

/** One mebibyte: little is lost when the network breaks, and few requests are made. */
export const blockBytes = 1024 * 1024;

/** Blocks of one file at most: Azure takes 50 000, a file of ours never needs a thousand. */
export const mostBlocks = 1000;

const sign = (secret: string, part: string, expires: string, maximum: string) =>
  createHmac('sha256', secret).update(`${part}\n${expires}\n${maximum}`).digest('base64url');

/**
 * Addresses of the store itself, or, for one that has none, signed addresses of ours that
 * `serveStorage` takes. They live `seconds`.
 */
export function openUploadAddresses(
  files: Pick<FileStore, 'directAddress'>,
  secret: string,
  seconds: number,
): UploadAddresses {
  return {
    make(part, maximumBytes) {
      const until = Math.floor(Date.now() / 1000) + seconds;
      const own = () =>
        `/storage/${part}?${new URLSearchParams({ se: String(until), max: String(maximumBytes), sig: sign(secret, part, String(until), String(maximumBytes)) })}`;
      return {
        url: files.directAddress?.(part, seconds) ?? own(),
        blockBytes,
        expiresAt: new Date(until * 1000).toISOString(),
      };
    },
  };
}

/**
 * How many bytes an address of ours takes; `undefined` for one that is not ours, was altered, or is
 * too old.
 */
export function readUploadAddress(
  secret: string,
  part: string,
  query: Record<string, unknown>,
): number | undefined {
  const [expires, maximum, given] = ['se', 'max', 'sig'].map((name) =>
    typeof query[name] === 'string' ? query[name] : '',
  );
  const right = Buffer.from(sign(secret, part, expires ?? '', maximum ?? ''));
  const signature = Buffer.from(given ?? '');
  if (signature.length !== right.length || !timingSafeEqual(signature, right)) return undefined;
  return Number(expires) * 1000 > Date.now() ? Number(maximum) : undefined;
}
