import type { FilterPeriod } from '@diwan/contract/requests/saved-filters';

const dayMs = 86_400_000;

/** The days that a period stands for, open at the end. `today` is YYYY-MM-DD in Asia/Dubai. */
export function daysOfPeriod(period: FilterPeriod, today: string): { from: string; to: string } {
  const from = {
    today,
    week: new Date(Date.parse(today) - 6 * dayMs).toISOString().slice(0, 10),
    month: `${today.slice(0, 8)}01`,
  }[period];
  return { from, to: '' };
}
