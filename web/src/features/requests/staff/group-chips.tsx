import { useTranslation } from 'react-i18next';
import { classNames } from '../../../lib/browser/class-names.ts';
import { statusGroups, type StatusGroup } from './list-filters.ts';

/** One choice of four, as buttons that stay down. */
export function GroupChips({
  selected,
  onSelect,
}: {
  selected: StatusGroup | undefined;
  onSelect: (group: StatusGroup | undefined) => void;
}) {
  const { t } = useTranslation('requests');
  return (
    <div
      role="group"
      aria-label={t('listing.groups')}
      className="no-scrollbar -mx-4 flex gap-1.5 overflow-x-auto px-4 py-1 md:mx-0 md:px-0"
    >
      {[undefined, ...statusGroups].map((group) => (
        <button
          key={group ?? 'all'}
          type="button"
          aria-pressed={group === selected}
          onClick={() => onSelect(group)}
          className={classNames(
            'min-h-11 shrink-0 rounded-full border px-3 md:px-4 text-sm font-semibold transition-colors duration-150',
            group === selected
              ? 'border-primary bg-primary text-white'
              : 'border-ink-200 bg-white text-ink-700 hover:border-gold-600 hover:bg-gold-50',
          )}
        >
          {t(`listing.${group ?? 'all'}`)}
        </button>
      ))}
    </div>
  );
}
