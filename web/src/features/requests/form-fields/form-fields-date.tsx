import { useState, type ClipboardEvent, type FocusEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { isRealDay } from '@diwan/contract/wire/days';
import { toLatinDigits } from '../../../lib/i18n/digits.ts';
import { useFormat } from '../../../lib/i18n/format.ts';
import { hijriDate, isHijriYear } from '../../../lib/i18n/hijri.ts';
import { useLanguage } from '../../../lib/i18n/language.ts';
import { wholeDate, type DayParts } from '../../../lib/i18n/typed-day.ts';
import {
  controlStyle,
  FieldsetFrame,
  focusIdOf,
  useFieldIds,
  type FieldProps,
} from '../../../ui/forms/field-frame.tsx';
import { keptDay, typedParts } from './form-fields-day.ts';

interface DateEntryProps extends FieldProps {
  /** A day as `2026-01-31`; what is not whole yet is kept as it was typed. */
  value: string;
  onChange: (value: string) => void;
  /** The focus has left all three boxes. */
  onBlur: () => void;
  name: string;
  isBirthDate?: boolean;
}

const parts = ['day', 'month', 'year'] as const;
type Part = (typeof parts)[number];

/**
 * Day, month and year in boxes of their own: the browser's picker writes a date in the order of its
 * own language, not in that of the page. Decision 0020.
 */
export function DateEntry({
  isDisabled,
  focusIds,
  value,
  onChange,
  onBlur,
  name,
  isBirthDate,
  ...field
}: DateEntryProps) {
  const { t } = useTranslation('forms');
  const { language } = useLanguage();
  const { date } = useFormat();
  const ids = useFieldIds(field);
  const [typed, setTyped] = useState(() => typedParts(value));
  const shown = keptDay(typed) === value ? typed : typedParts(value);
  const isDay = isRealDay(value);
  const hijri = isDay ? hijriDate(value, language) : undefined;
  const [isInside, setIsInside] = useState(false);
  const change = (next: DayParts) => {
    setTyped(next);
    onChange(keptDay(next));
  };
  const type = (part: Part, text: string) =>
    change(
      wholeDate(text) ?? {
        ...shown,
        [part]: toLatinDigits(text)
          .replace(/[\s/.-]/g, '')
          .slice(0, 10),
      },
    );
  const paste = (event: ClipboardEvent) => {
    const whole = wholeDate(event.clipboardData.getData('text'));
    if (!whole) return;
    event.preventDefault();
    change(whole);
  };
  const leave = (event: FocusEvent) => {
    if (event.currentTarget.closest('fieldset')?.contains(event.relatedTarget)) return;
    setIsInside(false);
    onBlur();
  };
  const inOtherCalendar =
    isDay && isHijriYear(shown.year)
      ? t('date.gregorian', { date: `\u2068${date(value)}\u2069` })
      : hijri
        ? t('date.hijri', { date: `\u2068${hijri}\u2069` })
        : null;
  return (
    <FieldsetFrame {...field} ids={ids}>
      <div className="mt-1 flex flex-wrap gap-3">
        {parts.map((part) => (
          <label key={part} className={part === 'year' ? 'w-[5.5em] shrink-0' : 'w-[4em] shrink-0'}>
            <span className="mb-1 block text-sm text-ink-700">{t(`date.${part}`)}</span>
            <input
              id={part === 'day' ? ids.control : undefined}
              value={shown[part]}
              onChange={(event) => type(part, event.target.value)}
              onPaste={paste}
              onFocus={() => setIsInside(true)}
              onBlur={leave}
              inputMode="numeric"
              dir="ltr"
              disabled={isDisabled}
              autoComplete={isBirthDate ? `bday-${part}` : 'off'}
              aria-required={field.isOptional ? undefined : true}
              aria-invalid={field.error ? true : undefined}
              aria-describedby={ids.describedBy}
              data-focus-id={part === 'day' ? focusIdOf(name, focusIds) : undefined}
              data-part={part}
              className={`${controlStyle} text-center tabular-nums`}
            />
          </label>
        ))}
      </div>
      {/* Its line is there before its words: what moved away under a finger would be missed. */}
      <div className="min-h-[1lh] text-sm text-ink-600">
        <p aria-live="polite">{inOtherCalendar}</p>
        {isInside && !isDay ? <p>{t('date.hijriToo')}</p> : null}
      </div>
    </FieldsetFrame>
  );
}
