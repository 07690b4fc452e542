import { describe, expect, it } from 'vitest';
import { dayOfHijri, hijriDate } from './hijri.ts';

describe('a Hijri date', () => {
  // Source: the Umm al-Qura calendar of Saudi Arabia; Eid al-Fitr 1445 and the first days of 1437,
  // 1448.
  it.each([
    [1445, 10, 1, '2024-04-10'],
    [1437, 1, 1, '2015-10-14'],
    [1448, 1, 1, '2026-06-16'],
    [1300, 1, 1, '1882-11-12'],
    [1500, 12, 1, '2077-10-18'],
  ])('%i-%i-%i is a day', (year, month, day, expected) => {
    expect(dayOfHijri(year, month, day)).toBe(expected);
  });

  it('leads back to itself on every day of two hundred years', () => {
    const calendar = new Intl.DateTimeFormat('en-u-ca-islamic-umalqura-nu-latn', {
      timeZone: 'UTC',
      day: 'numeric',
      month: 'numeric',
      year: 'numeric',
    });
    for (let time = Date.UTC(1882, 10, 12); time < Date.UTC(2076, 0, 1); time += 17 * 86_400_000) {
      const parts = Object.fromEntries(
        calendar.formatToParts(time).map(({ type, value }) => [type, Number(value)]),
      );
      expect(dayOfHijri(parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)).toBe(
        new Date(time).toISOString().slice(0, 10),
      );
    }
  });

  it('that there is not is none', () => {
    expect([
      dayOfHijri(1448, 13, 1),
      dayOfHijri(1448, 1, 31),
      dayOfHijri(1448, 0, 1),
      dayOfHijri(1448, 1, 0),
    ]).toEqual([undefined, undefined, undefined, undefined]);
    expect(hijriDate('2024-04-10', 'en-US')).toContain('1445');
  });
});
