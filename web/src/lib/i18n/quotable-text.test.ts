import { describe, expect, it } from 'vitest';
import { isBlank, quotableText } from './quotable-text.ts';

describe('quotableText', () => {
  it.each([
    ['plain words', 'renew visa', 'renew visa'],
    ['line ends and tabs', ' a\n\tb ', 'a b'],
    ['controls of direction', '\u202Eevil\u202C \u2066x\u2069\u200F', 'evil x'],
    ['a NUL and a bell', 'a\u0000\u0007b', 'a b'],
    ['joiners of Urdu', 'می\u200Cخواهم', 'می\u200Cخواهم'],
    ['towers of marks', `z${'\u0300'.repeat(40)}a`, 'za'],
    ['harakat', 'تَجْدِيدُ', 'تَجْدِيدُ'],
    ['markup stays text', '<script>alert(1)</script>', '<script>alert(1)</script>'],
  ])('%s', (_what, text, quoted) => {
    expect(quotableText(text)).toBe(quoted);
  });

  it('cuts what nobody reads, between letters', () => {
    expect(quotableText('x'.repeat(10_000))).toBe(`${'x'.repeat(80)}…`);
    expect(quotableText('🚗'.repeat(100))).toBe(`${'🚗'.repeat(80)}…`);
    expect(quotableText('x'.repeat(80))).toBe('x'.repeat(80));
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
