import { ChevronDown } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { classNames } from '../../lib/class-names.ts';
import { useFormat } from '../../lib/format.ts';
import { useIsDesk } from '../../lib/use-media-query.ts';
import { Button } from '../../ui/button.tsx';
import { ComboField } from '../../ui/combo-field.tsx';
import { useAgencies } from './services.data.ts';

interface AgencyFilterProps {
  accountTypeId: number | undefined;
  selected: number | undefined;
  onSelect: (agencyId: number | undefined) => void;
}

/** The side list begins with those that offer most; the rest is one press away. */
const shortLength = 10;

/** Services by government agency: a side list on a desk, a choice by typing on a phone. */
export function AgencyFilter({ accountTypeId, selected, onSelect }: AgencyFilterProps) {
  const { t } = useTranslation('services');
  const { count } = useFormat();
  const isDesk = useIsDesk();
  const [isExpanded, setIsExpanded] = useState(false);
  const { data: agencies = [], isPending } = useAgencies(accountTypeId);
  // On a phone it stands over the list, so its place is kept while its choices are on the way.
  if (agencies.length === 0 && (isDesk || !isPending)) return null;
  if (!isDesk) {
    return (
      <ComboField
        label={t('agencies.title')} placeholder={t('agencies.all')} value={selected === undefined ? '' : String(selected)} onChange={(value) => onSelect(value === '' ? undefined : Number(value))}
        choices={agencies.map((agency) => ({ value: String(agency.id), label: agency.name }))}
      />
    );
  }
  const byCount = agencies.toSorted((one, other) => other.servicesCount - one.servicesCount);
  const shown = isExpanded ? byCount : byCount.filter((agency, index) => index < shortLength || agency.id === selected);
  return (
    <section aria-labelledby="agencies-title">
      <h2 id="agencies-title" className="px-3 pb-2 text-base">{t('agencies.title')}</h2>
      <ul className="flex flex-col gap-0.5">
        <li><AgencyButton isSelected={selected === undefined} onSelect={() => onSelect(undefined)}>{t('agencies.all')}</AgencyButton></li>
        {shown.map((agency) => (
          <li key={agency.id}>
            <AgencyButton isSelected={agency.id === selected} onSelect={() => onSelect(agency.id === selected ? undefined : agency.id)}>
              <span className="min-w-0">{agency.name}</span>
              <span className="shrink-0 text-ink-500 tabular-nums">{count(agency.servicesCount)}<span className="sr-only"> {t('agencies.services', { count: agency.servicesCount })}</span></span>
            </AgencyButton>
          </li>
        ))}
      </ul>
      {agencies.length > shortLength ? <Button variant="quiet" size="sm" aria-expanded={isExpanded} onPress={() => setIsExpanded(!isExpanded)} icon={<ChevronDown aria-hidden size={18} className={isExpanded ? 'rotate-180' : ''} />}>{t(isExpanded ? 'agencies.fewer' : 'agencies.more')}</Button> : null}
    </section>
  );
}

function AgencyButton({ isSelected, onSelect, children }: { isSelected: boolean; onSelect: () => void; children: ReactNode }) {
  return (
    <button
      type="button" aria-pressed={isSelected} onClick={onSelect}
      className={classNames('flex min-h-11 w-full items-center justify-between gap-3 rounded-md px-3 py-1.5 text-start text-sm transition-colors duration-150 hover:bg-gold-50 hover:text-gold-800', isSelected && 'bg-gold-50 font-semibold text-gold-800')}
    >
      {children}
    </button>
  );
}
