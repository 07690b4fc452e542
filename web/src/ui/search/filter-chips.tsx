import { X } from 'lucide-react';
import { classNames } from '#lib/browser/class-names.ts';
import { useTranslation } from '#lib/i18n/translate.ts';

/** A filter that is on: its text, and the change of the filters that removes it. */
export interface ActiveFilter<Change> {
  text: string;
  without: Change;
}

/** The filters of a list or the period of a report, for paper, where no field shows them. */
export function PrintedFilters({ texts }: { texts: readonly string[] }) {
  const { t } = useTranslation('shell');
  if (texts.length === 0) return null;
  return (
    <p data-printed-filters className="hidden flex-wrap gap-x-3 print:flex">
      <strong>{t('kit.printedFilters')}</strong>
      {texts.map((text) => (
        <bdi key={text}>{text}</bdi>
      ))}
    </p>
  );
}

/** The active filters, each with a button that removes it; on paper a line of text. */
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
      <li aria-hidden className="hidden font-bold print:block">
        {t('kit.printedFilters')}
      </li>
      {active.map(({ text, without }) => (
        <li key={text} className="min-w-0">
          <button
            type="button"
            aria-label={t('kit.removeFilter', { filter: text })}
            onClick={() => onChange(without)}
            className={classNames(
              'flex min-h-11 max-w-full items-center gap-2 rounded-full border border-gold-600',
              'bg-gold-50 px-3 text-sm font-semibold text-gold-800 transition-colors duration-150',
              'hover:bg-gold-100 md:min-h-8 print:min-h-0 print:border-0 print:bg-transparent',
              'print:px-0 print:text-inherit',
            )}
          >
            <bdi className="truncate">{text}</bdi>
            <X aria-hidden size={16} className="shrink-0 print:hidden" />
          </button>
        </li>
      ))}
      <li data-no-print>
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
