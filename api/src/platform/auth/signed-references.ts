import { createHmac } from 'node:crypto';
import { isSameSecret } from '../core/same-secret.ts';

/** Opaque, short-lived references for one user. */
export interface SignedReferences {
  make(id: string, userId: string): string;
  /** The id; `undefined` for a reference that is forged, expired or made for another user. */
  read(reference: string, userId: string): string | undefined;
}

/** References that are signed with a secret and expire after `seconds`. */
export function createSignedReferences(secret: string, seconds: number): SignedReferences {
  const sign = (text: string) => createHmac('sha256', secret).update(text).digest();
  return {
    make(id, userId) {
      const text = Buffer.from(
        JSON.stringify([id, userId, Math.floor(Date.now() / 1000) + seconds]),
      ).toString('base64url');
      return `${text}.${sign(text).toString('base64url')}`;
    },
    read(reference, userId) {
      const [text = '', signature = ''] = reference.split('.');
      // guard: signature of a file reference
      if (!isSameSecret(Buffer.from(signature, 'base64url'), sign(text))) return undefined;
      const [id, owner, until] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [
        string,
        string,
        number,
      ];
      // guard: owner of a file reference
      if (owner !== userId) return undefined;
      // guard: expiry of a file reference
      if (until * 1000 <= Date.now()) return undefined;
      return id;
    },
  };
}
