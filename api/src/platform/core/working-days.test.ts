import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayInDubai } from '@diwan/contract/wire/days';
import { calculateDueDate, countWorkingDays, workingDaysOnHold } from './working-days.ts';

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

test('is the day that counting day by day reaches', () => {
  const [first, last] = [new Date('2020-01-01'), new Date('2040-01-01')];
  const times = fc.date({ min: first, max: last, noInvalidDate: true });
  fc.assert(
    fc.property(times, fc.integer({ min: 0, max: 400 }), (begunAt, workingDays) => {
      const day = new Date(dayInDubai(begunAt));
      for (let left = workingDays; left > 0;) {
        day.setUTCDate(day.getUTCDate() + 1);
        if (day.getUTCDay() !== 0 && day.getUTCDay() !== 6) left -= 1;
      }
      expect(calculateDueDate(begunAt, workingDays)).toBe(day.toISOString().slice(0, 10));
    }),
  );
});

test('counts the working days up to the due date again', () => {
  const [first, last] = [new Date('1971-01-01'), new Date('2040-01-01')];
  const times = fc.date({ min: first, max: last, noInvalidDate: true });
  fc.assert(
    fc.property(times, fc.integer({ min: 1, max: 400 }), (begunAt, workingDays) => {
      const due = new Date(`${calculateDueDate(begunAt, workingDays)}T09:00:00+04:00`);
      expect(countWorkingDays(begunAt, due)).toBe(workingDays);
      expect(countWorkingDays(due, begunAt)).toBe(-workingDays);
    }),
  );
  // From a Friday over a weekend to the Sunday, and to the Monday.
  const friday = new Date('2026-11-20T08:00:00Z');
  expect(countWorkingDays(friday, new Date('2026-11-22T08:00:00Z'))).toBe(0);
  expect(countWorkingDays(friday, new Date('2026-11-23T08:00:00Z'))).toBe(1);
});

test('adds up the working days of holds; one that lasts ends now', () => {
  const [monday, wednesday, friday] = [16, 18, 20].map(
    (day) => new Date(`2026-11-${day}T08:00:00Z`),
  ) as [Date, Date, Date];
  const lasting = { begunAt: wednesday, endedAt: null };
  expect(workingDaysOnHold([], friday)).toBe(0);
  expect(workingDaysOnHold([{ begunAt: monday, endedAt: wednesday }, lasting], friday)).toBe(4);
  // By the clocks of two processes, a hold may end before it begins.
  expect(workingDaysOnHold([{ begunAt: friday, endedAt: monday }, lasting], friday)).toBe(2);
});
