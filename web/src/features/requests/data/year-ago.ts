import { serverToday } from '#lib/browser/server-time.ts';

/** The day so many months before today, in Dubai. */
function monthsAgo(months: number): string {
  const day = new Date(`${serverToday()}T00:00:00Z`);
  day.setUTCMonth(day.getUTCMonth() - months);
  return day.toISOString().slice(0, 10);
}

/** The days about a year ago, and how many requests of them are read. */
export const aboutAYearAgo = () => ({ from: monthsAgo(14), to: monthsAgo(10), pageSize: 10 });
