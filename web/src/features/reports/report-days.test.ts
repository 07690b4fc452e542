import { expect, it } from 'vitest';
import { daysOfCalendarPeriod, lastDays, problemOf, readDays } from './report-days.ts';

const today = '2026-11-21';

it('reads valid days from an address, and falls back to the last thirty', () => {
  expect(readDays('2026-01-01', '2026-01-31', today)).toEqual({
    from: '2026-01-01',
    to: '2026-01-31',
  });
  for (const [from, to] of [
    ['', ''],
    ['2026-02-30', '2026-03-01'],
    ['2026-02-02', '2026-02-01'],
    ['2020-01-01', '2026-01-01'],
    ['<script>', 'x'],
    ['2026-11-01', '2027-01-01'],
  ] as const)
    expect(readDays(from, to, today)).toEqual({ from: '2026-10-23', to: today });
});

it.each([
  ['2026-01-01', '', 'incomplete'],
  ['2026-02-02', '2026-02-01', 'order'],
  ['2026-11-01', '2026-11-22', 'future'],
  ['2025-11-20', '2026-11-21', 'tooLong'],
  ['2025-11-21', '2026-11-21', undefined],
] as const)('%s to %s: %s', (from, to, problem) =>
  expect(problemOf({ from, to }, today)).toBe(problem),
);

it('counts a year as 365 days including today', () =>
  expect(lastDays(365, today).from).toBe('2025-11-22'));
it.each([
  ['thisMonth', '2026-03-31', '2026-03-01', '2026-03-31'],
  ['lastMonth', '2026-03-31', '2026-02-01', '2026-02-28'],
  ['lastMonth', '2026-01-05', '2025-12-01', '2025-12-31'],
  ['thisYear', '2026-03-31', '2026-01-01', '2026-03-31'],
  ['lastYear', '2025-03-31', '2024-01-01', '2024-12-31'],
] as const)('%s on %s is %s to %s', (period, now, from, to) => {
  expect(daysOfCalendarPeriod(period, now)).toEqual({ from, to });
  expect(problemOf({ from, to }, now)).toBeUndefined();
});
