import { crc32, deflateSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import { useTestApp } from '#testing/test-app.ts';
import { getAgencyRecords, saveAgency } from '@diwan/contract/catalogue/agencies';
import { uploadLogo } from '@diwan/contract/catalogue/logos';
import { makeSafePng } from './safe-png.ts';
import { makeSafeSvg } from './safe-svg.ts';

const drawing = (inner: string, root = '') => `<svg viewBox="0 0 8 8"${root}>${inner}</svg>`;

describe('makeSafeSvg', () => {
  it('keeps a drawing and leaves out what editors add', () => {
    expect(
      makeSafeSvg(
        `\uFEFF<?xml version="1.0"?><!-- by an editor --><svg xmlns="http://www.w3.org/2000/svg"
          xmlns:ink="urn:ink" viewBox="0 0 8 8" ink:version='1' data-name="x"><title>T</title>
          <metadata><rdf:RDF/></metadata><ink:view a="b"><path d="M0 0"/></ink:view>
          <style>.a{fill:url(#g)}</style><g class='a' style="fill:#fff"><path d="M1 1L&#50; 2"/></g>
          <text x="1">A &amp; B</text></svg>`,
      ),
    ).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><style>.a{fill:url(#g)}</style>' +
        '<g class="a" style="fill:#fff"><path d="M1 1L2 2"/></g><text x="1">A &amp; B</text></svg>',
    );
  });

  test.each([
    ['a script', drawing('<script>alert(1)</script>'), 'notAllowed <script>'],
    ['a script in another case', drawing('<SCRIPT>1</SCRIPT>'), 'notAllowed <SCRIPT>'],
    ['an event', drawing('<path onclick="x()"/>'), 'notAllowed onclick'],
    ['an event of the root', drawing('', ' onload="x()"'), 'notAllowed onload'],
    ['a page', drawing('<foreignObject><p/></foreignObject>'), 'notAllowed <foreignObject>'],
    ['a link', drawing('<a href="javascript:x"/>'), 'notAllowed <a>'],
    ['a picture', drawing('<image href="https://evil.example"/>'), 'notAllowed <image>'],
    ['a copy', drawing('<use xlink:href="#a"/>'), 'notAllowed <use>'],
    ['a reference', drawing('<path xlink:href="#a"/>'), 'notAllowed xlink:href'],
    ['an animation', drawing('<set attributeName="d"/>'), 'notAllowed <set>'],
    ['a loading style', drawing('<style>@import "x"</style>'), 'notAllowed @'],
    ['a loading value', drawing('<path fill="url(https://x)"/>'), 'notAllowed url('],
    ['an escaped style', drawing('<path style="fill:\\75rl(x)"/>'), 'notAllowed \\'],
    ['an entity', `<!DOCTYPE svg [<!ENTITY a "b">]>${drawing('')}`, 'notAllowed <!DOCTYPE'],
    ['an unknown entity', drawing('<text>&a;</text>'), 'notAllowed &a;'],
    ['raw characters', drawing('<text><![CDATA[<script>]]></text>'), 'notAllowed <![CDATA['],
    ['another document', '<html><body/></html>', 'notADrawing'],
    ['two roots', drawing('') + drawing(''), 'notADrawing'],
    ['an open element', '<svg><g></svg>', 'damaged'],
    ['a broken tag', '<svg><path d=M0></svg>', 'damaged'],
    ['no width', '<svg width="0" height="9"/>', 'size'],
    ['no height', '<svg width="9" height="0.00px"/>', 'size'],
    ['a negative side', '<svg width="-5" height="9"/>', 'size'],
    ['much depth', '<svg>'.repeat(50), 'tooComplex'],
    ['many parts', drawing('<g/>'.repeat(6000)), 'tooComplex'],
  ])('refuses %s', (_, source, problem) => expect(() => makeSafeSvg(source)).toThrow(problem));

  it.each(['width="0.5" height="10%"', 'width="100" height="05"', 'viewBox="0 0 8 8"'])(
    'takes %s',
    (sides) => expect(makeSafeSvg(`<svg ${sides}/>`)).toContain(sides),
  );

  it('reads a hostile file in a moment', () => {
    const started = performance.now();
    for (const source of [
      `<svg ${'a="b" '.repeat(30_000)}`,
      '<svg'.repeat(50_000),
      '<'.repeat(2e5),
    ])
      expect(() => makeSafeSvg(source)).toThrow();
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

function png(side: number, pixels: Buffer, ...more: Buffer[]): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, 0]);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...more,
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
const rows = (side: number) => Buffer.alloc(side * (1 + side * 4));

describe('makeSafePng', () => {
  it('keeps the picture and drops texts and what follows its end', () => {
    const hidden = chunk('tEXt', Buffer.from('Comment\0<script>alert(1)</script>'));
    const source = Buffer.concat([png(16, rows(16), hidden), Buffer.from('<script>')]);
    expect(makeSafePng(source)).toEqual(png(16, rows(16)));
  });

  test.each([
    ['a wrong checksum', () => Buffer.from(png(16, rows(16))).fill(1, 40, 41), 'damaged'],
    ['too many pixels', () => png(16, rows(17)), 'damaged'],
    ['too few pixels', () => png(17, rows(16)), 'damaged'],
    ['a huge picture', () => png(60_000, rows(16)), 'size'],
    ['a small one', () => png(4, rows(4)), 'size'],
    ['a cut file', () => png(16, rows(16)).subarray(0, 60), 'damaged'],
    ['another file', () => Buffer.from('\x89PNX\r\n\x1a\nxxxx', 'latin1'), 'notADrawing'],
  ])('refuses %s', (_, source, problem) => expect(() => makeSafePng(source())).toThrow(problem));
});

describe('uploadLogo', () => {
  const app = useTestApp();
  const upload = (content: Buffer | string) =>
    app.callAs('admin', uploadLogo, { body: { content: Buffer.from(content).toString('base64') } });

  it('stores a logo once; everybody sees it, and as a page it may do nothing', async () => {
    const { body } = await upload(drawing('<path d="M0 0"/>'));
    expect((await upload(drawing('<path d="M0 0"/>'))).body).toEqual(body);
    const picture = await app.server.inject({ url: body.logo });
    expect([picture.statusCode, picture.body]).toEqual([
      200,
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0"/></svg>',
    ]);
    expect(picture.headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/^default-src 'none'.*sandbox$/),
    });
    const agency = (await app.callAs('admin', getAgencyRecords)).body[0]!;
    const { id, version, name } = agency;
    const saved = await app.callAs('admin', saveAgency, {
      body: { id, version, name, logo: body.logo },
    });
    expect(saved.body.find((each) => each.id === id)?.logo).toBe(body.logo);
  });

  it('says why a file is refused, in the language of the admin', async () => {
    const { status, refused } = await upload(drawing('<script>1</script>'));
    expect([status, refused]).toEqual([
      400,
      { error: 'LogoNotUsable', message: expect.stringContaining('<script>') },
    ]);
    for (const wrong of ['hello', Buffer.from([0xff, 0xfe, 0x3c, 0x00]), 'GIF89a'])
      expect((await upload(wrong)).refused.error).toBe('LogoNotUsable');
    expect((await upload(Buffer.alloc(300_000))).status).toBe(400);
    for (const name of ['nothing.svg', `${'0'.repeat(32)}.svg`, '..%2F..%2Fetc%2Fpasswd'])
      expect((await app.server.inject({ url: `/logos/uploaded/${name}` })).statusCode).toBe(404);
  });
});
