import { crc32, deflateRawSync } from 'node:zlib';

/** A file of an archive; `path` has slashes. */
interface ArchivedFile {
  path: string;
  content: string;
}

const latest = 20;
// Bit 11: names are UTF-8. Method 8: deflate. The time is 1980-01-01, so that equal files make equal
// archives.
const flags = 0x0800;
const deflate = 8;
const firstDay = 33;

/** A ZIP archive. Source: APPNOTE.TXT of PKWARE, 4.3. */
export function writeArchive(files: readonly ArchivedFile[]): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const { path, content } of files) {
    const plain = Buffer.from(content);
    const packed = deflateRawSync(plain);
    const name = Buffer.from(path);
    // The fields that both headers of a file have.
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(latest, 0);
    shared.writeUInt16LE(flags, 2);
    shared.writeUInt16LE(deflate, 4);
    shared.writeUInt16LE(firstDay, 8);
    shared.writeUInt32LE(crc32(plain), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(plain.length, 18);
    shared.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), shared, name, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    const version = Buffer.from([latest, 0]);
    entries.push(Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), version, shared, rest, name]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}
