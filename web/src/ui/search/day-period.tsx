import { useState } from 'react';
import { useTranslation } from '#lib/i18n/translate.ts';
import { isRealDay } from '@diwan/contract/wire/days';
import { DayField } from '../forms/day-field.tsx';

interface Days {
  from: string;
  until: string;
}

const isOrdered = ({ from, until }: Days) => from === '' || until === '' || from <= until;
const isDayOrNone = (day: string) => day === '' || isRealDay(day);

/**
 * Two days of a filter, empty for none. They apply when both are valid and in order; until then the
 * typed text stays. `names` are those of the fields on the wire.
 */
export function DayPeriod({
  from,
  until,
  names = ['From', 'Until'],
  labels,
  limits,
  className,
  onChange,
}: Days & {
  names?: readonly [from: string, until: string];
  labels: Days;
  /** What the calendars offer, by what is typed. */
  limits?: (typed: Days) => { from: { max: string }; until: { min: string | undefined } };
  className?: string;
  onChange: (days: Days) => void;
}) {
  const { t } = useTranslation('shell');
  const applied = `${from} ${until}`;
  const [typed, setTyped] = useState({ applied, from, until });
  // Follows the address.
  if (typed.applied !== applied) setTyped({ applied, from, until });
  const change = (changed: Partial<Days>) => {
    const next = { ...typed, ...changed };
    setTyped(next);
    const isReady = isDayOrNone(next.from) && isDayOrNone(next.until) && isOrdered(next);
    if (isReady && `${next.from} ${next.until}` !== applied)
      onChange({ from: next.from, until: next.until });
  };
  const isBackwards = isRealDay(typed.from) && isRealDay(typed.until) && !isOrdered(typed);
  const offered = limits?.(typed);
  return (
    <>
      <div className={className}>
        <DayField
          name={names[0]}
          label={labels.from}
          value={typed.from}
          onChange={(day) => change({ from: day })}
          {...offered?.from}
        />
      </div>
      <div className={className}>
        <DayField
          name={names[1]}
          label={labels.until}
          value={typed.until}
          onChange={(day) => change({ until: day })}
          error={isBackwards ? t('kit.dateOrder') : undefined}
          {...offered?.until}
        />
      </div>
    </>
  );
}
