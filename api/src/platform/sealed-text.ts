import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Short texts that only this product can read or make, for addresses. Decision 0013. */
export interface SealedText {
  /** A text for an address, another one each time. */
  seal(text: string): string;
  /** What was sealed; `undefined` for anything that was not sealed here, whatever it is. */
  open(sealed: string): string | undefined;
}

const algorithm = 'aes-256-gcm';
const version = 1;
const nonceBytes = 12;
const tagBytes = 16;
const mostCharacters = 1000;
// What mail programs may have added; more is not looked at, because looking takes the square of its length.
const mostTyped = 2 * mostCharacters;

/** `keys` of 32 bytes: the first seals, all open, so that a key can be replaced. `purpose` keeps texts sealed for something else out. */
export function sealedText(keys: readonly Buffer[], purpose: string): SealedText {
  const about = Buffer.from(`${purpose} ${version}`);
  const [first] = keys;
  if (!first || keys.some((key) => key.length !== 32)) throw new Error('a key of 32 bytes is needed');

  function openWith(key: Buffer, bytes: Buffer): string | undefined {
    try {
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(1, 1 + nonceBytes), { authTagLength: tagBytes });
      decipher.setAAD(about).setAuthTag(bytes.subarray(-tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(1 + nonceBytes, -tagBytes)), decipher.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  }

  return {
    seal(text) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, first, nonce, { authTagLength: tagBytes });
      cipher.setAAD(about);
      const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.from([version]), nonce, content, cipher.getAuthTag()]).toString('base64url');
    },
    open(sealed) {
      if (sealed.length > mostTyped) return undefined;
      // Links travel through mail programs: a plus may have become a space, padding and a space may have come at the end.
      const text = sealed.trimStart().replaceAll(' ', '+').replace(/=+\+*$/, '');
      if (text.length > mostCharacters || !/^[\w+/-]+$/.test(text)) return undefined;
      // A space at the end was a plus or was nothing.
      const readings = [...new Set([text, text.replace(/\++$/, '')])].map((reading) => Buffer.from(reading, 'base64')).filter((bytes) => bytes[0] === version && bytes.length > 1 + nonceBytes + tagBytes);
      return readings.flatMap((bytes) => keys.map((key) => openWith(key, bytes))).find((opened) => opened !== undefined);
    },
  };
}
