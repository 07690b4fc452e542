import { expect, test } from 'vitest';
import { calculateDueDate } from './due-date.ts';

test('counts working days from Monday to Friday in Asia/Dubai, without the first day', () => {
  // 2026-11-20 is a Friday.
  expect(calculateDueDate(new Date('2026-11-20T08:00:00Z'), 1)).toBe('2026-11-23');
  expect(calculateDueDate(new Date('2026-11-20T08:00:00Z'), 5)).toBe('2026-11-27');
  expect(calculateDueDate(new Date('2026-11-20T08:00:00Z'), 6)).toBe('2026-11-30');
  // In Dubai it is already Saturday, and then Monday.
  expect(calculateDueDate(new Date('2026-11-20T20:30:00Z'), 1)).toBe('2026-11-23');
  expect(calculateDueDate(new Date('2026-11-22T20:30:00Z'), 1)).toBe('2026-11-24');
  expect(calculateDueDate(new Date('2026-11-25T08:00:00Z'), 0)).toBe('2026-11-25');
});
