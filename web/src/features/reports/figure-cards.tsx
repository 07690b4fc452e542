import { useTranslation } from 'react-i18next';
import type { RequestFigures } from '@diwan/contract/requests/reports';
import { useFormat } from '../../lib/i18n/format.ts';
import { useLanguage } from '../../lib/i18n/language.ts';
import { SparkLine } from '../../ui/charts/spark-line.tsx';
import { FigureCard, type Change } from './figure-card.tsx';
import { directionOf, duration } from './figure-words.ts';

const allFigures = [
  'created',
  'completed',
  'medianSeconds',
  'withinPromise',
  'feesCollected',
] as const;
export type FigureName = (typeof allFigures)[number];

const welcome: Partial<Record<FigureName, 'up' | 'down'>> = {
  completed: 'up',
  medianSeconds: 'down',
  withinPromise: 'up',
};

/**
 * The numbers of a period beside those of the period before. Where nothing was completed there is
 * no time and no share, and none is made up.
 */
export function FigureCards({
  figures,
  names = allFigures,
  isOwn = false,
}: {
  figures: RequestFigures;
  names?: readonly FigureName[];
  isOwn?: boolean;
}) {
  const { t } = useTranslation('reports');
  const { count, money, percent } = useFormat();
  const { language } = useLanguage();
  const write = (name: FigureName, value: number) => {
    if (name === 'medianSeconds') return duration(value, language);
    if (name === 'withinPromise') return percent(value);
    return name === 'feesCollected' ? money(value, { short: true }) : count(value);
  };
  const changeOf = (name: FigureName): Change | undefined => {
    const [current, previous] = [figures.current[name], figures.previous[name]];
    if (current === null || previous === null) return undefined;
    return {
      direction: directionOf(current, previous),
      before: write(name, previous),
      welcome: welcome[name],
    };
  };
  const labelOf = (name: FigureName) => t(isOwn ? `own.${name}` : `figures.${name}`);
  return (
    <dl
      className={`grid grid-cols-2 gap-3 md:gap-4 print:grid-cols-3 ${names.length > 4 ? 'md:grid-cols-3 xl:grid-cols-5' : 'lg:grid-cols-4'}`}
    >
      {names.map((name) => {
        const value = figures.current[name];
        return (
          <FigureCard
            key={name}
            label={labelOf(name)}
            value={value === null ? t('nothingYet') : write(name, value)}
            change={changeOf(name)}
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
