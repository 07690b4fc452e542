import { useFormat } from '../lib/i18n/format.ts';
import { ChartNumber, DayChart, type ChartPoint } from '../ui/charts/day-chart.tsx';
import { SparkLine } from '../ui/charts/spark-line.tsx';
import { Card } from '../ui/data/card.tsx';
import type { Examples, Stories } from './story.tsx';

const numbers = [12, 18, 9, 22, 30, 4, 1, 15, 19, 24, 27, 31, 6, 2];

/** The last days of November 2026, with numbers that repeat. */
function DayChartExample({
  texts,
  days,
  isEmpty,
}: {
  texts: Examples;
  days: number;
  isEmpty?: boolean;
}) {
  const { date, count } = useFormat();
  const points = Array.from({ length: days }, (_, index): ChartPoint => {
    const day = 30 - days + index + 1;
    const value = isEmpty ? 0 : (numbers[index % numbers.length] ?? 0);
    return {
      name: count(day),
      fullName: date(`2026-11-${String(day).padStart(2, '0')}T08:00:00Z`),
      bar: value,
      line: Math.round(value * 0.77),
    };
  });
  return (
    <Card>
      <DayChart
        title={texts.chartTitle}
        description={texts.chartText}
        barName={texts.chartBar}
        lineName={texts.chartLine}
        points={points}
      />
    </Card>
  );
}

export const chartStories: Stories = (texts) => [
  {
    name: 'ChartNumber',
    states: {
      link: <ChartNumber to="/gallery">{texts.chartBar}</ChartNumber>,
      text: <ChartNumber to={undefined}>{texts.chartBar}</ChartNumber>,
    },
  },
  {
    name: 'DayChart',
    isWide: true,
    states: {
      week: <DayChartExample texts={texts} days={7} />,
      'thirty days': <DayChartExample texts={texts} days={30} />,
      'no requests': <DayChartExample texts={texts} days={7} isEmpty />,
    },
  },
  {
    name: 'SparkLine',
    states: {
      'beside its number': (
        <div className="flex items-end gap-4">
          <p>
            <span className="block text-2xl font-semibold">31</span>
            <span className="text-sm text-ink-600">{texts.requestsToday}</span>
          </p>
          <SparkLine values={numbers.slice(0, 12)} />
        </div>
      ),
      flat: <SparkLine values={[3, 3, 3, 3]} />,
    },
  },
];
