import { z } from 'zod';

// Asia/Dubai has been at +04:00 without summer time since 1920.
const dubaiMs = 4 * 3_600_000;

/** The day of an instant in Asia/Dubai as YYYY-MM-DD. */
export function dayInDubai(instant: Date): string {
  return new Date(instant.getTime() + dubaiMs).toISOString().slice(0, 10);
}

/** Today in Asia/Dubai as YYYY-MM-DD, independent of the local time zone. */
export const todayInDubai = (): string => dayInDubai(new Date());

/** The instant at which a day such as 2026-01-31 begins in Asia/Dubai. */
export function startOfDay(day: string): Date {
  return new Date(Date.parse(`${day}T00:00:00Z`) - dubaiMs);
}

/** The instant at which a day ends in Asia/Dubai: the beginning of the next day. */
export function endOfDay(day: string): Date {
  return startOfDay(dayAfter(day, 1));
}

/** The day some days after a day, or before it. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** The day that a date limit such as `today-30` means. `today` is YYYY-MM-DD in Asia/Dubai. */
export function resolveDateLimit(limit: string, today: string): string {
  return limit.startsWith('today')
    ? dayAfter(today, Number(limit.slice('today'.length) || 0))
    : limit;
}

/** Whether a text is an existing day as YYYY-MM-DD, from the year 1000 on. */
export function isRealDay(day: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return false;
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) && day >= '1000';
}

/** Whether a text is an existing minute such as 2026-01-31T08:30. */
export const isRealTime = (time: string): boolean =>
  /^[^T]*T([01]\d|2[0-3]):[0-5]\d$/.test(time) && isRealDay(time.slice(0, 10));

/** A minute in Asia/Dubai as the browser's own field for times writes it: 2026-01-31T08:30. */
export const localTime = z.string().max(20).refine(isRealTime);

/** The instant of a minute in Asia/Dubai. */
export const instantOf = (time: string): Date =>
  new Date(startOfDay(time.slice(0, 10)).getTime() + Date.parse(`1970-01-01${time.slice(10)}Z`));

/** The minute of an instant in Asia/Dubai. */
export const timeInDubai = (instant: Date): string =>
  new Date(instant.getTime() + dubaiMs).toISOString().slice(0, 16);
