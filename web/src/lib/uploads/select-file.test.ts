import { describe, expect, it } from 'vitest';
import { findFileRefusal, mediaTypeOf, prepareFile } from './select-file.ts';

const rule = { mediaTypes: ['application/pdf', 'image/png'], maximumBytes: 1000 };
const file = (name: string, type: string, size: number) => ({ name, type, size });

describe('findFileRefusal', () => {
  it.each([
    ['a good one', file('a.pdf', 'application/pdf', 1000), undefined],
    ['one whose type the phone does not name', file('a.PNG', '', 5), undefined],
    ['another kind', file('a.exe', 'application/x-msdownload', 5), 'wrongType'],
    ['a kind that this document may not be', file('a.jpg', 'image/jpeg', 5), 'wrongType'],
    ['one byte too many', file('a.pdf', 'application/pdf', 1001), 'tooLarge'],
    ['a picture in its maker’s own format', file('a.HEIC', '', 5), 'heic'],
    ['a JPEG under the name of a PDF', file('a.pdf', 'image/jpeg', 5), 'otherType'],
    ['a PNG under the name of Apple’s format', file('a.heic', 'image/png', 5), undefined],
    ['nothing in it', file('a.pdf', 'application/pdf', 0), 'empty'],
  ])('%s', (_, given, refusal) => expect(findFileRefusal(given, rule)).toBe(refusal));
  it('without type and extension is application/octet-stream', () =>
    expect(mediaTypeOf(file('scan', '', 5))).toBe('application/octet-stream'));
});

describe('prepareFile', () => {
  const heicOf = (brand: string) => `\0\0\0\x18ftyp${brand}\0\0\0\0mif1${brand}`;
  const contents: [string, string, string][] = [
    ['PDF', '%PDF-1.7\n', 'application/pdf'],
    ['PNG', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'image/png'],
    ...['heic', 'heix', 'mif1', 'hevc'].map((brand): [string, string, string] => [
      brand,
      heicOf(brand),
      'image/heic',
    ]),
  ];
  const prepare = (content: string, name: string, type: string) =>
    prepareFile(
      new File([Uint8Array.from(content, (letter) => letter.charCodeAt(0))], name, { type }),
      { mediaTypes: ['application/pdf', 'image/png'], maximumBytes: 1000 },
    );
  it.each(contents)('finds %s under another name', async (_, content, type) => {
    const prepared = await prepare(content, 'a.jpg', 'image/jpeg');
    expect([prepared.type, prepared.name, prepared.size]).toEqual([type, 'a.jpg', content.length]);
    const photos = { mediaTypes: ['image/jpeg'], maximumBytes: 1000 };
    expect(findFileRefusal(prepared, photos)).toBe(type === 'image/heic' ? 'heic' : 'otherType');
  });
  it.each([
    ['text', 'hello', 'text/plain'],
    ['a film', '\0\0\0\x18ftypisom', 'video/mp4'],
    ['nothing', '', ''],
  ])('leaves %s as it is', async (_, content, type) =>
    expect((await prepare(content, 'a.jpg', type)).type).toBe(type),
  );
});
