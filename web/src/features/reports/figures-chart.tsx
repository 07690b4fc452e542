import { useState } from 'react';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { ChartNumber, DayChart, type ChartPoint } from '#ui/charts/day-chart.tsx';
import { Card } from '#ui/data/card.tsx';
import type { RequestFigures } from '@diwan/contract/requests/reports';
import { figureLink, type RequestListPath } from './figure-links.ts';
import { shortDay, fullDay } from './figure-texts.ts';

type Day = RequestFigures['days'][number];

/** More bars than this are not readable. */
const maximumPoints = 62;
const daysPerGroup = 7;

/** The days as they are, or grouped by seven when there are many or little happened. */
export function groupDays(
  days: readonly Day[],
): { from: string; to: string; created: number; completed: number }[] {
  const total = days.reduce((sum, { created, completed }) => sum + created + completed, 0);
  // A line through zeros between single requests shows nothing.
  const isSparse = days.length >= 3 * daysPerGroup && total <= 2 * days.length;
  const size = days.length > maximumPoints || isSparse ? daysPerGroup : 1;
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

/** `names` formats a day: short for the axis, full for details. `list` is behind the numbers. */
export function chartPoints(
  days: readonly Day[],
  names: { short: (day: string) => string; full: (day: string) => string },
  list: RequestListPath | undefined,
): ChartPoint[] {
  return groupDays(days).map(({ from, to, created, completed }) => ({
    name: names.short(from),
    fullName: from === to ? names.full(from) : `${names.full(from)} – ${names.full(to)}`,
    bar: created,
    line: completed,
    barLink: figureLink(list, 'created', { from, to }),
    lineLink: figureLink(list, 'completed', { from, to }),
  }));
}

/** Received and completed requests by day, as a chart or a table. */
export function FiguresChart({
  figures,
  isOwn = false,
  list,
}: {
  figures: RequestFigures;
  isOwn?: boolean;
  /** The list that each number opens with the requests that it counts. */
  list: RequestListPath | undefined;
}) {
  const { t } = useTranslation('reports');
  const { count } = useFormat();
  const { language } = useLanguage();
  const [isTable, setIsTable] = useState(false);
  const own = isOwn ? 'own' : 'figures';
  const [createdName, completedName] = [t(`${own}.created`), t(`${own}.completed`)];
  const names = {
    short: (day: string) => shortDay(day, language),
    full: (day: string) => fullDay(day, language),
  };
  const points = chartPoints(figures.days, names, list);
  const isByWeek = groupDays(figures.days).length < figures.days.length;
  const title = t(
    isByWeek
      ? isOwn
        ? 'chart.ownByWeek'
        : 'chart.byWeek'
      : isOwn
        ? 'chart.ownByDay'
        : 'chart.byDay',
  );
  const { created, completed } = figures.current;
  const description = t(isOwn ? 'chart.ownDescription' : 'chart.description', {
    from: fullDay(figures.fromDay, language),
    to: fullDay(figures.toDay, language),
    created: count(created),
    completed: count(completed),
  });
  return (
    <Card
      title={title}
      isPrintedWhole={!isTable}
      action={
        <button
          type="button"
          data-no-print
          onClick={() => setIsTable(!isTable)}
          className="link min-h-11 text-sm font-medium"
        >
          {t(isTable ? 'chart.asChart' : 'chart.asTable')}
        </button>
      }
    >
      {isTable ? (
        <div className="overflow-hidden rounded-md border border-ink-100">
          <table className="w-full border-collapse text-sm">
            <caption className="sr-only">{title}</caption>
            <thead className="bg-ink-50 text-ink-600">
              <tr>
                {[t('chart.day'), createdName, completedName].map((header, index) => (
                  <th
                    key={header}
                    scope="col"
                    className={`px-4 py-2 font-semibold ${index === 0 ? 'text-start' : 'text-end'}`}
                  >
                    {header}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {points.map((point) => (
                <tr key={point.fullName} className="border-t border-ink-100">
                  <th scope="row" className="px-4 py-1.5 text-start font-normal">
                    <bdi>{point.fullName}</bdi>
                  </th>
                  <td className="px-4 py-1.5 text-end tabular-nums">
                    <ChartNumber to={point.barLink}>{count(point.bar)}</ChartNumber>
                  </td>
                  <td className="px-4 py-1.5 text-end tabular-nums">
                    <ChartNumber to={point.lineLink}>{count(point.line)}</ChartNumber>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <DayChart
          title={title}
          description={description}
          barName={createdName}
          lineName={completedName}
          points={points}
        />
      )}
    </Card>
  );
}
