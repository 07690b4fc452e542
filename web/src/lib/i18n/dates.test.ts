import { describe, expect, it } from 'vitest';
import { formatDay, hijriDate, hijriToDay, parseDay } from './dates.ts';

it('parses a day in every common format, the day before the month', () => {
  for (const text of [
    '01/02/2026',
    '1/2/2026',
    '1-2-2026',
    ' 01.02.2026 ',
    '01 02 2026',
    '01022026',
    '2026-02-01',
    '2026/2/1',
    '٠١/٠٢/٢٠٢٦',
    '۰۱۰۲۲۰۲۶',
    '\u202d01/02/2026\u202c',
  ])
    expect([text, parseDay(text)]).toEqual([text, '2026-02-01']);
  expect(formatDay('2026-02-01')).toBe('01/02/2026');
  expect(parseDay('  ')).toBe('');
});

it('returns undefined for a day that does not exist', () => {
  for (const text of [
    '31/02/2026',
    '1/13/2026',
    '1/2',
    '1/2/26',
    '2026',
    'yesterday',
    '1/2/2026/3',
    '0102202',
    '20260201',
    '١/٢',
  ])
    expect([text, parseDay(text)]).toEqual([text, undefined]);
});

describe('a Hijri date', () => {
  // Source: the Umm al-Qura calendar of Saudi Arabia; Eid al-Fitr 1445 and the first days of 1437,
  // 1448.
  it.each([
    [1445, 10, 1, '2024-04-10'],
    [1437, 1, 1, '2015-10-14'],
    [1448, 1, 1, '2026-06-16'],
    [1300, 1, 1, '1882-11-12'],
    [1500, 12, 1, '2077-10-18'],
  ])('%i-%i-%i is converted', (year, month, day, expected) => {
    expect(hijriToDay(year, month, day)).toBe(expected);
  });

  it('is converted back on days of two hundred years', () => {
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
      expect(hijriToDay(parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)).toBe(
        new Date(time).toISOString().slice(0, 10),
      );
    }
  });

  it('that does not exist is undefined', () => {
    expect([
      hijriToDay(1448, 13, 1),
      hijriToDay(1448, 1, 31),
      hijriToDay(1448, 0, 1),
      hijriToDay(1448, 1, 0),
    ]).toEqual([undefined, undefined, undefined, undefined]);
    expect(hijriDate('2024-04-10', 'en-US')).toContain('1445');
  });
});
