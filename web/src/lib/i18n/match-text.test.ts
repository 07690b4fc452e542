import { describe, expect, it } from 'vitest';
import { toLatinDigits } from './digits.ts';
import { containsText } from './match-text.ts';

describe('containsText', () => {
  it.each([
    ['الإمارات', 'امارات'],
    ['رخصة', 'رخصه'],
    ['مُجَدَّد', 'مجدد'],
    ['مصطفى', 'مصطفي'],
    ['پاکستان', 'پاكستان'],
    ['India', 'ind'],
    ['Côte', 'cote'],
  ])('finds in %s what was typed as %s', (text, query) => {
    expect(containsText(text, query)).toBe(true);
  });

  it('does not find what is not there', () => {
    expect(containsText('دبي', 'عمان')).toBe(false);
  });
});

describe('toLatinDigits', () => {
  it('reads all three digit sets', () => {
    expect(toLatinDigits('٠٥٠ ۱۲۳ 456 ٫')).toBe('050 123 456 .');
  });
});
