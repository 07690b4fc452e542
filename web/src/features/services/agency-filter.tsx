import { ChevronDown, SlidersHorizontal } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { classNames } from '#lib/browser/class-names.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import type { GovernmentAgencyWithCount } from '@diwan/contract/catalogue/agencies';
import type { ServiceFilters } from './service-filters.ts';
import { useAgencies, useMatchingAgencies } from './services.data.ts';

interface AgencyFilterProps {
  filters: ServiceFilters;
  onSelect: (agencyId: number | undefined) => void;
  /** Both are in the page, in the places that they have there: the server does not know the width. */
  on: 'phone' | 'desktop';
}

interface ChoiceProps {
  agencies: readonly GovernmentAgencyWithCount[];
  selected: number | undefined;
  onSelect: (agencyId: number | undefined) => void;
}

/** The list starts with the agencies with most services; the others are collapsed. */
const shortLength = 10;

/**
 * A filter by government agency with the number of matching services: a list on a desktop, a native
 * select on a phone.
 */
export function AgencyFilter({ filters, onSelect, on }: AgencyFilterProps) {
  const selected = filters.governmentAgencyId;
  const { data: matching, isPending } = useMatchingAgencies(filters);
  // The selected agency stays visible also when no service matches, so that it can be deselected.
  const isMissing =
    selected !== undefined && matching !== undefined && matching.every(({ id }) => id !== selected);
  const chosen = useAgencies(undefined, isMissing).data?.find(
    ({ id }) => isMissing && id === selected,
  );
  const agencies = [
    ...(chosen ? [{ ...chosen, servicesCount: 0 }] : []),
    ...(matching ?? []).toSorted((one, other) => other.servicesCount - one.servicesCount),
  ];
  // On a phone it is folded above the list, so its space is reserved while loading.
  if (agencies.length === 0 && (on === 'desktop' || !isPending)) return null;
  const Choice = on === 'desktop' ? SideList : PhoneChoice;
  return <Choice agencies={agencies} selected={selected} onSelect={onSelect} />;
}

function PhoneChoice({ agencies, selected, onSelect }: ChoiceProps) {
  const { t } = useTranslation('services');
  const { count } = useFormat();
  return (
    <details className="group">
      <summary
        className={classNames(
          'flex min-h-12 cursor-pointer list-none items-center gap-2 rounded-md border',
          'border-ink-200 px-4 font-semibold',
        )}
      >
        <SlidersHorizontal aria-hidden size={18} className="shrink-0 text-gold-700" />
        <span className="grow">{t('agencies.title')}</span>
        <ChevronDown
          aria-hidden
          size={20}
          className="shrink-0 text-ink-500 group-open:rotate-180"
        />
      </summary>
      <div className="relative mt-2">
        <select
          aria-label={t('agencies.title')}
          value={selected ?? ''}
          onChange={(event) =>
            onSelect(event.target.value === '' ? undefined : Number(event.target.value))
          }
          className={classNames(
            'min-h-12 w-full appearance-none truncate rounded-md border',
            'border-ink-400 bg-white py-2 ps-4 pe-12 text-base leading-(--leading-control)',
            'text-ink-900 hover:border-ink-600',
          )}
        >
          <option value="">{t('agencies.all')}</option>
          {agencies.map((agency) => (
            <option key={agency.id} value={agency.id}>
              {t('agencies.choice', { name: agency.name, figure: count(agency.servicesCount) })}
            </option>
          ))}
        </select>
        <ChevronDown
          aria-hidden
          size={20}
          className="pointer-events-none absolute end-4 top-1/2 -translate-y-1/2 text-ink-500"
        />
      </div>
    </details>
  );
}

function SideList({ agencies, selected, onSelect }: ChoiceProps) {
  const { t } = useTranslation('services');
  const { count } = useFormat();
  const [isExpanded, setIsExpanded] = useState(false);
  const shown = isExpanded
    ? agencies
    : agencies.filter((agency, index) => index < shortLength || agency.id === selected);
  return (
    <section aria-labelledby="agencies-title">
      <h2 id="agencies-title" className="px-3 pb-2 text-base">
        {t('agencies.title')}
      </h2>
      <ul className="flex flex-col gap-0.5">
        <li>
          <AgencyButton isSelected={selected === undefined} onSelect={() => onSelect(undefined)}>
            {t('agencies.all')}
          </AgencyButton>
        </li>
        {shown.map((agency) => (
          <li key={agency.id}>
            <AgencyButton
              isSelected={agency.id === selected}
              onSelect={() => onSelect(agency.id === selected ? undefined : agency.id)}
            >
              <span className="min-w-0">{agency.name}</span>
              <span className="shrink-0 text-ink-500 tabular-nums">
                <span>{count(agency.servicesCount)}</span>
                <span className="sr-only">
                  {' '}
                  <span>{t('agencies.services', { count: agency.servicesCount })}</span>
                </span>
              </span>
            </AgencyButton>
          </li>
        ))}
      </ul>
      {agencies.length > shortLength ? (
        <Button
          variant="quiet"
          size="sm"
          aria-expanded={isExpanded}
          onPress={() => setIsExpanded(!isExpanded)}
          icon={<ChevronDown aria-hidden size={18} className={isExpanded ? 'rotate-180' : ''} />}
        >
          {t(isExpanded ? 'agencies.fewer' : 'agencies.more')}
        </Button>
      ) : null}
    </section>
  );
}

function AgencyButton({
  isSelected,
  onSelect,
  children,
}: {
  isSelected: boolean;
  onSelect: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-pressed={isSelected}
      onClick={onSelect}
      className={classNames(
        'flex min-h-11 w-full items-center justify-between gap-3 rounded-md px-3 py-1.5',
        'text-start text-sm transition-colors duration-150 hover:bg-gold-50 hover:text-gold-800',
        isSelected && 'bg-gold-50 font-semibold text-gold-800',
      )}
    >
      {children}
    </button>
  );
}
