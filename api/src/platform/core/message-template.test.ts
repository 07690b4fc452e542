import { describe, expect, it } from 'vitest';
import {
  sanitizeCompanyName,
  fillTemplate,
  hasAllPlaceholders,
  isolateLeftToRight,
  sanitizePersonName,
  sanitizeMessageText,
} from './message-template.ts';

it.each([
  ['سارة بنت أحمد', 'سارة بنت أحمد'],
  ["D'Souza-Ali", "D'Souza-Ali"],
  ['<b>x</b>', 'b x b'],
  ['evil.example/a?b=c', 'evil example a b c'],
  ['A'.repeat(100_000), 'A'.repeat(60)],
  ['\u0000\u202e\n', ''],
])('sanitizePersonName %j', (name, shown) => expect(sanitizePersonName(name)).toBe(shown));

it.each([
  ['Noon.com Trading & Sons (3)', 'Noon com Trading & Sons (3)'],
  ['https://evil.example/pay\u202e\n', 'https evil example pay'],
  ['شركة العرض ذ.م.م', 'شركة العرض ذ.م.م'],
  ['10.0.0.1', '10 0 0 1'],
  ['A'.repeat(200), 'A'.repeat(120)],
])('sanitizeCompanyName %j', (name, shown) => expect(sanitizeCompanyName(name)).toBe(shown));

it('fills each placeholder once and does not fill the inserted values', () => {
  expect(fillTemplate('{{a}} {{b}} {{c}} {{a}}', { a: '{{b}}', b: '$&' })).toBe('{{b}} $&  {{b}}');
  expect([
    hasAllPlaceholders('{{a}}', { a: 'x' }),
    hasAllPlaceholders('{{a}} {{b}}', { a: 'x', b: '' }),
    hasAllPlaceholders('plain', {}),
  ]).toEqual([true, false, true]);
});

describe('sanitizeMessageText', () => {
  const clean = (text: string) => sanitizeMessageText(text, 'https://diwan.example', '(elsewhere)');

  it('keeps only links to the portal', () => {
    expect(clean('https://diwan.example/services and https://diwan.example')).toBe(
      'https://diwan.example/services and https://diwan.example',
    );
    for (const text of [
      'https://diwan.example.evil/x',
      'HTTPS://EVIL.example',
      'javascript://x',
      'www.evil.example',
      'www。evil.example',
      'https://diwan.example@evil.example/',
      '\\\\server\\share',
    ])
      expect(clean(text)).toBe('(elsewhere)');
  });

  // Mail programs turn labels with dots between them into a link, when the last label is a word.
  it.each([
    ['pay at evil.com now', 'pay at evil. com now'],
    ['portal.ae.com/pay?x=1', 'portal. ae. com/pay?x=1'],
    ['EVIL.CO.UK:8080', 'EVIL. CO. UK:8080'],
    ['t.co', 't. co'],
    ['bob@evil.com', 'bob@evil. com'],
    ['mailto:a@b.co', 'mailto:a@b. co'],
    ['مثال.امارات/دفع', 'مثال. امارات/دفع'],
    ['xn--80ak.xn--p1ai', 'xn--80ak. xn--p1ai'],
    ['evil。com', 'evil。 com'],
    ['evil．ｃｏｍ', 'evil． ｃｏｍ'],
    ['evil\u200b.\u2060com', 'evil\u200b. \u2060com'],
    ['10.0.0.1/pay', '10. 0. 0. 1/pay'],
    ['report.pdf.com', 'report. pdf. com'],
    ['report.pdf/x', 'report. pdf/x'],
    ['photo.zip', 'photo. zip'],
    ['{evil.com}', '{evil. com}'],
    ['«evil.com»', '«evil. com»'],
    ['evil.com.', 'evil. com.'],
  ])('does not leave a link in %j', (text, shown) => expect(clean(text)).toBe(shown));

  it.each([
    'e.g. this, i.e. that, a.m., Ph.D., J.R. Smith, L.L.C., U.A.E',
    'ذ.م.م والطلب رقم 3.',
    'انتهى الطلب. شكرا لك.',
    'درخواست مکمل ہے۔شکریہ',
    'AED 12,345.00 or 1.5 km',
    'v2.1.3 of 21.11.2026, No.5, 10.30',
    'passport.pdf, Photo.JPG and scan.docx.',
    'wait ... and then',
    'first\n- second: third',
    '',
  ])('does not change %j', (text) => expect(clean(text)).toBe(text));

  it('removes bidi controls', () =>
    expect(clean('\u202emoc.live\u202c is \u2067fine\u2069\u2069')).toBe('moc. live is fine'));

  it('adds a missing space after a full stop', () => {
    expect(clean('الطلب ناقص.يرجى إرفاق الجواز')).toBe('الطلب ناقص. يرجى إرفاق الجواز');
    expect(clean('Send it again.Thanks, e.g.this')).toBe('Send it again. Thanks, e.g. this');
  });

  it('takes less than two seconds for long hostile texts', () => {
    const startedAt = performance.now();
    for (const text of [
      'a.'.repeat(50_000),
      '\u200b'.repeat(2000),
      `a${'\u200b'.repeat(2000)}.com`,
      '\\'.repeat(50_000),
      'a'.repeat(2000),
    ])
      clean(text);
    expect(performance.now() - startedAt).toBeLessThan(2000);
  });
});

it('isolateLeftToRight wraps a text, but not an empty one', () =>
  expect([isolateLeftToRight('FT-1/2'), isolateLeftToRight('')]).toEqual([
    '\u2066FT-1/2\u2069',
    '',
  ]));
