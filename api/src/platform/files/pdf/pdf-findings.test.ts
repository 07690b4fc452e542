import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { findPdfFindings } from './pdf-findings.ts';

/** A PDF with these objects, each a body after `n 0 obj`. */
const pdfOf = (...bodies: (string | Buffer)[]) =>
  Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    ...bodies.flatMap((body, index) => [
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(body),
      Buffer.from('\nendobj\n'),
    ]),
    Buffer.from('trailer\n<< /Root 1 0 R >>\n%%EOF\n'),
  ]);
const catalog = '<< /Type /Catalog /OpenAction 9 0 R >>';
const script = '<< /S /JavaScript /JS (app.alert(1)) >>';
const deflate = (text: string) => deflateSync(Buffer.from(text));
/** An object stream with one object. `dictionary` has the entries beside N and First. */
const objectStream = (
  content: string,
  dictionary = '/Type /ObjStm /Filter /FlateDecode',
  encode: (text: string) => Buffer = deflate,
) =>
  Buffer.concat([
    Buffer.from(`<< /N 1 /First 4 ${dictionary} >>\nstream\n`),
    encode(`9 0 ${content}`),
    Buffer.from('\nendstream'),
  ]);
const stream = (content: string) =>
  `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;
const hex = (content: Buffer) => Buffer.from(`${content.toString('hex')}>`);
const runLength = (text: string) =>
  Buffer.concat([Buffer.from([text.length - 1]), Buffer.from(text), Buffer.from([128])]);

describe('active and hidden content', () => {
  it.each([
    ['a script', script, ['script']],
    [
      'a script at a page',
      '<< /Type /Page /AA << /O << /S /JavaScript /JS 8 0 R >> >> >>',
      ['script'],
    ],
    ['the names of scripts', '<< /Names << /JavaScript 8 0 R >> >>', ['script']],
    ['a rendition with a script', '<< /S /Rendition /OP 0 /JS (app.alert(1)) >>', ['script']],
    ['a form of XML', '<< /AcroForm << /XFA [(template) 8 0 R] >> >>', ['script']],
    ['the script of a 3D view', '<< /Type /3D /OnInstantiate 8 0 R >>', ['script']],
    ['a program', '<< /S /Launch /F (cmd.exe) >>', ['launch']],
    ['a form that sends its data', '<< /S /SubmitForm /F (https://example.com) >>', ['launch']],
    ['a form that reads data', '<< /S /ImportData /F (data.fdf) >>', ['launch']],
    ['a file within the file', '<< /S /GoToE /T << /R /C /N (a.pdf) >> >>', ['launch']],
    [
      'an address as the first action',
      '<< /OpenAction << /S /URI /URI (https://a.ae) >> >>',
      ['launch'],
    ],
    [
      'an address behind the first action',
      '<< /OpenAction << /S /GoTo /D [5 0 R] /Next [<< /S /U#52I /URI (https://a.ae) >>] >> >>',
      ['launch'],
    ],
    [
      'an address when a page opens',
      '<< /Type /Page /AA << /O << /S /URI /URI (https://a.ae) >> >> >>',
      ['launch'],
    ],
    [
      'another file as the first action',
      '<< /OpenAction << /S /GoToR /F (a.pdf) >> >>',
      ['launch'],
    ],
    ['a film', '<< /Type /Annot /Subtype /RichMedia >>', ['launch']],
    ['the action of a button by itself', '/Launch', ['launch']],
    ['a file', '<< /Type /Filespec /EF << /F 8 0 R >> >>', ['embedded']],
  ])('%s', (_, body, findings) => expect(findPdfFindings(pdfOf(catalog, body))).toEqual(findings));

  const address = '<< /S /URI /URI (https://a.ae) >>';
  it.each<[string, string | Buffer]>([
    ['an object', `<< /Title (x) >> endobj 9 0 obj ${address}`],
    ['an object whose header has a comment', `<< /Title (x) >> endobj 9 0 %x\nobj ${address}`],
    ['an object stream', objectStream(address)],
  ])('an address as the first action, which is %s', (_, body) =>
    expect(findPdfFindings(pdfOf(catalog, body))).toEqual(['launch']),
  );

  it('an address of a link is no finding', () =>
    expect(
      findPdfFindings(
        pdfOf(
          '<< /Type /Catalog /OpenAction [3 0 R /Fit] /Outlines << /First 5 0 R >> >>',
          `<< /Type /Annot /Subtype /Link /A ${address} >>`,
          '<< /Type /Page /Annots [2 0 R << /Subtype /Link /A 4 0 R >>] >>',
          address,
          '<< /Title (a) /A 4 0 R /Next 6 0 R >>',
          `<< /Title (b) /A ${address} /Prev 5 0 R >>`,
        ),
      ),
    ).toEqual([]));

  it('a script in the trailer, and a password', () => {
    const withTrailer = (entries: string) =>
      Buffer.concat([pdfOf(catalog), Buffer.from(`trailer << ${entries} >>\n%%EOF`)]);
    expect(findPdfFindings(withTrailer(`/Root << /OpenAction ${script} >>`))).toEqual(['script']);
    expect(findPdfFindings(withTrailer('/Encrypt 7 0 R'))).toEqual(['encrypted']);
  });

  it('an ordinary document has none, and the words in its texts are no names', () => {
    const image = Buffer.concat([
      Buffer.from('<< /Subtype /Image /Filter /DCTDecode >>\nstream\n'),
      Buffer.alloc(100_000, 'Bytes such as those of a photo. '),
      Buffer.from('\nendstream'),
    ]);
    const ordinary = pdfOf(
      '<< /Type /Catalog /Lang (ar) /Version /1.7 % a comment\n/Numbers [-.5 +3 --1 .] >>',
      stream('BT (/JavaScript obj) Tj ET'),
      objectStream('<< /Title (How to /Launch \\) /JS) /Link <2f4a53> >>'),
      image,
      '5',
      '',
    );
    expect(findPdfFindings(ordinary)).toEqual([]);
  });
});

describe('content that is hidden from a search for its words', () => {
  it.each<[string, string | Buffer]>([
    ['an encoded name', '<< /S /J#61vaScript /J#53 (app.alert(1)) >>'],
    ['a name encoded in lower case', '<< /#6aunk /#4aavaScript >>'],
    ['an object stream', objectStream(script)],
    [
      'an object stream of an encoded type',
      objectStream(script, '/Type/Obj#53tm /Filter/FlateDecode'),
    ],
    ['an object stream without a type', objectStream(script, '/Filter /FlateDecode')],
    [
      'two filters',
      objectStream(script, '/Type /ObjStm /Filter[/ASCIIHexDecode/FlateDecode]', (text) =>
        hex(deflate(text)),
      ),
    ],
    [
      'filters by their short names',
      objectStream(script, '/Type /ObjStm /Filter [/AHx /Fl]', (text) => hex(deflate(text))),
    ],
    ['another filter', objectStream(script, '/Type /ObjStm /Filter /RunLengthDecode', runLength)],
    [
      '3000 spaces before the stream',
      objectStream(script, `/Type /ObjStm /Filter /FlateDecode${' '.repeat(3000)}`),
    ],
    [
      'the word stream in the dictionary',
      objectStream(script, '/Type /ObjStm /X(stream\n) /Filter /FlateDecode'),
    ],
    [
      'a comment before the stream',
      Buffer.from(
        objectStream(script).toString('latin1').replace('stream\n', '%x\nstream %x\n'),
        'latin1',
      ),
    ],
    ['an object in the text of a page', stream(`8 0 obj ${script} endobj`)],
    ['an object in a string', `<< /Title (8 0 obj ${script} endobj) >>`],
    ['a header with a comment', `0 endobj 8 0%x\nobj ${script}`],
  ])('%s', (_, body) => expect(findPdfFindings(pdfOf(catalog, body))).toEqual(['script']));

  it.each([
    ['NUL', '<< /S\0/Launch >>'],
    ['a comment', '<< /S%x\n/Launch >>'],
    ['a repeated key', '<< /S /Launch /S /URI >>'],
    ['a separate object', '<< /S 3 0 R >> endobj 3 0 obj /Launch'],
  ])('a program after %s', (_, body) =>
    expect(findPdfFindings(pdfOf(catalog, body))).toEqual(['launch']),
  );
});

describe('what cannot be read is refused', () => {
  it.each<[string, string | Buffer]>([
    ['a dictionary without an end', `<< /A ${script}`],
    ['a key that is no name', `<< 5 ${script} >>`],
    ['a string without an end', '<< /A (( >>'],
    ['an object stream with an unknown filter', objectStream(script, '/Filter /Secret')],
    [
      'an object stream with a predictor',
      objectStream(script, '/Filter /FlateDecode /DecodeParms << /Predictor 12 >>'),
    ],
    [
      'an object stream that is not compressed as it says',
      objectStream(script, '/Filter /FlateDecode', (text) => Buffer.from(text)),
    ],
    ['an object stream with a repeated key', objectStream(script, '/Filter /FlateDecode /First 9')],
    ['an object stream whose filter is elsewhere', objectStream(script, '/Filter 7 0 R')],
    ['an object stream without its numbers', '<< /Type /ObjStm >>\nstream\n\nendstream'],
    ['a million arrays within each other', '['.repeat(1_000_000)],
    ['a stream that inflates to 40 MB', objectStream(' '.repeat(40_000_000))],
    [
      'a stream of a hundred filters',
      objectStream(script, `/Filter [${'/ASCIIHexDecode'.repeat(100)}]`),
    ],
  ])('%s', (_, body) => expect(() => findPdfFindings(pdfOf(catalog, body))).toThrow());

  it('ten streams of 15 MB each', () =>
    expect(() =>
      findPdfFindings(pdfOf(...Array(10).fill(objectStream(`()${' '.repeat(15_000_000)}`)))),
    ).toThrow('too large'));
});

// Made by qpdf 11.3 of an empty page and a script, which lies in an object stream.
describe('an encrypted document', () => {
  const read = (name: string) =>
    readFileSync(new URL(`../../../testing/restricted-pdfs/${name}.pdf`, import.meta.url));
  const findingsOf = (file: Buffer) => {
    try {
      return findPdfFindings(file);
    } catch {
      return 'damaged';
    }
  };
  const names = [
    'rc4-40',
    'rc4-128',
    'aes-128',
    'aes-128-open-metadata',
    'aes-256-revision-5',
    'aes-256',
    'aes-256-without-object-streams',
  ];
  it.each(names)('that opens without a password is searched: %s', (name) =>
    expect(findingsOf(read(name))).toEqual(['script']),
  );
  it.each(['ordinary-rc4-40', 'ordinary-aes-256'])('and has no finding by itself: %s', (name) =>
    expect(findingsOf(read(name))).toEqual([]),
  );
  it.each(['asks-rc4-128', 'asks-aes-256'])('that asks for a password is one: %s', (name) =>
    expect(findingsOf(read(name))).toEqual(['encrypted']),
  );

  const ordinary = read('ordinary-aes-256');
  const change = (from: string, to: string) =>
    Buffer.from(ordinary.toString('latin1').replace(from, to), 'latin1');
  it.each([
    ['another trailer', Buffer.concat([ordinary, Buffer.from('trailer << /Root 1 0 R >>\n')])],
    ['an unknown method', change('/AESV3', '/AESV9')],
    ['a proprietary handler', change('/Filter /Standard', '/Filter /Stendard')],
    ['another hash of the password', change('/U <', '/U <00')],
  ])('with %s is not decrypted', (_, file) => expect(findingsOf(file)).toEqual(['encrypted']));
  it('with a stream that is not encrypted is damaged', () => {
    const inserted = Buffer.concat([Buffer.from('99 0 obj\n'), objectStream(script)]);
    expect(findingsOf(Buffer.concat([ordinary, inserted]))).toBe('damaged');
  });
});
