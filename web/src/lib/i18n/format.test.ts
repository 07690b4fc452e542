import { describe, expect, it } from 'vitest';
import { formatFor } from './format.ts';

describe('formatFor', () => {
  it('writes fils as dirhams in each language', () => {
    expect(formatFor('en-US').money(123_450).replace('\u00A0', ' ')).toBe('AED 1,234.50');
    expect(formatFor('ar-EG').money(123_450).replace('\u00A0', ' ')).toBe(
      '1,234.50 \u062F\u0631\u0647\u0645',
    );
    expect(formatFor('ar-EG').money(-123_450)).toMatch(/^\u200F\u200E+-1,234\.50/);
    expect(formatFor('ur-PK').money(123_450).replace('\u00A0', ' ')).toBe(
      '1,234.50 \u062F\u0631\u06C1\u0645',
    );
    expect(formatFor('ur-PK').money(-123_450)).toMatch(/^\u200F\u200E+-1,234\.50/);
    expect(formatFor('en-US').money(20_000, { short: true }).replace('\u00A0', ' ')).toBe(
      'AED 200',
    );
    expect(formatFor('en-US').money(20_050, { short: true }).replace('\u00A0', ' ')).toBe(
      'AED 200.50',
    );
  });

  it('shows Latin digits in every language', () => {
    for (const language of ['ar-EG', 'en-US', 'ur-PK'] as const)
      expect(formatFor(language).date('2026-11-20T21:00:00Z')).toMatch(/2026/);
  });

  it('shows times of Dubai', () => {
    expect(formatFor('en-US').time('2026-11-20T21:30:00Z')).toMatch(/^1:30\sAM$/);
    expect(formatFor('en-US').date('2026-11-20T21:30:00Z')).toBe('21 Nov 2026');
    expect(formatFor('en-US').dateTime('2026-11-20T21:30:00Z')).toMatch(/^21 Nov 2026, 1:30\sAM$/);
    expect(formatFor('ar-EG').date('2026-11-20T21:30:00Z')).toBe('21 نوفمبر 2026');
  });

  it('shows bytes in kB and MB', () => {
    expect(formatFor('en-US').fileSize(10)).toBe('1 kB');
    expect(formatFor('en-US').fileSize(5_242_880)).toBe('5 MB');
    expect(formatFor('ar-EG').fileSize(5_242_880)).toBe('5 ميغابايت');
    expect(formatFor('ur-PK').fileSize(5_242_880)).toBe('\u20685 MB\u2069');
  });
});
