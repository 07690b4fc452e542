import { X, BookmarkPlus, Settings2, Star } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from '../../../../lib/router/router-provider.tsx';
import { useTranslation } from '../../../../lib/i18n/translate.ts';
import { useFormat } from '../../../../lib/i18n/format.ts';
import { classNames } from '../../../../lib/browser/class-names.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import {
  type ListFilters,
  toFilterChoice,
  toListFilters,
  isSameChoice,
  noFilters,
  unfilteredParameter,
  writeFilters,
} from '../../data/list-filters.ts';
import type { Status } from '../../data/requests.data.ts';
import { SavedFiltersDialog } from './saved-filters-dialog.tsx';
import { useSavedFilters } from './saved-filters.data.ts';
import type { StaffListName } from './staff-lists.ts';

interface FilterChipsProps {
  filters: ListFilters;
  onChange: (changed: Partial<ListFilters>) => void;
  onClear: () => void;
  statuses: readonly Status[];
}

/** The active filters, each with a button that removes it. */
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
            className={classNames(
              'flex min-h-11 max-w-full items-center gap-2 rounded-full border border-gold-600',
              'bg-gold-50 px-4 text-sm font-semibold text-gold-800 transition-colors duration-150',
              'hover:bg-gold-100 md:min-h-9',
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
          className="link min-h-11 px-2 text-sm font-medium md:min-h-9"
        >
          {t('listing.clear')}
        </button>
      </li>
    </ul>
  );
}

interface SavedFilterChipsProps {
  list: StaffListName;
  filters: ListFilters;
  onChange: (changed: Partial<ListFilters>) => void;
}

/**
 * The user's saved filters as buttons. A list that is opened without query parameters starts with
 * the default filter.
 */
export function SavedFilterChips({ list, filters, onChange }: SavedFilterChipsProps) {
  const { t } = useTranslation('staff');
  const [search, setSearch] = useSearchParams();
  const { filters: saved } = useSavedFilters(list);
  const [isOpen, setIsOpen] = useState<'save' | 'manage'>();
  const choice = toFilterChoice(filters);
  const current = saved?.find((each) => isSameChoice(each.choice, choice));
  const isUnfiltered = isSameChoice(choice, toFilterChoice(noFilters));
  const defaultFilter = saved?.find((each) => each.isDefault);
  const stage = useRef<'opening' | 'changing' | 'ready'>('opening');
  useEffect(() => {
    // The address has not changed yet, so this render does not show the new filters.
    if (!saved || (stage.current === 'changing' && String(search) === '')) return;
    const isOpening = stage.current === 'opening';
    stage.current = 'ready';
    if (!defaultFilter || String(search) !== '') return;
    stage.current = 'changing';
    // After the user removes the default filter, a reload must not apply it again.
    setSearch(
      isOpening
        ? writeFilters(new URLSearchParams(), toListFilters(defaultFilter.choice))
        : new URLSearchParams({ [unfilteredParameter]: '1' }),
      { replace: true },
    );
  }, [saved, defaultFilter, search, setSearch]);

  // The dialog stays open after its last filter was deleted.
  if (!saved || (saved.length === 0 && isUnfiltered && !isOpen)) return null;
  return (
    <div
      className="flex flex-wrap items-center gap-2 pt-2"
      role="group"
      aria-label={t('saved.title')}
    >
      {saved.map((each) => (
        <button
          key={each.id}
          type="button"
          aria-pressed={each === current}
          onClick={() => onChange(each === current ? noFilters : toListFilters(each.choice))}
          className={classNames(
            'inline-flex min-h-11 max-w-full items-center gap-2 rounded-full border px-4 text-sm',
            'font-semibold transition-colors duration-150 md:min-h-9',
            each === current
              ? 'border-primary bg-primary text-white'
              : 'border-ink-200 bg-white text-ink-700 hover:border-gold-600 hover:bg-gold-50',
          )}
        >
          {each.isDefault ? <Star aria-hidden size={16} className="shrink-0" /> : null}
          <bdi className="truncate">{each.name}</bdi>
          {each.isDefault ? <span className="sr-only">{t('saved.isDefault')}</span> : null}
        </button>
      ))}
      {!current && !isUnfiltered ? (
        <Button
          variant="quiet"
          size="sm"
          icon={<BookmarkPlus aria-hidden size={18} />}
          onPress={() => setIsOpen('save')}
        >
          {t('saved.save')}
        </Button>
      ) : null}
      {saved.length > 0 ? (
        <Button
          variant="quiet"
          size="sm"
          icon={<Settings2 aria-hidden size={18} />}
          onPress={() => setIsOpen('manage')}
        >
          {t('saved.manage')}
        </Button>
      ) : null}
      {isOpen ? (
        <SavedFiltersDialog
          list={list}
          saved={saved}
          isSaving={isOpen === 'save'}
          choice={choice}
          onClose={() => setIsOpen(undefined)}
        />
      ) : null}
    </div>
  );
}
