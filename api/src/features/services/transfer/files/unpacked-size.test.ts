import { expect, it } from 'vitest';
import { makeZip } from '#platform/core/make-zip.ts';
import { getUnpackedSize } from './unpacked-size.ts';

const megabyte = 1024 * 1024;
const entries = [
  { path: 'a.xml', content: Buffer.alloc(3 * megabyte, ' ') },
  { path: 'b/c.xml', content: Buffer.from('<c/>') },
];
/** A ZIP whose directory names another size for its first entry. */
function withSize(size: number): Buffer {
  const zip = makeZip(entries);
  const directory = zip.indexOf(Buffer.from('PK\x01\x02', 'latin1'));
  zip.writeUInt32LE(size, directory + 24);
  return zip;
}

it.each([false, true])('adds up the files of an archive, stored: %s', async (stored) =>
  expect(await getUnpackedSize(makeZip(entries, { stored }), 10 * megabyte)).toBe(3 * megabyte + 4),
);

it('does not unpack what is larger than the limit', async () =>
  expect(await getUnpackedSize(withSize(4_000_000_000), 10 * megabyte)).toBe(4_000_000_004));

it.each([0, 100, 3 * megabyte - 1, 3 * megabyte + 1])(
  'refuses an archive whose directory says %d bytes instead of 3 MB',
  async (size) =>
    expect(getUnpackedSize(withSize(size), 10 * megabyte)).rejects.toThrow('wrong size'),
);

it.each([
  ['no archive', Buffer.from('hello')],
  ['an archive of ZIP64', withSize(0xffffffff)],
  ['an incomplete archive', makeZip(entries).subarray(0, -30)],
  ['an archive behind other content', Buffer.concat([Buffer.from('MZ'), makeZip(entries)])],
  ['a directory that ends early', makeZip(entries).subarray(-60)],
])('refuses %s', async (_, content) =>
  expect(getUnpackedSize(content, 10 * megabyte)).rejects.toThrow(),
);
