import { BookmarkPlus, Settings2, Star } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { classNames } from '../../../lib/browser/class-names.ts';
import { Button } from '../../../ui/actions/button.tsx';
import {
  choiceOf,
  filtersOf,
  isSameChoice,
  noFilters,
  openWithout,
  writeFilters,
  type ListFilters,
} from './list-filters.ts';
import { SavedFiltersDialog } from './saved-filters-dialog.tsx';
import { useSavedFilters } from './saved-filters.data.ts';
import type { StaffListName } from './staff-lists.ts';

interface SavedFilterChipsProps {
  list: StaffListName;
  filters: ListFilters;
  onChange: (changed: Partial<ListFilters>) => void;
}

/**
 * The person's own filters as chips. A list that was opened by its bare address begins with the
 * default one.
 */
export function SavedFilterChips({ list, filters, onChange }: SavedFilterChipsProps) {
  const { t } = useTranslation('staff');
  const [search, setSearch] = useSearchParams();
  const { filters: saved } = useSavedFilters(list);
  const [isOpen, setIsOpen] = useState<'save' | 'manage'>();
  const choice = choiceOf(filters);
  const current = saved?.find((each) => isSameChoice(each.choice, choice));
  const nothing = isSameChoice(choice, choiceOf(noFilters));
  const first = saved?.find((each) => each.isDefault);
  const stage = useRef<'arriving' | 'changing' | 'there'>('arriving');
  useEffect(() => {
    // Until the address has changed, whatever else is drawn meanwhile is not an answer to it.
    if (!saved || (stage.current === 'changing' && String(search) === '')) return;
    const isArriving = stage.current === 'arriving';
    stage.current = 'there';
    if (!first || String(search) !== '') return;
    stage.current = 'changing';
    // Once the default is taken off, a reload must not put it back.
    setSearch(
      isArriving
        ? writeFilters(new URLSearchParams(), filtersOf(first.choice))
        : new URLSearchParams({ [openWithout]: '1' }),
      { replace: true },
    );
  }, [saved, first, search, setSearch]);

  if (!saved || (saved.length === 0 && nothing)) return null;
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
          onClick={() => onChange(each === current ? noFilters : filtersOf(each.choice))}
          className={classNames(
            'inline-flex min-h-11 max-w-full items-center gap-2 rounded-full border px-4 text-sm font-semibold transition-colors duration-150 md:min-h-9',
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
      {!current && !nothing ? (
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
