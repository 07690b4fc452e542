import { dayInDubai } from '@diwan/contract/wire/days';
import type { RequestSummary } from '@diwan/contract/requests/requests';

const oneDay = 86_400_000;

// Friday is a working day of the federal government since 2022. Public holidays are not known:
// docs/unknowns.md.
const isWorkingDay = (at: Date) => at.getUTCDay() !== 0 && at.getUTCDay() !== 6;

/**
 * The last of `workingDays` working days, as a day in Asia/Dubai, `YYYY-MM-DD`. The day of
 * `begunAt` does not count.
 */
export function calculateDueDate(begunAt: Date, workingDays: number): string {
  let day = new Date(`${dayInDubai(begunAt)}T00:00:00Z`);
  for (let left = workingDays; left > 0;) {
    day = new Date(day.getTime() + oneDay);
    if (isWorkingDay(day)) left -= 1;
  }
  return day.toISOString().slice(0, 10);
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
