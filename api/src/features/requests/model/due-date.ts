import { dayInDubai } from '@diwan/contract/wire/days';
import type { RequestSummary } from '@diwan/contract/requests/requests';

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

/**
 * The due date of a request in progress. There is none while the applicant has to act, and none
 * without promised working days. `begunAt`: when the request was last created, paid or corrected.
 */
export function promisedBy(
  { statusTone }: Pick<RequestSummary, 'statusTone'>,
  begunAt: Date | null,
  workingDays: number,
): Pick<RequestSummary, 'promisedBy'> {
  return statusTone === 'progress' && begunAt && workingDays > 0
    ? { promisedBy: calculateDueDate(begunAt, workingDays) }
    : {};
}
