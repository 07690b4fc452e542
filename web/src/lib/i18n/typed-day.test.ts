import { expect, it } from 'vitest';
import { readDay, writeDay } from './typed-day.ts';

it('reads a day however it is written, the day before the month', () => {
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
  ])
    expect([text, readDay(text)]).toEqual([text, '2026-02-01']);
  expect(writeDay('2026-02-01')).toBe('01/02/2026');
  expect(readDay('  ')).toBe('');
});

it('takes no day that there is not', () => {
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
    '\u202e01/02/2026',
  ])
    expect([text, readDay(text)]).toEqual([text, undefined]);
});
