import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import type { ActiveFilter } from '#ui/search/filter-chips.tsx';
import type { ListFilters } from '../data/list-filters.ts';

/** The filters by the figure of a dashboard and by the days of sending. */
export function useFigureFilters(filters: ListFilters): ActiveFilter<Partial<ListFilters>>[] {
  const { t } = useTranslation('requests');
  const { date } = useFormat();
  const { figure, figureFrom, figureTo, from, to } = filters;
  const active: ActiveFilter<Partial<ListFilters>>[] = [];
  if (from)
    active.push({ text: t('listing.chipFrom', { date: date(from) }), without: { from: '' } });
  if (to) active.push({ text: t('listing.chipTo', { date: date(to) }), without: { to: '' } });
  if (figure) {
    const name = t(`listing.figures.${figure}`);
    active.push({
      text:
        figureFrom && figureTo
          ? t('listing.figureIn', { figure: name, from: date(figureFrom), to: date(figureTo) })
          : name,
      without: {
        figure: undefined,
        figureFrom: undefined,
        figureTo: undefined,
        figureBy: undefined,
      },
    });
  }
  return active;
}
