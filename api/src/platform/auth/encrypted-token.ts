import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Encrypts short texts into tokens for addresses, and decrypts them. Decision 0013. */
export interface TokenEncryptor {
  /** A token for an address, in base64url. It differs every time. */
  encrypt(text: string): string;
  /** The text of a token; `undefined` for anything that was not encrypted here. */
  decrypt(token: string): string | undefined;
}

/**
 * The authenticated ciphers for tokens: keys of 32 bytes, a nonce of 12, a tag of 16. The first
 * byte of every token is the position of its cipher in this list, from 1.
 */
export const tokenCiphers = ['aes-256-gcm', 'chacha20-poly1305'] as const;
type TokenCipher = (typeof tokenCiphers)[number];

const nonceBytes = 12;
const tagBytes = 16;
const maximumLength = 1000;
// Includes what mail programs may have added. Longer input is refused immediately, because the time
// to clean it grows with the square of its length.
const maximumInputLength = 2 * maximumLength;

/**
 * Creates an encryptor from `keys` of 32 bytes. The first key encrypts and all keys decrypt, so that
 * a key can be replaced, also while the encryptor is used. `cipher` can be replaced too, because a
 * token names its own. A token of another `purpose` is not decrypted. Throws for a key of another
 * length.
 */
export function createTokenEncryptor(
  keys: readonly Buffer[] | (() => readonly Buffer[]),
  purpose: string,
  cipher: TokenCipher = 'aes-256-gcm',
): TokenEncryptor {
  const associatedData = (version: number) => Buffer.from(`${purpose} ${version}`);
  const ownVersion = tokenCiphers.indexOf(cipher) + 1;
  const keysNow = typeof keys === 'function' ? keys : () => keys;
  const firstKey = () => {
    const [first] = keysNow();
    if (!first || keysNow().some((key) => key.length !== 32))
      throw new Error('a key of 32 bytes is needed');
    return first;
  };
  firstKey();

  function decryptWith(key: Buffer, bytes: Buffer): string | undefined {
    const version = bytes[0] ?? 0;
    try {
      const decipher = createDecipheriv(
        tokenCiphers[version - 1] as 'aes-256-gcm',
        key,
        bytes.subarray(1, 1 + nonceBytes),
        { authTagLength: tagBytes },
      );
      decipher.setAAD(associatedData(version)).setAuthTag(bytes.subarray(-tagBytes));
      return Buffer.concat([
        decipher.update(bytes.subarray(1 + nonceBytes, -tagBytes)),
        // guard: signature of an encrypted token
        decipher.final(),
      ]).toString('utf8');
    } catch {
      return undefined;
    }
  }

  return {
    encrypt(text) {
      const nonce = randomBytes(nonceBytes);
      // Both ciphers are called in the same way, but node's types know these options for one only.
      const encryption = createCipheriv(cipher as 'aes-256-gcm', firstKey(), nonce, {
        authTagLength: tagBytes,
      });
      encryption.setAAD(associatedData(ownVersion));
      const content = Buffer.concat([encryption.update(text, 'utf8'), encryption.final()]);
      return Buffer.concat([
        Buffer.from([ownVersion]),
        nonce,
        content,
        encryption.getAuthTag(),
      ]).toString('base64url');
    },
    decrypt(token) {
      if (token.length > maximumInputLength) return undefined;
      // Mail programs may replace a plus by a space, and add padding and a space at the end.
      const text = token
        .trimStart()
        .replaceAll(' ', '+')
        .replace(/=+\+*$/, '');
      if (text.length > maximumLength || !/^[\w+/-]+$/.test(text)) return undefined;
      // A space at the end was a plus or was added: try both.
      const candidates = [...new Set([text, text.replace(/\++$/, '')])]
        .map((candidate) => Buffer.from(candidate, 'base64'))
        .filter(
          (bytes) =>
            tokenCiphers[(bytes[0] ?? 0) - 1] !== undefined &&
            bytes.length > 1 + nonceBytes + tagBytes,
        );
      return candidates
        .flatMap((bytes) => keysNow().map((key) => decryptWith(key, bytes)))
        .find((decrypted) => decrypted !== undefined);
    },
  };
}
