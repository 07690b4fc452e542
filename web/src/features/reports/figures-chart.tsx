import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RequestFigures } from '@diwan/contract/requests/reports';
import { useFormat } from '../../lib/i18n/format.ts';
import { useLanguage } from '../../lib/i18n/language.ts';
import { Card } from '../../ui/data/card.tsx';
import { DayChart } from '../../ui/charts/day-chart.tsx';
import { chartPoints, groupDays } from './chart-points.ts';
import { shortDay, wholeDay } from './figure-words.ts';

/** Received and completed by day, as a picture or as a table. */
export function FiguresChart({
  figures,
  isOwn = false,
}: {
  figures: RequestFigures;
  isOwn?: boolean;
}) {
  const { t } = useTranslation('reports');
  const { count } = useFormat();
  const { language } = useLanguage();
  const [isTable, setIsTable] = useState(false);
  const own = isOwn ? 'own' : 'figures';
  const [createdName, completedName] = [t(`${own}.created`), t(`${own}.completed`)];
  const points = chartPoints(figures.days, {
    short: (day) => shortDay(day, language),
    whole: (day) => wholeDay(day, language),
  });
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
    from: wholeDay(figures.fromDay, language),
    to: wholeDay(figures.toDay, language),
    created: count(created),
    completed: count(completed),
  });
  return (
    <Card
      title={title}
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
                  <td className="px-4 py-1.5 text-end tabular-nums">{count(point.bar)}</td>
                  <td className="px-4 py-1.5 text-end tabular-nums">{count(point.line)}</td>
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
