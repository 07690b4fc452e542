import { X } from 'lucide-react';
import { classNames } from '#lib/browser/class-names.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import type { ListFilters } from '../data/list-filters.ts';

export interface ActiveFilter {
  text: string;
  /** The change of the filters that removes it. */
  without: Partial<ListFilters>;
}

/** The filters by the figure of a dashboard and by the days of sending. */
export function useFigureFilters(filters: ListFilters): ActiveFilter[] {
  const { t } = useTranslation('requests');
  const { date } = useFormat();
  const { figure, figureFrom, figureTo, from, to } = filters;
  const active: ActiveFilter[] = [];
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

interface FilterChipsProps {
  active: readonly ActiveFilter[];
  onChange: (changed: Partial<ListFilters>) => void;
  onClear: () => void;
}

/** The active filters, each with a button that removes it. */
export function FilterChips({ active, onChange, onClear }: FilterChipsProps) {
  const { t } = useTranslation('requests');
  if (active.length === 0) return null;
  return (
    <ul className="flex flex-wrap items-center gap-2">
      {active.map(({ text, without }) => (
        <li key={text} className="min-w-0">
          <button
            type="button"
            aria-label={t('listing.remove', { filter: text })}
            onClick={() => onChange(without)}
            className={classNames(
              'flex min-h-11 max-w-full items-center gap-2 rounded-full border border-gold-600',
              'bg-gold-50 px-3 text-sm font-semibold text-gold-800 transition-colors duration-150',
              'hover:bg-gold-100 md:min-h-8',
            )}
          >
            <bdi className="truncate">{text}</bdi>
            <X aria-hidden size={16} className="shrink-0" />
          </button>
        </li>
      ))}
      <li>
        <button
          type="button"
          onClick={onClear}
          className="link min-h-11 px-2 text-sm font-medium md:min-h-8"
        >
          {t('listing.clear')}
        </button>
      </li>
    </ul>
  );
}
