import { describe, expect, it } from 'vitest';
import { toLatinDigits } from '@diwan/contract/wire/typed-number';
import { containsText, isBlank, sanitizeForQuote } from './normalize.ts';

describe('containsText', () => {
  it.each([
    ['الإمارات', 'امارات'],
    ['رخصة', 'رخصه'],
    ['مُجَدَّد', 'مجدد'],
    ['مصطفى', 'مصطفي'],
    ['پاکستان', 'پاكستان'],
    ['India', 'ind'],
    ['Côte', 'cote'],
    ['India', '\u202Dind\u202C\uFEFF'],
    ['می\u200Cخواهم', 'میخواهم'],
  ])('finds in %s the typed text %s', (text, query) => {
    expect(containsText(text, query)).toBe(true);
  });

  it('returns false for another text', () => {
    expect(containsText('دبي', 'عمان')).toBe(false);
  });
});

describe('toLatinDigits', () => {
  it('reads all three digit sets', () => {
    expect(toLatinDigits('٠٥٠ ۱۲۳ 456 ٫')).toBe('050 123 456 .');
  });

  it('reads no invisible marks', () => {
    expect(toLatinDigits('\u202D٠٥\u200F0\u202C ')).toBe('050');
  });
});

describe('sanitizeForQuote', () => {
  it.each([
    ['plain text', 'renew visa', 'renew visa'],
    ['line ends and tabs', ' a\n\tb ', 'a b'],
    ['direction controls', '\u202Eevil\u202C \u2066x\u2069\u200F', 'evil x'],
    ['a NUL and a bell', 'a\u0000\u0007b', 'a b'],
    ['joiners of Urdu', 'می\u200Cخواهم', 'می\u200Cخواهم'],
    ['stacked marks', `z${'\u0300'.repeat(40)}a`, 'za'],
    ['harakat', 'تَجْدِيدُ', 'تَجْدِيدُ'],
    ['markup stays text', '<script>alert(1)</script>', '<script>alert(1)</script>'],
  ])('%s', (_what, text, quoted) => {
    expect(sanitizeForQuote(text)).toBe(quoted);
  });

  it('cuts long texts between characters', () => {
    expect(sanitizeForQuote('x'.repeat(10_000))).toBe(`${'x'.repeat(80)}…`);
    expect(sanitizeForQuote('🚗'.repeat(100))).toBe(`${'🚗'.repeat(80)}…`);
    expect(sanitizeForQuote('x'.repeat(80))).toBe('x'.repeat(80));
  });
});

it.each([
  ['', true],
  [' \n', true],
  ['\u202E\u200B', true],
  ['\u0000', true],
  ['a', false],
  ['؟', false],
])('isBlank(%j)', (text, blank) => {
  expect(isBlank(text)).toBe(blank);
});
