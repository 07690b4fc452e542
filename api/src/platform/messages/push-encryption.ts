import { createCipheriv, createECDH, hkdfSync, randomBytes, type ECDH } from 'node:crypto';

/** Both ends of a message to a browser use this curve. Source: RFC 8291 §2, RFC 8292 §2. */
export const pushCurve = 'prime256v1';

/** The keys of a browser: its public key, an uncompressed point, and its secret. */
interface BrowserKeys {
  publicKey: Buffer;
  secret: Buffer;
}

// A record of 4096 bytes is what every push service accepts: RFC 8030 §7.2, RFC 8188 §2.
const recordSize = 4096;
const headerLength = 16 + 4 + 1 + 65;
const tagLength = 16;

/** The longest message in bytes. */
export const maximumPushBytes = recordSize - headerLength - tagLength - 1;

const derive = (key: Buffer, salt: Buffer, info: string | Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, length));

function newSender(): ECDH {
  const sender = createECDH(pushCurve);
  sender.generateKeys();
  return sender;
}

/**
 * Encrypts a message for a browser by aes128gcm: RFC 8291. `sender` and `salt` are new for each
 * message. Throws for a public key that is not on the curve.
 */
export function encryptPush(
  text: Buffer,
  { publicKey, secret }: BrowserKeys,
  sender = newSender(),
  salt = randomBytes(16),
): Buffer {
  const own = sender.getPublicKey();
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, own]);
  const key = derive(sender.computeSecret(publicKey), secret, info, 32);
  const cipher = createCipheriv(
    'aes-128-gcm',
    derive(key, salt, 'Content-Encoding: aes128gcm\0', 16),
    derive(key, salt, 'Content-Encoding: nonce\0', 12),
  );
  const size = Buffer.alloc(5);
  size.writeUInt32BE(recordSize);
  size[4] = own.length;
  // The last record of a message ends with 2: RFC 8188 §2.
  const record = Buffer.concat([cipher.update(text), cipher.update(Buffer.of(2)), cipher.final()]);
  return Buffer.concat([salt, size, own, record, cipher.getAuthTag()]);
}
