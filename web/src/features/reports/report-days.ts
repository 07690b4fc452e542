import { isRealDay } from '@diwan/contract/wire/days';
import { maximumPeriodDays, defaultPeriodDays } from '@diwan/contract/requests/reports';

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
