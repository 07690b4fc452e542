import { createHmac, timingSafeEqual } from 'node:crypto';

/** Opaque, short-lived references made for one caller. */
export interface SignedReferences {
  make(id: string, userId: string): string;
  /** The id, when the reference is ours, still alive and made for this user. */
  read(reference: string, userId: string): string | undefined;
}

/** References signed with a secret; they live `seconds`. */
export function signedReferences(secret: string, seconds: number): SignedReferences {
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
      const given = Buffer.from(signature, 'base64url');
      const right = sign(text);
      if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
      const [id, owner, until] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [
        string,
        string,
        number,
      ];
      return owner === userId && until * 1000 > Date.now() ? id : undefined;
    },
  };
}
