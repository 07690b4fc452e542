import type { Database } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import type { Calendar } from '@diwan/contract/calendars/calendars';
import { dayAfter, dayInDubai } from '@diwan/contract/wire/days';

/** Whether a day is worked, by looking through the whole calendar. */
export function isWorked({ week, days }: Calendar, day: string): boolean {
  const usual = week[new Date(day).getUTCDay()];
  const special = days.find(({ from, until }) => from <= day && day <= until);
  return special ? special.kind === 'working' : usual !== 'off';
}

/** The last of some working days after a moment, from day to day. */
export function dueDayByDay(calendar: Calendar, begunAt: Date, workingDays: number): string {
  let day = dayInDubai(begunAt);
  for (let left = workingDays; left > 0;) {
    day = dayAfter(day, 1);
    if (isWorked(calendar, day)) left -= 1;
  }
  return day;
}

/** The working days after a moment up to a later one, from day to day. */
export function countDayByDay(calendar: Calendar, begunAt: Date, endedAt: Date): number {
  let count = 0;
  for (let day = dayInDubai(begunAt); day < dayInDubai(endedAt);) {
    day = dayAfter(day, 1);
    if (isWorked(calendar, day)) count += 1;
  }
  return count;
}

/** The calendar of a request, as the database holds it. */
export async function calendarOfRequest(database: Database, requestId: number): Promise<Calendar> {
  const { rows } = await sql<{ document: Calendar }>`
    select document
    from calendar_versions
    join requests on calendar_id = calendar_versions.id
    where requests.id = ${requestId}`.execute(database);
  const [row] = rows;
  if (!row) throw new Error('There is no such request');
  return row.document;
}
