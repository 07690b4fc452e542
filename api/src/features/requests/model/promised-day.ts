import { dayInDubai } from '@diwan/contract/wire/days';
import type { RequestSummary } from '@diwan/contract/requests/requests';
import type { Database } from '../../../platform/database/database.ts';
import { selectPromises } from './promises.store.ts';

const oneDay = 86_400_000;

// Friday is a working day of the federal government since 2022. Public holidays are not known:
// docs/unknowns.md.
const isWorkingDay = (at: Date) => at.getUTCDay() !== 0 && at.getUTCDay() !== 6;

/**
 * The last day in Asia/Dubai, `YYYY-MM-DD`, of a promise of so many working days that began then;
 * the day that it began on does not count.
 */
export function promisedDay(begunAt: Date, workingDays: number): string {
  let day = new Date(`${dayInDubai(begunAt)}T00:00:00Z`);
  for (let left = workingDays; left > 0;) {
    day = new Date(day.getTime() + oneDay);
    if (isWorkingDay(day)) left -= 1;
  }
  return day.toISOString().slice(0, 10);
}

/**
 * The same requests, those under way with the day that is promised. While something is expected of
 * the applicant nobody else's time runs.
 */
export async function withPromises<T extends RequestSummary>(
  database: Database,
  requests: readonly T[],
): Promise<T[]> {
  const rows = await selectPromises(
    database,
    requests
      .filter(({ statusTone }) => statusTone === 'progress')
      .map(({ requestId }) => requestId),
  );
  const days = new Map(
    rows
      .filter(({ working_days }) => working_days > 0)
      .map((row) => [row.id, promisedDay(row.begun_at, row.working_days)]),
  );
  return requests.map((request) => {
    const promisedBy = days.get(request.requestId);
    return promisedBy === undefined ? request : { ...request, promisedBy };
  });
}

/** The same of one request. */
export async function withPromise<T extends RequestSummary>(
  database: Database,
  request: T,
): Promise<T> {
  const [promised = request] = await withPromises(database, [request]);
  return promised;
}
