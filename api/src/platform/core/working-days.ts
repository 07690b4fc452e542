import { dayInDubai } from '@diwan/contract/wire/days';

const oneDay = 86_400_000;
const [daysOfWeek, workingDaysOfWeek] = [7, 5];

// Friday is a working day of the federal government since 2022. Public holidays are not known:
// docs/unknowns.md. 1970-01-01 was a Thursday.
const weekdayOf = (day: number) => (day + 4) % daysOfWeek;

/**
 * The last of `workingDays` working days, as a day in Asia/Dubai, `YYYY-MM-DD`. The day of
 * `begunAt` does not count.
 */
export function calculateDueDate(begunAt: Date, workingDays: number): string {
  const begun = Date.parse(dayInDubai(begunAt)) / oneDay;
  if (workingDays <= 0) return dayInDubai(begunAt);
  // Saturday and Sunday count like the Friday before.
  const weekday = weekdayOf(begun) || daysOfWeek;
  const worked = Math.min(weekday, workingDaysOfWeek) + workingDays - 1;
  const weeks = Math.floor(worked / workingDaysOfWeek);
  const due = begun - weekday + weeks * daysOfWeek + (worked % workingDaysOfWeek) + 1;
  return new Date(due * oneDay).toISOString().slice(0, 10);
}

// The Mondays to Fridays before a day; 1970-01-05 was a Monday.
function workingDaysBefore(day: number): number {
  const sinceMonday = day - 4;
  const weeks = Math.floor(sinceMonday / daysOfWeek);
  return weeks * workingDaysOfWeek + Math.min(sinceMonday - weeks * daysOfWeek, workingDaysOfWeek);
}

/** The working days after a moment up to another one, by their days in Asia/Dubai. */
export function countWorkingDays(begunAt: Date, endedAt: Date): number {
  const [begun, ended] = [begunAt, endedAt].map((at) => Date.parse(dayInDubai(at)) / oneDay + 1);
  return workingDaysBefore(ended ?? 0) - workingDaysBefore(begun ?? 0);
}

/**
 * The working days of holds. `at` ends one that lasts; one that ends before it begins, by another
 * clock, has none.
 */
export const workingDaysOnHold = (
  holds: readonly { begunAt: Date; endedAt: Date | null }[],
  at: Date,
): number =>
  holds.reduce(
    (sum, { begunAt, endedAt }) => sum + Math.max(0, countWorkingDays(begunAt, endedAt ?? at)),
    0,
  );
