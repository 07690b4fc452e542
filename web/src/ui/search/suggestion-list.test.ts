import { describe, expect, it } from 'vitest';
import { matchedParts } from './suggestion-list.tsx';

const marked = (text: string, query: string) =>
  matchedParts(text, query)
    .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
    .join('');

describe('matchedParts', () => {
  it.each([
    ['Renew Trade Licence', 'trade', 'Renew [Trade] Licence'],
    ['Renew Trade Licence', 'e', 'R[e]new Trade Licence'],
    ['Renew Trade Licence', 'licence renew', '[Renew] Trade [Licence]'],
    ['إصدار هُوِيَّة', 'هويه', 'إصدار [هُوِيَّة]'],
    ['تجـــديد رخصة', 'تجديد', '[تجـــديد] رخصة'],
    ['أنشطة', 'انش', '[أنش]طة'],
    ['ڈرائیونگ لائسنس', 'لايسنس', 'ڈرائیونگ [لائسنس]'],
    ['24-hour', '٢٤', '[24]-hour'],
    ['Visa', 'passport', 'Visa'],
    ['Visa', ' ', 'Visa'],
    ['<b>Visa</b>', 'b', '<[b]>Visa</b>'],
    ['work permit', 'permit work perm', '[work] [permit]'],
  ])('highlights in %s the query %s', (text, query, expected) => {
    expect(marked(text, query)).toBe(expected);
  });

  it('returns the whole text for any query', () => {
    for (const query of ['(', '.*', '\u202E', '🚗', 'x'.repeat(10_000)])
      expect(
        matchedParts('رخصة Trade 🚗 (new)', query)
          .map((part) => part.text)
          .join(''),
      ).toBe('رخصة Trade 🚗 (new)');
  });
});
