import { Readable } from 'node:stream';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { demoPdf, demoPicture } from '#seed/demo-documents.ts';
import { smallPdf, smallPng } from '#testing/requests/demo-request.ts';
import { inspectFile, openFileContent, type InspectionRules } from './file-inspection.ts';

const all = ['application/pdf', 'image/jpeg', 'image/png'];
const strict: InspectionRules = {
  megapixels: 100,
  refused: ['encrypted', 'script', 'launch', 'embedded'],
};

/** Reads the content in small pieces, so that findings across the edge of two pieces are tested. */
function inspect(content: Buffer, rules = strict, accepted = all) {
  const read = async ({ start, end }: { start: number; end: number }) =>
    Readable.from(
      (function* pieces() {
        for (let at = start; at <= end; at += 7)
          yield content.subarray(at, Math.min(at + 7, end + 1));
      })(),
      { objectMode: false },
    );
  return inspectFile(openFileContent(content.length, read), accepted, rules);
}
const refusalOf = (content: Buffer, rules = strict) =>
  inspect(content, rules).then(
    () => 'accepted',
    (error: { refusal?: string; message: string }) => error.refusal ?? error.message,
  );
const pdfWith = (object: string | Buffer) =>
  Buffer.concat([smallPdf.subarray(0, 9), Buffer.from(object), smallPdf.subarray(9)]);
const compressed = (text: string) =>
  Buffer.concat([
    Buffer.from('5 0 obj\n<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode >>\nstream\r\n'),
    deflateSync(Buffer.from(`4 0 ${text}`)),
    Buffer.from('\nendstream\nendobj\n'),
  ]);
const scan = Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0x12, 0xff, 0, 0x34, 0xff, 0xd0]);
/** A profile or preview with the bytes of 200 scans, which count as its content. */
const preview = Buffer.concat([
  Buffer.from([0xff, 0xe1, 0x0c, 0x82]),
  Buffer.concat(Array(200).fill(scan)),
]);
const jpeg = (width: number, height: number, tail = Buffer.alloc(0), scans = 1) =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]),
    Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1'),
    Buffer.from([
      0xff,
      0xc0,
      0,
      11,
      8,
      height >> 8,
      height & 255,
      width >> 8,
      width & 255,
      1,
      1,
      0x11,
      0,
    ]),
    preview,
    ...Array<Buffer>(scans).fill(scan),
    Buffer.from([0xff, 0xd9]),
    tail,
  ]);
const hugePng = () => {
  const content = Buffer.from(smallPng);
  content.writeUInt32BE(60_000, 16);
  content.writeUInt32BE(60_000, 20);
  return content;
};
const zip = Buffer.concat([
  Buffer.from('PK\x03\x04', 'latin1'),
  Buffer.alloc(40),
  Buffer.from('PK\x05\x06', 'latin1'),
  Buffer.alloc(18),
]);

describe('the media type by the content', () => {
  it.each([
    ['a PDF', smallPdf, 'application/pdf'],
    ['the demo’s PDF', demoPdf('Trade licence'), 'application/pdf'],
    [
      'a PDF that ends in line breaks',
      Buffer.concat([smallPdf, Buffer.from('\r\n\0\0')]),
      'application/pdf',
    ],
    ['a PNG', smallPng, 'image/png'],
    ['the demo’s picture', demoPicture(), 'image/png'],
    ['a JPEG', jpeg(4000, 3000), 'image/jpeg'],
    ['a JPEG with 100 scans', jpeg(40, 30, undefined, 100), 'image/jpeg'],
    [
      'a JPEG that is followed by the film of its camera',
      jpeg(40, 30, Buffer.concat([preview, Buffer.from('SEFT')])),
      'image/jpeg',
    ],
    ['a JPEG with the trailer of its camera', jpeg(40, 30, Buffer.from('xxSEFT')), 'image/jpeg'],
  ])('%s', async (_, content, mediaType) =>
    expect(await inspect(content)).toEqual({ mediaType, findings: [] }),
  );

  it.each([
    [
      'an executable',
      Buffer.concat([Buffer.from('MZ'), Buffer.alloc(100)]),
      'AttachmentTypeNotAccepted',
    ],
    ['an archive', zip, 'AttachmentTypeNotAccepted'],
    ['a web page', Buffer.from('<html>'.padEnd(300)), 'AttachmentTypeNotAccepted'],
    [
      'a PDF that is also an archive',
      pdfWith(Buffer.concat([zip, Buffer.from('\n')])),
      'AttachmentDamaged',
    ],
    ['a PDF that is followed by an archive', Buffer.concat([smallPdf, zip]), 'AttachmentDamaged'],
    [
      'a PDF that is followed by a program',
      Buffer.concat([smallPdf, Buffer.from('MZ\x90\0'), Buffer.alloc(5000, 7)]),
      'AttachmentDamaged',
    ],
    [
      'a PDF that begins with a web page',
      pdfWith('%<html><script>alert(1)</script>\n'),
      'AttachmentDamaged',
    ],
    ['an incomplete PDF', smallPdf.subarray(0, 60), 'AttachmentDamaged'],
    ['an incomplete PNG', smallPng.subarray(0, -6), 'AttachmentDamaged'],
    ['a PNG that is followed by an archive', Buffer.concat([smallPng, zip]), 'AttachmentDamaged'],
    ['an incomplete JPEG', jpeg(40, 30).subarray(0, -4), 'AttachmentDamaged'],
    [
      'a JPEG that is also a PDF',
      Buffer.concat([jpeg(4, 4).subarray(0, 20), smallPdf, jpeg(4, 4).subarray(20)]),
      'AttachmentDamaged',
    ],
    [
      'a JPEG without a picture',
      Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 2, 0xff, 0xd9]),
      'AttachmentDamaged',
    ],
    ['a JPEG with 101 scans', jpeg(40, 30, undefined, 101), 'AttachmentDamaged'],
    [
      'a JPEG of 4295 million pixels behind a small one',
      Buffer.concat([jpeg(40, 30).subarray(0, -2), jpeg(65_535, 65_535).subarray(2)]),
      'AttachmentPictureTooLarge',
    ],
    ['a PNG of 3600 million pixels', hugePng(), 'AttachmentPictureTooLarge'],
    ['a JPEG of 4295 million pixels', jpeg(65_535, 65_535), 'AttachmentPictureTooLarge'],
  ])('refuses %s', async (_, content, refusal) => expect(await refusalOf(content)).toBe(refusal));
});

describe('a type that is not accepted', () => {
  const heic = (brand: string) =>
    Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0mif1${brand}`.padEnd(200, '\0'), 'latin1');
  const refused = (content: Buffer, accepted: string[]) =>
    inspect(content, strict, accepted).catch((error: { refusal?: string; params?: object }) => [
      error.refusal,
      error.params,
    ]);
  it.each(['heic', 'heix', 'mif1', 'hevc'])(
    'names a picture of Apple’s phones: %s',
    async (brand) => expect(await refused(heic(brand), all)).toEqual(['AttachmentHeic', {}]),
  );
  it.each([
    ['PDF', smallPdf, ['image/jpeg']],
    ['PNG', smallPng, ['application/pdf']],
    ['JPG', jpeg(4, 4), ['application/pdf']],
  ])('names a %s', async (type, content, accepted) =>
    expect(await refused(content, accepted)).toEqual(['AttachmentOtherType', { type }]),
  );
});

describe('active content of a PDF', () => {
  const action = '<< /S /JavaScript /JS (app.alert(1)) >>';
  const script = `4 0 obj\n${action}\nendobj\n`;
  const object = (text: string) => `4 0 obj\n${text}\nendobj\n`;
  it.each([
    ['JavaScript', script, 'AttachmentActive', 'script'],
    [
      'JavaScript under an encoded name',
      script.replace('/JavaScript', '/J#61va#53cript'),
      'AttachmentActive',
      'script',
    ],
    ['JavaScript in an object stream', compressed(action), 'AttachmentActive', 'script'],
    [
      'an action that starts a program',
      object('<< /S /Launch /F (cmd.exe) >>'),
      'AttachmentActive',
      'launch',
    ],
    ['an embedded file', object('<< /Type /EmbeddedFile >>'), 'AttachmentHoldsFiles', 'embedded'],
    ['a password', 'trailer\n<< /Encrypt 7 0 R >>\n', 'AttachmentEncrypted', 'encrypted'],
  ])(
    '%s is refused, or reported as a finding when the settings accept it',
    async (_, object, refusal, finding) => {
      const content = pdfWith(object);
      expect(await refusalOf(content)).toBe(refusal);
      expect(await inspect(content, { ...strict, refused: [] })).toEqual({
        mediaType: 'application/pdf',
        findings: [finding],
      });
    },
  );

  it('the word JavaScript in a text is no finding', async () =>
    expect(
      await inspect(pdfWith(object('<< /Title (How to write /JavaScript and /Launch it) >>'))),
    ).toEqual({
      mediaType: 'application/pdf',
      findings: [],
    }));
  it('a stream that inflates beyond the limit is refused', async () =>
    expect(await refusalOf(pdfWith(compressed(' '.repeat(40_000_000))))).toBe('AttachmentDamaged'));
});
