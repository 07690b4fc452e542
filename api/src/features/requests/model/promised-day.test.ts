import { expect, test } from 'vitest';
import { promisedDay } from './promised-day.ts';

test('working days are Monday to Friday in Asia/Dubai, and the first day does not count', () => {
  // 2026-11-20 is a Friday.
  expect(promisedDay(new Date('2026-11-20T08:00:00Z'), 1)).toBe('2026-11-23');
  expect(promisedDay(new Date('2026-11-20T08:00:00Z'), 5)).toBe('2026-11-27');
  expect(promisedDay(new Date('2026-11-20T08:00:00Z'), 6)).toBe('2026-11-30');
  // In Dubai it is Saturday, and then Monday, already.
  expect(promisedDay(new Date('2026-11-20T20:30:00Z'), 1)).toBe('2026-11-23');
  expect(promisedDay(new Date('2026-11-22T20:30:00Z'), 1)).toBe('2026-11-24');
  expect(promisedDay(new Date('2026-11-25T08:00:00Z'), 0)).toBe('2026-11-25');
});
