import { isRealDay } from '@diwan/contract/wire/days';
import { longestPeriod, usualPeriod } from '@diwan/contract/requests/reports';

/** Days such as 2026-01-31, both included. */
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

/** What is wrong with days that somebody chose; the server judges them too. */
export function problemOf(
  { from, to }: ReportDays,
  today: string,
): 'incomplete' | 'order' | 'future' | 'tooLong' | undefined {
  if (!isRealDay(from) || !isRealDay(to) || from < '2000-01-01') return 'incomplete';
  if (from > to) return 'order';
  if (to > today) return 'future';
  return (Date.parse(to) - Date.parse(from)) / dayMs + 1 > longestPeriod ? 'tooLong' : undefined;
}

/**
 * The days that an address asks for; the usual ones when it asks for none or for what makes no
 * sense.
 */
export function readDays(from: string, to: string, today: string): ReportDays {
  return problemOf({ from, to }, today) ? lastDays(usualPeriod, today) : { from, to };
}
