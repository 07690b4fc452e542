import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isRealDay } from '@diwan/contract/wire/days';
import { classNames } from '../../lib/browser/class-names.ts';
import { useFormat } from '../../lib/i18n/format.ts';
import { Button } from '../../ui/actions/button.tsx';
import { DayField } from '../../ui/forms/day-field.tsx';
import { lastDays, problemOf, type ReportDays } from './report-days.ts';

const presets = [7, 30, 90, 365];

/**
 * Which days the report is of: the usual ones by one press, any others by their dates. Give it the
 * days as `key`, so that it follows the address.
 */
export function ReportPeriod({
  days,
  today,
  onChange,
}: {
  days: ReportDays;
  today: string;
  onChange: (days: ReportDays) => void;
}) {
  const { t } = useTranslation('reports');
  const { count } = useFormat();
  const [typed, setTyped] = useState(days);
  const problem = problemOf(typed, today);
  const isSame = typed.from === days.from && typed.to === days.to;
  return (
    <div
      data-no-print
      className="flex flex-col gap-4 pb-6 lg:flex-row lg:flex-wrap lg:items-end lg:justify-between"
    >
      <div role="group" aria-label={t('period.usual')} className="flex flex-wrap gap-2">
        {presets.map((length) => {
          const preset = lastDays(length, today);
          const isChosen = preset.from === days.from && preset.to === days.to;
          return (
            <button
              key={length}
              type="button"
              aria-pressed={isChosen}
              onClick={() => onChange(preset)}
              className={classNames(
                'min-h-11 rounded-full border px-4 text-sm font-semibold transition-colors duration-150',
                isChosen
                  ? 'border-primary bg-primary text-white'
                  : 'border-ink-300 bg-white text-ink-700 hover:border-gold-600 hover:bg-gold-50',
              )}
            >
              {t('period.last', { count: length, number: count(length) })}
            </button>
          );
        })}
      </div>
      <form
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!problem) onChange(typed);
        }}
      >
        <div className="min-w-36 grow sm:max-w-48">
          <DayField
            label={t('period.from')}
            value={typed.from}
            max={today}
            onChange={(from) => setTyped({ ...typed, from })}
          />
        </div>
        <div className="min-w-36 grow sm:max-w-48">
          <DayField
            label={t('period.to')}
            value={typed.to}
            max={today}
            onChange={(to) => setTyped({ ...typed, to })}
            error={
              problem && isRealDay(typed.from) && isRealDay(typed.to)
                ? t(`period.${problem}`)
                : undefined
            }
          />
        </div>
        <Button type="submit" variant="secondary" isDisabled={Boolean(problem) || isSame}>
          {t('period.show')}
        </Button>
      </form>
    </div>
  );
}
