import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalizeText } from './normalize-text.ts';

test.each([
  ['alef with hamza', 'إصدار الرخصة', 'اصدار الرخصه'],
  ['alef with madda', 'آلية', 'الية'],
  ['alef wasla', 'ٱلرخصة', 'الرخصة'],
  ['harakat', 'تَجْدِيدُ الرُّخْصَةِ', 'تجديد الرخصة'],
  ['superscript alef', 'هٰذا', 'هذا'],
  ['tatweel', 'تجـــديد', 'تجديد'],
  ['alef maqsura', 'مستشفى', 'مستشفي'],
  ['ta marbuta', 'هوية', 'هويه'],
  ['hamza on waw', 'شؤون', 'شوون'],
  ['hamza on ya', 'هيئة', 'هييه'],
  ['hamza at the end, often left out in Urdu', 'اجراء', 'اجرا'],
  ['Farsi ya and kaf of Urdu against Arabic', 'کمپنی', 'كمپني'],
  ['heh goal', 'ادارہ', 'اداره'],
  ['heh doachashmee', 'گھر', 'گهر'],
  ['ta marbuta goal', 'زکوۃ', 'زكوه'],
  ['noon ghunna', 'گاڑیاں', 'گاڑيان'],
  ['hamza on heh goal', 'محکمۂ صحت', 'محکمہ صحت'],
  ['bari ye', 'کے لیے', 'كي ليي'],
  ['Arabic-Indic digits', '٢٠٢٦', '2026'],
  ['extended digits', '۱۲۳', '123'],
  ['presentation forms', 'ﻻﺋﺤﺔ', 'لائحة'],
  [
    'zero width joiner and bidi controls',
    '\u200fرخ\u200dصة\u200e \u2067تجارية\u2069',
    'رخصة تجارية',
  ],
  ['zero width non-joiner', 'بین\u200cالاقوامی', 'بینالاقوامی'],
  ['case', 'Renew TRADE Licence', 'renew trade licence'],
  ['accents', 'Café résumé', 'cafe resume'],
  ['full width', 'ＶＩＳＡ　５', 'visa 5'],
  ['Arabic comma and question mark', 'أبوظبي، دبي؟', 'ابوظبي دبي'],
  ['apostrophe', 'Agency’s guarantee', "agency's guarantee"],
])('two spellings become the same text: %s', (_what, one, other) => {
  expect(normalizeText(one)).toBe(normalizeText(other));
});

test.each([
  [
    'punctuation and line ends separate words',
    'Issue/Cancel  (Home-Delivery)\n\tPermit!',
    'issue cancel home delivery permit',
  ],
  ['a letter that only Urdu has keeps its form', 'گاڑی', 'گاڑي'],
  ['punctuation alone becomes an empty text', ' ،.؟!\u200b', ''],
  ['pattern characters of PostgreSQL are removed', '100%_\\', '100'],
])('%s', (_what, text, normalized) => {
  expect(normalizeText(text)).toBe(normalized);
});

test.each([
  ['كلب', 'قلب'],
  ['ذهب', 'دهب'],
  ['permit', 'permits'],
  ['ڈاکٹر', 'ذاکٹر'],
])('different words stay different: %s, %s', (one, other) => {
  expect(normalizeText(one)).not.toBe(normalizeText(other));
});

test('a second pass changes nothing', () => {
  for (const text of ['إِصْدَارُ هُوِيَّةٍ', 'محکمۂ اقتصادی ترقی، ابوظہبی', 'İstanbul ﷺ ½'])
    expect(normalizeText(normalizeText(text))).toBe(normalizeText(text));
});

test('ASCII text gives the same with and without a word of another script', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii', maxLength: 40 }), (text) => {
      expect(`${normalizeText(text)} دبي`.trim()).toBe(normalizeText(`${text} دبي`));
    }),
  );
});
