import { classNames } from '#lib/browser/class-names.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { SparkLine } from '#ui/charts/spark-line.tsx';
import type { RequestFigures } from '@diwan/contract/requests/reports';
import { FigureCard, type Change } from './figure-card.tsx';
import { figureLink, type LinkedFigure, type RequestListPath } from './figure-links.ts';
import { directionOf, workingTime } from './figure-texts.ts';

const allFigures = [
  'created',
  'completed',
  'medianSeconds',
  'withinPromise',
  'feesCollected',
] as const;
type FigureName = (typeof allFigures)[number];

const desiredDirection: Partial<Record<FigureName, 'up' | 'down'>> = {
  completed: 'up',
  medianSeconds: 'down',
  withinPromise: 'up',
};

// Those that were completed too late are the ones to look at behind the share.
const linkedFigures: Record<FigureName, LinkedFigure> = {
  created: 'created',
  completed: 'completed',
  medianSeconds: 'medianSeconds',
  withinPromise: 'completedLate',
  feesCollected: 'feesCollected',
};

/**
 * The figures of a period compared with the previous period. Without completed requests, workingTime
 * and share are empty.
 */
export function FigureCards({
  figures,
  names = allFigures,
  isOwn = false,
  list,
}: {
  figures: RequestFigures;
  names?: readonly FigureName[];
  isOwn?: boolean;
  /** The list that each figure opens with the requests that it counts. */
  list: RequestListPath | undefined;
}) {
  const { t } = useTranslation('reports');
  const { count, money, percent } = useFormat();
  const { language } = useLanguage();
  const formatFigure = (name: FigureName, value: number) => {
    if (name === 'medianSeconds') return workingTime(value, language);
    if (name === 'withinPromise') return percent(value);
    return name === 'feesCollected' ? money(value) : count(value);
  };
  const changeOf = (name: FigureName): Change | undefined => {
    const [current, previous] = [figures.current[name], figures.previous[name]];
    if (current === null || previous === null) return undefined;
    return {
      direction: directionOf(current, previous),
      before: formatFigure(name, previous),
      desired: desiredDirection[name],
      isDuration: name === 'medianSeconds',
    };
  };
  const days = { from: figures.fromDay, to: figures.toDay };
  const labelOf = (name: FigureName) => t(isOwn ? `own.${name}` : `figures.${name}`);
  return (
    <dl
      className={classNames(
        'grid grid-cols-2 gap-3 md:gap-4',
        names.length > 4 ? 'print:grid-cols-5' : 'print:grid-cols-4',
        names.length > 4 ? 'md:grid-cols-3 xl:grid-cols-5' : 'lg:grid-cols-4',
      )}
    >
      {names.map((name) => {
        const value = figures.current[name];
        return (
          <FigureCard
            key={name}
            label={labelOf(name)}
            value={value === null ? t('nothingYet') : formatFigure(name, value)}
            change={changeOf(name)}
            to={figureLink(list, linkedFigures[name], days)}
          >
            {name === 'created' || name === 'completed' ? (
              <SparkLine values={figures.days.map((day) => day[name])} />
            ) : null}
          </FigureCard>
        );
      })}
    </dl>
  );
}
