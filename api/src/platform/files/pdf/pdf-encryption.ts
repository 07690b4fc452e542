import { createDecipheriv, createCipheriv, createHash } from 'node:crypto';
import {
  PDFArray,
  PDFBool,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFString,
  type PDFObject,
} from 'pdf-lib';

/** The numbers of an object, which are part of its key in older files. */
export interface ObjectId {
  number: number;
  generation: number;
}

/** Decrypts the content of a stream; bytes behind its end become other bytes behind its end. */
export type StreamDecryption = (content: Buffer, id: ObjectId) => Buffer;

/** The entries of the dictionary of encryption by their keys, and the first part of the file's ID. */
interface EncryptionEntries {
  entries: ReadonlyMap<string, PDFObject>;
  fileId: Buffer;
}

const padding = Buffer.from(
  '28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a',
  'hex',
);
const md5 = (...parts: Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest();
const sha = (bits: number, ...parts: Buffer[]) =>
  createHash(`sha${bits}`).update(Buffer.concat(parts)).digest();

// OpenSSL 3 has RC4 in a separate module, which Node.js does not load.
function rc4(key: Buffer, content: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const swap = (one: number, other: number) => {
    const kept = state[one] ?? 0;
    state[one] = state[other] ?? 0;
    state[other] = kept;
  };
  for (let at = 0, other = 0; at < 256; at += 1) {
    other = (other + (state[at] ?? 0) + (key[at % key.length] ?? 0)) & 255;
    swap(at, other);
  }
  const result = Buffer.allocUnsafe(content.length);
  for (let at = 0, one = 0, other = 0; at < content.length; at += 1) {
    one = (one + 1) & 255;
    other = (other + (state[one] ?? 0)) & 255;
    swap(one, other);
    const sum = ((state[one] ?? 0) + (state[other] ?? 0)) & 255;
    result[at] = (content[at] ?? 0) ^ (state[sum] ?? 0);
  }
  return result;
}

/** AES in CBC; what is not a whole block at the end is left out. */
function aes(key: Buffer, vector: Buffer, content: Buffer): Buffer {
  const cipher = createDecipheriv(`aes-${key.length * 8}-cbc`, key, vector).setAutoPadding(false);
  const blocks = cipher.update(content.subarray(0, content.length & ~15));
  return Buffer.concat([blocks, cipher.final()]);
}
/** The vector is the first block of the content. */
const aesWithVector = (key: Buffer, content: Buffer): Buffer =>
  content.length < 16 ? Buffer.alloc(0) : aes(key, content.subarray(0, 16), content.subarray(16));

/** The hash of the empty password. Source: ISO 32000-2, 7.6.4.3.4; revision 5 is Adobe's. */
function hashEmptyPassword(salt: Buffer, revision: number): Buffer {
  let hash = sha(256, salt);
  if (revision === 5) return hash;
  for (let round = 0, last = 0; round < 64 || last > round - 32; round += 1) {
    const repeated = Buffer.concat(Array<Buffer>(64).fill(hash));
    const encrypted = createCipheriv('aes-128-cbc', hash.subarray(0, 16), hash.subarray(16, 32))
      .setAutoPadding(false)
      .update(repeated);
    const rest = encrypted.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
    hash = sha([256, 384, 512][rest] ?? 256, encrypted);
    last = encrypted.at(-1) ?? 0;
  }
  return hash.subarray(0, 32);
}

class UnknownEncryption extends Error {}

/** Reads entries of a dictionary; throws for a missing one. */
function readerOf(entries: ReadonlyMap<string, PDFObject>) {
  return {
    number(key: string, fallback?: number): number {
      const value = entries.get(key);
      if (value instanceof PDFNumber) return value.asNumber();
      if (fallback === undefined) throw new UnknownEncryption(key);
      return fallback;
    },
    bytes(key: string, length: number): Buffer {
      const value = entries.get(key);
      const isText = value instanceof PDFString || value instanceof PDFHexString;
      const bytes = isText ? Buffer.from(value.asBytes()) : Buffer.alloc(0);
      if (bytes.length < length) throw new UnknownEncryption(key);
      return bytes.subarray(0, length);
    },
  };
}

const nameOf = (value: PDFObject | undefined): string =>
  value instanceof PDFName ? value.decodeText() : '';

/** How streams are encrypted: `Identity` is not at all. */
function methodOf(entries: ReadonlyMap<string, PDFObject>, version: number): string {
  if (version < 4) return 'V2';
  const name = nameOf(entries.get('StmF')) || 'Identity';
  if (name === 'Identity') return name;
  const filters = entries.get('CF');
  const filter = filters instanceof PDFDict ? filters.get(PDFName.of(name)) : undefined;
  const method = filter instanceof PDFDict ? nameOf(filter.get(PDFName.of('CFM'))) : '';
  if (method === 'None' || method === '') throw new UnknownEncryption('CFM');
  return method;
}

/** The key of a file of revision 5 or 6 that opens with the empty password. */
function findKeyByHash(entries: ReadonlyMap<string, PDFObject>, revision: number) {
  const reader = readerOf(entries);
  const user = reader.bytes('U', 48);
  const isOpen = hashEmptyPassword(user.subarray(32, 40), revision).equals(user.subarray(0, 32));
  if (!isOpen) return undefined;
  const key = hashEmptyPassword(user.subarray(40, 48), revision);
  return aes(key, Buffer.alloc(16), reader.bytes('UE', 32));
}

/** The key of an older file that opens with the empty password. Source: ISO 32000-1, 7.6.3.3. */
function findOlderKey({ entries, fileId }: EncryptionEntries, version: number, revision: number) {
  const reader = readerOf(entries);
  const length = revision === 2 ? 5 : reader.number('Length', version < 4 ? 40 : 128) / 8;
  if (!Number.isInteger(length) || length < 5 || length > 16) throw new UnknownEncryption('Length');
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE(reader.number('P') | 0);
  const isOpenMetadata = revision >= 4 && entries.get('EncryptMetadata') === PDFBool.False;
  let key = md5(
    padding,
    reader.bytes('O', 32),
    permissions,
    fileId,
    Buffer.alloc(isOpenMetadata ? 4 : 0, 0xff),
  ).subarray(0, length);
  for (let round = 0; revision > 2 && round < 50; round += 1) key = md5(key).subarray(0, length);

  let expected = revision === 2 ? rc4(key, padding) : rc4(key, md5(padding, fileId));
  for (let round = 1; revision > 2 && round < 20; round += 1)
    expected = rc4(Buffer.from(key.map((byte) => byte ^ round)), expected);
  return reader.bytes('U', 32).subarray(0, expected.length).equals(expected) ? key : undefined;
}

const salt = Buffer.from('sAlT');

/** The key of one object. Source: ISO 32000-1, 7.6.2. */
function keyOf(key: Buffer, { number, generation }: ObjectId, ...more: Buffer[]): Buffer {
  const numbers = Buffer.alloc(8);
  numbers.writeUInt32LE(number);
  numbers.writeUInt32LE(generation, 3);
  return md5(key, numbers.subarray(0, 5), ...more).subarray(0, Math.min(16, key.length + 5));
}

type Decryptions = Partial<Record<string, (key: Buffer) => StreamDecryption>>;
const olderDecryptions: Decryptions = {
  Identity: () => (content) => content,
  V2: (key) => (content, id) => rc4(keyOf(key, id), content),
  AESV2: (key) => (content, id) => aesWithVector(keyOf(key, id, salt), content),
};
const newDecryptions: Decryptions = {
  Identity: () => (content) => content,
  AESV3: (key) => (content) => aesWithVector(key, content),
};

/**
 * How to decrypt the streams of a PDF that opens with the empty user's password; `undefined` for
 * one that asks for a password, and for encryption that the standard does not have. Source:
 * ISO 32000-1, 7.6, and ISO 32000-2, 7.6.
 */
export function findStreamDecryption(from: EncryptionEntries): StreamDecryption | undefined {
  const { entries } = from;
  // A repeated key is stored under the empty name: readers differ in which one they use.
  if (nameOf(entries.get('Filter')) !== 'Standard' || entries.has('')) return undefined;
  try {
    const reader = readerOf(entries);
    const [version, revision] = [reader.number('V'), reader.number('R')];
    const method = methodOf(entries, version);
    const isNew = version === 5 && (revision === 5 || revision === 6);
    const isOlder = [1, 2, 4].includes(version) && [2, 3, 4].includes(revision);
    if (!isNew && !isOlder) return undefined;
    const key = isNew ? findKeyByHash(entries, revision) : findOlderKey(from, version, revision);
    // guard: PDF that asks for a password (pdf-findings)
    if (!key) return undefined;
    return (isNew ? newDecryptions : olderDecryptions)[method]?.(key);
  } catch (error) {
    if (error instanceof UnknownEncryption) return undefined;
    throw error;
  }
}

/** The first part of the ID of a file. */
export function fileIdOf(value: PDFObject | undefined): Buffer {
  const first = value instanceof PDFArray ? value.asArray()[0] : undefined;
  const isText = first instanceof PDFString || first instanceof PDFHexString;
  return isText ? Buffer.from(first.asBytes()) : Buffer.alloc(0);
}
