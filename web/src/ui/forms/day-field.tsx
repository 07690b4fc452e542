import { CalendarDays } from 'lucide-react';
import { useRef, useState } from 'react';
import { classNames } from '#lib/browser/class-names.ts';
import { parseDay, formatDay } from '#lib/i18n/dates.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { controlStyle, FieldFrame, focusIdOf, useFieldIds } from './field-frame.tsx';

interface DayFieldProps {
  label: string;
  /** A day as `2026-01-31`; empty for none. Incomplete input is passed as typed. */
  value: string;
  onChange: (value: string) => void;
  min?: string;
  max?: string;
  error?: string;
  name?: string;
  /** Whether a form needs the day. Days of filters are neither required nor marked as optional. */
  isRequired?: boolean;
}

/**
 * A day, typed day first in one box or picked in the browser's calendar. The box of a native date
 * input would use the order of the browser's language.
 */
export function DayField({
  label,
  value,
  onChange,
  min,
  max,
  error,
  name,
  isRequired,
}: DayFieldProps) {
  const { t } = useTranslation('shell');
  const { direction } = useLanguage();
  const calendar = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<string>();
  const day = parseDay(value);
  const isUnreadable = typed === undefined && day === undefined;
  const problem = isUnreadable ? t('kit.noDay') : error;
  const ids = useFieldIds({ error: problem });
  const type = (text: string) => {
    setTyped(text);
    onChange(parseDay(text) ?? text);
  };
  return (
    <FieldFrame ids={ids} label={label} error={problem}>
      <div className="relative">
        <input
          id={ids.control}
          name={name}
          data-focus-id={focusIdOf(name)}
          value={typed ?? (day ? formatDay(day) : value)}
          onChange={(event) => type(event.target.value)}
          onBlur={() => setTyped(undefined)}
          inputMode="numeric"
          dir="ltr"
          autoComplete="off"
          maxLength={20}
          placeholder={t('kit.dayForm')}
          aria-required={isRequired || undefined}
          aria-invalid={problem ? true : undefined}
          aria-describedby={ids.describedBy}
          className={classNames(
            controlStyle,
            direction === 'rtl' ? 'ps-11!' : 'pe-11!',
            'tabular-nums',
          )}
        />
        {/* The native calendar opens at its own input, which is hidden under the button. */}
        <input
          ref={calendar}
          type="date"
          tabIndex={-1}
          aria-hidden
          value={day ?? ''}
          min={min}
          max={max}
          onChange={(event) => {
            setTyped(undefined);
            onChange(event.target.value);
          }}
          className="pointer-events-none absolute inset-y-0 end-0 w-11 opacity-0"
        />
        <button
          type="button"
          aria-label={t('kit.pickDay', { label })}
          onClick={() => calendar.current?.showPicker()}
          className={classNames(
            'absolute inset-y-0.5 end-0.5 flex w-11 items-center justify-center',
            'rounded-md bg-white text-ink-600 hover:bg-gold-50',
          )}
        >
          <CalendarDays aria-hidden size={18} />
        </button>
      </div>
    </FieldFrame>
  );
}
