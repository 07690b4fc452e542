import { crc32 } from 'node:zlib';

/** A file of a ZIP. */
interface ZipEntry {
  /** ASCII only. */
  name: string;
  content: Buffer;
}

// MS-DOS time has no zone and no time before 1980: the same entries have the same bytes.
const time = 0;
const day = (1 << 5) | 1;

function header(
  signature: number,
  { name, content }: ZipEntry,
  more: readonly number[] = [],
): Buffer {
  const isCentral = more.length > 0;
  const head = Buffer.alloc(isCentral ? 46 : 30);
  let at = head.writeUInt32LE(signature);
  if (isCentral) at = head.writeUInt16LE(20, at);
  // Version 2.0, no flags, stored without compression: a PDF is compressed already.
  for (const value of [20, 0, 0, time, day]) at = head.writeUInt16LE(value, at);
  for (const value of [crc32(content), content.length, content.length])
    at = head.writeUInt32LE(value, at);
  at = head.writeUInt16LE(name.length, at);
  if (isCentral) head.writeUInt32LE(more[0] ?? 0, 42);
  return Buffer.concat([head, Buffer.from(name, 'ascii')]);
}

/**
 * A ZIP of files that are stored as they are; together less than 4 GB and 65,535 files. Source:
 * APPNOTE.TXT of PKWARE, 4.3.
 */
export function makeZip(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const local = header(0x04_03_4b_50, entry);
    parts.push(local, entry.content);
    central.push(header(0x02_01_4b_50, entry, [offset]));
    offset += local.length + entry.content.length;
  }
  const size = central.reduce((sum, { length }) => sum + length, 0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06_05_4b_50);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...central, end]);
}
