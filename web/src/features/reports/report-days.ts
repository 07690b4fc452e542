import { maximumPeriodDays, defaultPeriodDays } from '@diwan/contract/requests/reports';
import { isRealDay } from '@diwan/contract/wire/days';

/** Days as `2026-01-31`, both inclusive. */
export interface ReportDays {
  from: string;
  to: string;
}

const dayMs = 86_400_000;

export function lastDays(length: number, today: string): ReportDays {
  return {
    from: new Date(Date.parse(today) - (length - 1) * dayMs).toISOString().slice(0, 10),
    to: today,
  };
}

/** The problem with selected days; the server validates them too. */
export function problemOf(
  { from, to }: ReportDays,
  today: string,
): 'incomplete' | 'order' | 'future' | 'tooLong' | undefined {
  if (!isRealDay(from) || !isRealDay(to) || from < '2000-01-01') return 'incomplete';
  if (from > to) return 'order';
  if (to > today) return 'future';
  return (Date.parse(to) - Date.parse(from)) / dayMs + 1 > maximumPeriodDays
    ? 'tooLong'
    : undefined;
}

/** The days in an address; the default period when they are missing or invalid. */
export function readDays(from: string, to: string, today: string): ReportDays {
  return problemOf({ from, to }, today) ? lastDays(defaultPeriodDays, today) : { from, to };
}

/** Months and years of the calendar, and this month up to today. */
export const calendarPeriods = ['thisMonth', 'lastMonth', 'thisYear', 'lastYear'] as const;
type CalendarPeriod = (typeof calendarPeriods)[number];

export function daysOfCalendarPeriod(period: CalendarPeriod, today: string): ReportDays {
  const [year, month] = [Number(today.slice(0, 4)), Number(today.slice(5, 7))];
  const day = (ofYear: number, ofMonth: number, ofDay: number) =>
    new Date(Date.UTC(ofYear, ofMonth - 1, ofDay)).toISOString().slice(0, 10);
  const periods: Record<CalendarPeriod, ReportDays> = {
    thisMonth: { from: day(year, month, 1), to: today },
    lastMonth: { from: day(year, month - 1, 1), to: day(year, month, 0) },
    thisYear: { from: day(year, 1, 1), to: today },
    lastYear: { from: day(year - 1, 1, 1), to: day(year - 1, 12, 31) },
  };
  return periods[period];
}
