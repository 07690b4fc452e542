import { dayInDubai } from '@diwan/contract/wire/days';
import type { RequestSummary } from '@diwan/contract/requests/requests';
import type { Database } from '../../../platform/database/database.ts';
import { selectProcessingTimes } from './requests.store.ts';

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
 * The same requests; those in progress have their due date. There is no due date while the
 * applicant has to act.
 */
export async function withDueDates<T extends RequestSummary>(
  database: Database,
  requests: readonly T[],
): Promise<T[]> {
  const rows = await selectProcessingTimes(
    database,
    requests
      .filter(({ statusTone }) => statusTone === 'progress')
      .map(({ requestId }) => requestId),
  );
  const dueDates = new Map(
    rows
      .filter(({ working_days }) => working_days > 0)
      .map((row) => [row.id, calculateDueDate(row.begun_at, row.working_days)]),
  );
  return requests.map((request) => {
    const dueDate = dueDates.get(request.requestId);
    return dueDate === undefined ? request : { ...request, promisedBy: dueDate };
  });
}

/** Like `withDueDates`, for one request. */
export async function withDueDate<T extends RequestSummary>(
  database: Database,
  request: T,
): Promise<T> {
  const [dated = request] = await withDueDates(database, [request]);
  return dated;
}
