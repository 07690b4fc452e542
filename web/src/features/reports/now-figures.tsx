import { classNames } from '#lib/browser/class-names.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { ErrorAlert } from '#ui/feedback/alert.tsx';
import { Skeleton, SkeletonBar } from '#ui/feedback/skeleton.tsx';
import type { FigureGroup } from '@diwan/contract/requests/reports';
import { FigureCard } from './figure-card.tsx';
import { figureLink, type RequestListPath } from './figure-links.ts';
import { useFigureGroups } from './reports.data.ts';

const staffFigures = ['waiting', 'oldestAt', 'dueToday', 'late'] as const;
/** Applicants see the due day of a request, not whether it is late. */
export const applicantFigures = ['waiting', 'oldestAt', 'open'] as const;
type NowFigure = (typeof staffFigures)[number] | (typeof applicantFigures)[number];

/** What stands now: what waits, since when, what is due today and what is late. */
export function NowFigures({
  list,
  names = staffFigures,
}: {
  list: RequestListPath | undefined;
  names?: readonly NowFigure[];
}) {
  const { t } = useTranslation('reports');
  const { count, relative } = useFormat();
  const groups = useFigureGroups('agency');
  const { data } = groups;
  const textOf = (name: NowFigure, total: Pick<FigureGroup, NowFigure>) => {
    if (name !== 'oldestAt') return count(total[name]);
    return total.oldestAt === null ? t('nothingYet') : relative(total.oldestAt);
  };
  if (!data)
    return groups.error ? (
      <ErrorAlert error={groups.error} />
    ) : (
      <Skeleton>
        <SkeletonBar className="h-24" />
      </Skeleton>
    );
  const { total, fromDay: from, toDay: to } = data;
  return (
    <section aria-label={t('now.title')}>
      <h2 className="pb-3 text-lg">{t('now.title')}</h2>
      <dl
        className={classNames(
          'grid grid-cols-2 gap-3 md:gap-4',
          names.length === 3
            ? 'md:grid-cols-3 print:grid-cols-3'
            : 'md:grid-cols-4 print:grid-cols-4',
        )}
      >
        {names.map((name) => (
          <FigureCard
            key={name}
            label={t(`now.${name}`)}
            value={textOf(name, total)}
            isUrgent={name === 'late' && total.late > 0}
            to={
              name === 'oldestAt' && total.oldestAt === null
                ? undefined
                : figureLink(list, name, { from, to })
            }
          />
        ))}
      </dl>
    </section>
  );
}
