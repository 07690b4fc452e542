import { createTokenEncryptor } from './encrypted-token.ts';
import type { Keys } from './secrets.ts';

/** Opaque, short-lived references for one user. */
export interface FileReferences {
  make(id: string, userId: string): string;
  /** The id; `undefined` for a reference that is forged, expired or made for another user. */
  read(reference: string, userId: string): string | undefined;
}

/**
 * References that are encrypted with a key, 32 bytes in base64url, and expire after `seconds`.
 * Decision 0013.
 */
export function createFileReferences(keys: Keys, seconds: number): FileReferences {
  const encryptor = createTokenEncryptor(
    () => keys().map((key) => Buffer.from(key, 'base64url')),
    'file reference',
  );
  return {
    make: (id, userId) =>
      encryptor.encrypt(JSON.stringify([id, userId, Math.floor(Date.now() / 1000) + seconds])),
    read(reference, userId) {
      const text = encryptor.decrypt(reference);
      if (text === undefined) return undefined;
      const [id, owner, until] = JSON.parse(text) as [string, string, number];
      // guard: owner of a file reference
      if (owner !== userId) return undefined;
      // guard: expiry of a file reference
      if (until * 1000 <= Date.now()) return undefined;
      return id;
    },
  };
}
