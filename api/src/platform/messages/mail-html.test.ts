import { expect, it } from 'vitest';
import { mailHtml } from './mail-html.ts';

const link = 'https://diwan.example/requests?request=abc+def&a="b"';
const text = [
  'مرحبًا Sara Al Demo،',
  'حُفظ طلبك، وسيبدأ العمل عليه بعد دفع الرسوم.',
  'رقم الطلب: DW26-72981-21078\nالخدمة: تجديد الهوية',
  'المبلغ المستحق: 230.50 درهم',
  'رسالة من الجهة:\nPlease pay <b>now</b>.\nhttps://diwan.example/other',
  `دفع الرسوم:\n${link}`,
  'فريق ديوان',
].join('\n\n');
const html = mailHtml({ language: 'ar-EG', subject: 'ادفع رسوم طلبك DW26-72981-21078', text });
const cells = [...html.matchAll(/<td[^>]*>((?:(?!<\/?t).)*)<\/td>/g)].map(([, cell = '']) =>
  cell.replace(/<[^>]*>/g, ''),
);

it('begins with the subject, and shows the facts of neighbouring paragraphs as one table', () => {
  expect(html).toMatch(/<h1[^>]*>ادفع رسوم طلبك /);
  expect(cells.slice(cells.indexOf('رقم الطلب'), cells.indexOf('رقم الطلب') + 6)).toEqual([
    'رقم الطلب',
    'DW26-72981-21078',
    'الخدمة',
    'تجديد الهوية',
    'المبلغ المستحق',
    '230.50 درهم',
  ]);
});

it('has one button, for the last address with its purpose', () => {
  const buttons = [...html.matchAll(/<a href="([^"]*)" style="[^"]*inline-block[^"]*">([^<]*)</g)];
  expect(buttons.map(([, href, label]) => [href, label])).toEqual([
    ['https://diwan.example/requests?request=abc+def&#38;a=&#34;b&#34;', 'دفع الرسوم'],
  ]);
});

it('carries language and direction on every level, and isolates Latin names in Arabic', () => {
  expect(html).toContain('<html lang="ar" dir="rtl">');
  expect(html.match(/<td dir="(\w+)"/g)?.every((cell) => cell.includes('rtl'))).toBe(true);
  expect(html).toContain('مرحبًا <span dir="ltr" style="unicode-bidi:isolate">Sara Al Demo</span>،');
  const english = mailHtml({ language: 'en-US', subject: 'Pay', text: 'Dear سارة,' });
  expect(english).toContain('<html lang="en" dir="ltr">');
  expect(english).not.toContain('bidi');
  const urdu = mailHtml({ language: 'ur-PK', subject: 'ادائیگی', text: 'متن' });
  expect(urdu).toContain("18px/2.2 'Noto Nastaliq Urdu'");
});

it('escapes everything and fetches nothing', () => {
  expect(html).toContain('&#60;b&#62;now&#60;/b&#62;');
  for (const hostile of [
    '<script>alert(1)</script>',
    'Name: "><img src=x onerror=alert(1)>',
    'a:\nhttps://diwan.example/"onmouseover="alert(1)',
    'javascript:alert(1)',
  ]) {
    const written = mailHtml({ language: 'ar-EG', subject: hostile, text: hostile });
    expect(written).not.toMatch(/<script|<img|<[^>]*" ?on\w+=|href="javascript/);
  }
  expect(html).not.toMatch(/<(?:img|link|style|script|iframe)|url\(|src=/);
});
