import { createHmac } from 'node:crypto';
import type { UploadAddress } from '@diwan/contract/wire/uploads';
import type { Keys } from '../auth/secrets.ts';
import { isSameSecret } from '../core/same-secret.ts';
import type { FileStore } from './stores/file-store.ts';

/** Makes upload addresses that accept one file each. */
interface UploadAddresses {
  make(uploadId: string, maximumBytes: number): UploadAddress;
}

/** One mebibyte: a broken connection loses little, and an upload needs few requests. */
export const blockBytes = 1024 * 1024;

/** The largest number of blocks of one file. Azure accepts 50 000; our files need fewer than 1000. */
export const maximumBlocks = 1000;

const sign = (secret: string, uploadId: string, expires: string, maximum: string) =>
  createHmac('sha256', secret).update(`${uploadId}\n${expires}\n${maximum}`).digest('base64url');

/**
 * Makes addresses of the store itself, or, for a store without addresses, signed addresses of this
 * server for `serveStorage`. They expire after `seconds`.
 */
export function createUploadAddresses(
  files: Pick<FileStore, 'directUploadUrl'>,
  keys: Keys,
  seconds: number,
): UploadAddresses {
  return {
    make(uploadId, maximumBytes) {
      const until = Math.floor(Date.now() / 1000) + seconds;
      const signedUrl = () => {
        const [se, max] = [String(until), String(maximumBytes)];
        const sig = sign(keys()[0] ?? '', uploadId, se, max);
        return `/storage/${uploadId}?${new URLSearchParams({ se, max, sig })}`;
      };
      return {
        url: files.directUploadUrl?.(uploadId, seconds) ?? signedUrl(),
        blockBytes,
        expiresAt: new Date(until * 1000).toISOString(),
      };
    },
  };
}

/**
 * How many bytes a signed address of this server accepts; `undefined` for an address that is forged,
 * altered or expired.
 */
export function verifyUploadAddress(
  keys: Keys,
  uploadId: string,
  query: Record<string, unknown>,
): number | undefined {
  const [expires, maximum, given] = ['se', 'max', 'sig'].map((name) =>
    typeof query[name] === 'string' ? query[name] : '',
  );
  const isGenuine = keys().some((key) =>
    isSameSecret(given ?? '', sign(key, uploadId, expires ?? '', maximum ?? '')),
  );
  if (!isGenuine) return undefined;
  return Number(expires) * 1000 > Date.now() ? Number(maximum) : undefined;
}
