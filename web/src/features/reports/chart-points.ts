import type { RequestFigures } from '@diwan/contract/requests/reports';
import type { ChartPoint } from '../../ui/charts/day-chart.tsx';

type Day = RequestFigures['days'][number];

/** More bars than this cannot be told apart. */
const mostPoints = 62;
const week = 7;

/** Days one by one, or in sevens when there are many; the first and last day of each. */
export function groupDays(
  days: readonly Day[],
): { from: string; to: string; created: number; completed: number }[] {
  const size = days.length > mostPoints ? week : 1;
  return Array.from({ length: Math.ceil(days.length / size) }, (_, index) =>
    days.slice(index * size, (index + 1) * size),
  ).flatMap((group) => {
    const [first, last] = [group[0], group.at(-1)];
    return first && last
      ? [
          {
            from: first.day,
            to: last.day,
            created: group.reduce((sum, { created }) => sum + created, 0),
            completed: group.reduce((sum, { completed }) => sum + completed, 0),
          },
        ]
      : [];
  });
}

/** `names` writes a day short for the axis and whole for who asks. */
export function chartPoints(
  days: readonly Day[],
  names: { short: (day: string) => string; whole: (day: string) => string },
): ChartPoint[] {
  return groupDays(days).map(({ from, to, created, completed }) => ({
    name: names.short(from),
    fullName: from === to ? names.whole(from) : `${names.whole(from)} – ${names.whole(to)}`,
    bar: created,
    line: completed,
  }));
}
