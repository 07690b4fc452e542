import { Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';

const endRecord = Buffer.from([0x50, 0x4b, 0x05, 0x06]);
const entryRecord = 0x02014b50;
const localRecord = 0x04034b50;
const [storedMethod, deflateMethod] = [0, 8];
/** Marks a size or position that is in a record of ZIP64. */
const elsewhere = 0xffffffff;

interface Entry {
  method: number;
  packed: number;
  unpacked: number;
  header: number;
}

/** The entries of the directory. Throws for an archive without a directory and for ZIP64. */
function readDirectory(zip: Buffer): Entry[] {
  const end = zip.lastIndexOf(endRecord);
  if (end < 0) throw new Error('not a ZIP archive');
  const start = zip.readUInt32LE(end + 16);
  // Programs differ in what they read where something lies between the directory and its end record.
  if (start + zip.readUInt32LE(end + 12) !== end) throw new Error('a directory at another place');
  const entries: Entry[] = [];
  // Readers do not stop at the number of entries that the end record names.
  for (let at = start; zip.readUInt32LE(at) === entryRecord;) {
    const entry = {
      method: zip.readUInt16LE(at + 10),
      packed: zip.readUInt32LE(at + 20),
      unpacked: zip.readUInt32LE(at + 24),
      header: zip.readUInt32LE(at + 42),
    };
    if ([entry.packed, entry.unpacked, entry.header].includes(elsewhere))
      throw new Error('an entry of ZIP64');
    entries.push(entry);
    at += 46 + [28, 30, 32].reduce((sum, field) => sum + zip.readUInt16LE(at + field), 0);
  }
  return entries;
}

/** Whether an entry has the size that the directory declares. None of the content is stored. */
async function hasDeclaredSize(zip: Buffer, entry: Entry): Promise<boolean> {
  const { header, method, packed, unpacked } = entry;
  if (zip.readUInt32LE(header) !== localRecord) return false;
  const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
  if (start + packed > zip.length) return false;
  if (method === storedMethod) return packed === unpacked;
  if (method !== deflateMethod) return false;
  let size = 0;
  const inflated = Readable.from([zip.subarray(start, start + packed)]).pipe(createInflateRaw());
  for await (const piece of inflated) {
    size += (piece as Buffer).length;
    if (size > unpacked) return false;
  }
  return size === unpacked;
}

/**
 * The bytes of all files in a ZIP archive, by the sizes in its directory. Up to `maximumBytes` each
 * size is confirmed by unpacking, without keeping the content: a directory may name too small ones.
 * Throws for what is no complete archive or has wrong sizes. Source: APPNOTE.TXT of PKWARE, 4.3.
 */
export async function getUnpackedSize(zip: Buffer, maximumBytes: number): Promise<number> {
  const entries = readDirectory(zip);
  const total = entries.reduce((sum, { unpacked }) => sum + unpacked, 0);
  if (total > maximumBytes) return total;
  for (const entry of entries)
    if (!(await hasDeclaredSize(zip, entry))) throw new Error('an entry with a wrong size');
  return total;
}
