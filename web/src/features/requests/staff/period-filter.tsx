import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isRealDay, todayInDubai } from '@diwan/contract/wire/days';
import { filterPeriods } from '@diwan/contract/requests/saved-filters';
import { DayField } from '../../../ui/forms/day-field.tsx';
import { SelectField } from '../../../ui/forms/select-field.tsx';
import type { ListFilters } from './list-filters.ts';

interface PeriodFilterProps {
  filters: ListFilters;
  onChange: (changed: Partial<ListFilters>) => void;
}

const anyTime = 'any';
const ownDays = 'own';
const isDayOrNone = (text: string) => text === '' || isRealDay(text);

/** When a request came: the usual periods by one choice, any other by its days. */
export function PeriodFilter({ filters, onChange }: PeriodFilterProps) {
  const { t } = useTranslation('requests');
  const { from, to, period } = filters;
  const hasDays = from !== '' || to !== '';
  const [isOwn, setIsOwn] = useState(false);
  const choose = (value: string) => {
    setIsOwn(value === ownDays);
    if (value !== ownDays || period)
      onChange({ period: filterPeriods.find((each) => each === value), from: '', to: '' });
  };
  return (
    <>
      <div className="max-md:col-span-2 md:w-[10rem]">
        <SelectField
          label={t('listing.period')}
          value={period ?? (hasDays || isOwn ? ownDays : anyTime)}
          onChange={choose}
          choices={[anyTime, ...filterPeriods, ownDays].map((value) => ({
            value,
            label: t(`listing.periods.${value}`),
          }))}
        />
      </div>
      {!period && (hasDays || isOwn) ? <OwnDays from={from} to={to} onChange={onChange} /> : null}
    </>
  );
}

/**
 * Two days, in force as soon as both are days and in order; what is not yet stays as it was typed.
 */
function OwnDays({
  from,
  to,
  onChange,
}: {
  from: string;
  to: string;
  onChange: PeriodFilterProps['onChange'];
}) {
  const { t } = useTranslation('requests');
  const inForce = `${from} ${to}`;
  const [typed, setTyped] = useState({ inForce, from, to });
  if (typed.inForce !== inForce) setTyped({ inForce, from, to });
  const isBackwards = isRealDay(typed.from) && isRealDay(typed.to) && typed.to < typed.from;
  const change = (changed: { from?: string; to?: string }) => {
    const next = { ...typed, ...changed };
    setTyped(next);
    const isReady =
      isDayOrNone(next.from) &&
      isDayOrNone(next.to) &&
      (next.from === '' || next.to === '' || next.from <= next.to);
    if (isReady && `${next.from} ${next.to}` !== inForce)
      onChange({ from: next.from, to: next.to });
  };
  return (
    <>
      <div className="md:w-[9.5rem]">
        <DayField
          name="from"
          label={t('listing.from')}
          value={typed.from}
          onChange={(day) => change({ from: day })}
          max={isRealDay(typed.to) ? typed.to : todayInDubai()}
        />
      </div>
      <div className="md:w-[9.5rem]">
        <DayField
          name="to"
          label={t('listing.to')}
          value={typed.to}
          onChange={(day) => change({ to: day })}
          min={isRealDay(typed.from) ? typed.from : undefined}
          error={isBackwards ? t('listing.dateOrder') : undefined}
        />
      </div>
    </>
  );
}
