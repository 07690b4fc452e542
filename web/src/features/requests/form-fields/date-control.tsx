import { useState, type ClipboardEvent, type FocusEvent } from 'react';
import {
  hijriDate,
  hijriToDay,
  isHijriYear,
  parseDateParts,
  type DayParts,
} from '#lib/i18n/dates.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import {
  controlStyle,
  FieldsetFrame,
  focusIdOf,
  useFieldIds,
  type FieldProps,
} from '#ui/forms/field-frame.tsx';
import { isRealDay } from '@diwan/contract/wire/days';
import { toLatinDigits } from '@diwan/contract/wire/typed-number';

/** The parts of a stored day, complete or as typed. */
export function typedParts(stored: string): DayParts {
  const [year = '', month = '', day = ''] = stored.split('-');
  return { year, month, day };
}

/** A day in the stored format `2026-01-31`; incomplete input is stored as typed. */
export function storedDay({ day, month, year }: DayParts): string {
  if (day === '' && month === '' && year === '') return '';
  const isComplete = /^\d{1,2}$/.test(day) && /^\d{1,2}$/.test(month) && /^\d{4}$/.test(year);
  if (!isComplete) return `${year}-${month}-${day}`;
  // A Hijri date is stored as its Gregorian day. A day that does not exist in a Hijri month must
  // not be read as a Gregorian one.
  if (isHijriYear(year))
    return hijriToDay(Number(year), Number(month), Number(day)) ?? `${year}-${month}-${day}-AH`;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

interface DateEntryProps extends FieldProps {
  /** A day as `2026-01-31`; incomplete input as typed. */
  value: string;
  onChange: (value: string) => void;
  /** Called when the focus leaves all three inputs. */
  onBlur: () => void;
  name: string;
  isBirthDate?: boolean;
}

const parts = ['day', 'month', 'year'] as const;
type Part = (typeof parts)[number];

/**
 * Day, month and year in separate inputs: a native picker uses the order of the browser's language
 * instead of the page's. Decision 0020.
 */
export function DateControl({
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
  const shown = storedDay(typed) === value ? typed : typedParts(value);
  const isDay = isRealDay(value);
  const hijri = isDay ? hijriDate(value, language) : undefined;
  const [isInside, setIsInside] = useState(false);
  const change = (next: DayParts) => {
    setTyped(next);
    onChange(storedDay(next));
  };
  const type = (part: Part, text: string) =>
    change(
      parseDateParts(text) ?? {
        ...shown,
        // Whole letters: half of an emoji cannot be stored.
        [part]: [...toLatinDigits(text).replace(/[\s/.-]/g, '')].slice(0, 10).join(''),
      },
    );
  const paste = (event: ClipboardEvent) => {
    const whole = parseDateParts(event.clipboardData.getData('text'));
    if (!whole) return;
    event.preventDefault();
    change(whole);
  };
  const leave = (event: FocusEvent) => {
    if (event.currentTarget.closest('fieldset')?.contains(event.relatedTarget)) return;
    setIsInside(false);
    // What was typed looks as it will when it is stored and opened again.
    if (isDay && !isHijriYear(typed.year)) setTyped(typedParts(value));
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
      {/* The space of the text is reserved, so that nothing moves under a finger. */}
      <div className="min-h-[1lh] text-sm text-ink-600">
        <p aria-live="polite">{inOtherCalendar}</p>
        {isInside && !isDay ? <p>{t('date.hijriToo')}</p> : null}
      </div>
    </FieldsetFrame>
  );
}
