import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Short texts that only this product can read or make, for addresses. Decision 0013. */
export interface SealedText {
  /** A text for an address, another one each time. */
  seal(text: string): string;
  /** What was sealed; `undefined` for anything that was not sealed here, whatever it is. */
  open(sealed: string): string | undefined;
}

/**
 * The authenticated ciphers that texts can be sealed with: keys of 32 bytes, a nonce of 12, a tag
 * of 16. Their place, from 1, stands in every text.
 */
export const ciphers = ['aes-256-gcm', 'chacha20-poly1305'] as const;
export type Cipher = (typeof ciphers)[number];

const nonceBytes = 12;
const tagBytes = 16;
const mostCharacters = 1000;
// What mail programs may have added; more is not looked at, because looking takes the square of its
// length.
const mostTyped = 2 * mostCharacters;

/**
 * `keys` of 32 bytes: the first seals, all open, so that a key can be replaced; so can `cipher`,
 * because a text names its own. `purpose` keeps texts sealed for something else out.
 */
export function sealedText(
  keys: readonly Buffer[],
  purpose: string,
  cipher: Cipher = 'aes-256-gcm',
): SealedText {
  const about = (version: number) => Buffer.from(`${purpose} ${version}`);
  const own = ciphers.indexOf(cipher) + 1;
  const [first] = keys;
  if (!first || keys.some((key) => key.length !== 32))
    throw new Error('a key of 32 bytes is needed');

  function openWith(key: Buffer, bytes: Buffer): string | undefined {
    const version = bytes[0] ?? 0;
    try {
      const decipher = createDecipheriv(
        ciphers[version - 1] as 'aes-256-gcm',
        key,
        bytes.subarray(1, 1 + nonceBytes),
        { authTagLength: tagBytes },
      );
      decipher.setAAD(about(version)).setAuthTag(bytes.subarray(-tagBytes));
      return Buffer.concat([
        decipher.update(bytes.subarray(1 + nonceBytes, -tagBytes)),
        decipher.final(),
      ]).toString('utf8');
    } catch {
      return undefined;
    }
  }

  return {
    seal(text) {
      const nonce = randomBytes(nonceBytes);
      // Both are called alike; node's types know the options of one name only.
      const sealing = createCipheriv(cipher as 'aes-256-gcm', first, nonce, {
        authTagLength: tagBytes,
      });
      sealing.setAAD(about(own));
      const content = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
      return Buffer.concat([Buffer.from([own]), nonce, content, sealing.getAuthTag()]).toString(
        'base64url',
      );
    },
    open(sealed) {
      if (sealed.length > mostTyped) return undefined;
      // Links travel through mail programs: a plus may have become a space, padding and a space may
      // have come at the end.
      const text = sealed
        .trimStart()
        .replaceAll(' ', '+')
        .replace(/=+\+*$/, '');
      if (text.length > mostCharacters || !/^[\w+/-]+$/.test(text)) return undefined;
      // A space at the end was a plus or was nothing.
      const readings = [...new Set([text, text.replace(/\++$/, '')])]
        .map((reading) => Buffer.from(reading, 'base64'))
        .filter(
          (bytes) =>
            ciphers[(bytes[0] ?? 0) - 1] !== undefined && bytes.length > 1 + nonceBytes + tagBytes,
        );
      return readings
        .flatMap((bytes) => keys.map((key) => openWith(key, bytes)))
        .find((opened) => opened !== undefined);
    },
  };
}
