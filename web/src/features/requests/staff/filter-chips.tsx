import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/i18n/format.ts';
import type { ListFilters } from './list-filters.ts';
import type { Status } from '../data/requests.data.ts';

interface FilterChipsProps {
  filters: ListFilters;
  onChange: (changed: Partial<ListFilters>) => void;
  onClear: () => void;
  statuses: readonly Status[];
}

/** The filters in force, each with a way to drop it. */
export function FilterChips({ filters, onChange, onClear, statuses }: FilterChipsProps) {
  const { t } = useTranslation(['requests', 'staff']);
  const { date } = useFormat();
  const status = statuses.find((each) => each.statusId === filters.statusId);
  const chips: { text: string; without: Partial<ListFilters> }[] = [];
  if (filters.keyword)
    chips.push({
      text: t('listing.chipKeyword', { text: filters.keyword }),
      without: { keyword: '' },
    });
  if (status) chips.push({ text: status.statusName, without: { statusId: undefined } });
  if (filters.period)
    chips.push({ text: t(`listing.periods.${filters.period}`), without: { period: undefined } });
  if (filters.from)
    chips.push({
      text: t('listing.chipFrom', { date: date(filters.from) }),
      without: { from: '' },
    });
  if (filters.to)
    chips.push({ text: t('listing.chipTo', { date: date(filters.to) }), without: { to: '' } });
  if (filters.isMine) chips.push({ text: t('staff:list.mine'), without: { isMine: false } });
  if (filters.refund)
    chips.push({ text: t(`refunds.${filters.refund}`), without: { refund: undefined } });
  if (chips.length === 0) return null;
  return (
    <ul className="flex flex-wrap items-center gap-2 pt-2">
      {chips.map(({ text, without }) => (
        <li key={text} className="min-w-0">
          <button
            type="button"
            aria-label={t('listing.remove', { filter: text })}
            onClick={() => onChange(without)}
            className="flex min-h-11 max-w-full items-center gap-2 rounded-full border border-gold-600 bg-gold-50 px-4 text-sm font-semibold text-gold-800 transition-colors duration-150 hover:bg-gold-100 md:min-h-9"
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
          className="link min-h-11 px-2 text-sm font-medium md:min-h-9"
        >
          {t('listing.clear')}
        </button>
      </li>
    </ul>
  );
}
