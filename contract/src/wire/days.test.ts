import { expect, it } from 'vitest';
import {
  dayInDubai,
  endOfDay,
  instantOf,
  isRealDay,
  isRealTime,
  startOfDay,
  timeInDubai,
} from './days.ts';

it('a day begins and ends at midnight in Dubai', () => {
  expect(
    ['2026-03-01T19:59:59Z', '2026-03-01T20:00:00Z', '2026-11-21T19:59:59Z'].map((instant) =>
      dayInDubai(new Date(instant)),
    ),
  ).toEqual(['2026-03-01', '2026-03-02', '2026-11-21']);
  expect(startOfDay('2026-03-02').toISOString()).toBe('2026-03-01T20:00:00.000Z');
  expect(endOfDay('2024-02-29').toISOString()).toBe('2024-02-29T20:00:00.000Z');
});

it.each(['2026-02-30', '0999-01-01', '2026-1-1', ''])('%j is not a valid day', (text) =>
  expect(isRealDay(text)).toBe(false),
);

it('a minute in Dubai is an instant, and back', () => {
  expect(instantOf('2026-12-02T00:30').toISOString()).toBe('2026-12-01T20:30:00.000Z');
  expect(timeInDubai(new Date('2026-12-01T20:30:59Z'))).toBe('2026-12-02T00:30');
});

it.each([
  '2026-02-30T10:00',
  '2026-02-03T24:00',
  '2026-02-03T10:60',
  '2026-02-03',
  '2026-02-03T1:00',
])('%j is not a valid minute', (text) => expect(isRealTime(text)).toBe(false));
