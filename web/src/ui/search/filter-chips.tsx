import { X } from 'lucide-react';
import { classNames } from '#lib/browser/class-names.ts';
import { useTranslation } from '#lib/i18n/translate.ts';

/** A filter that is on: its text, and the change of the filters that removes it. */
export interface ActiveFilter<Change> {
  text: string;
  without: Change;
}

/** The active filters, each with a button that removes it. */
export function FilterChips<Change>({
  active,
  onChange,
  onClear,
}: {
  active: readonly ActiveFilter<Change>[];
  onChange: (change: Change) => void;
  onClear: () => void;
}) {
  const { t } = useTranslation('shell');
  if (active.length === 0) return null;
  return (
    <ul className="flex flex-wrap items-center gap-2">
      {active.map(({ text, without }) => (
        <li key={text} className="min-w-0">
          <button
            type="button"
            aria-label={t('kit.removeFilter', { filter: text })}
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
          {t('kit.clearFilters')}
        </button>
      </li>
    </ul>
  );
}
