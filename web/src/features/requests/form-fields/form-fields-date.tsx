import { useState, type ClipboardEvent, type FocusEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { isRealDay } from '@diwan/contract/days';
import { toLatinDigits } from '../../../lib/digits.ts';
import { hijriDate } from '../../../lib/hijri.ts';
import { useLanguage } from '../../../lib/language.ts';
import { controlStyle, FieldError, FieldHint, OptionalMark, useFieldIds, type FieldProps } from '../../../ui/field-frame.tsx';

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
type Typed = Record<Part, string>;

function typedOf(value: string): Typed {
  const [year = '', month = '', day = ''] = value.split('-');
  return { year, month, day };
}

function valueOf({ day, month, year }: Typed): string {
  if (day === '' && month === '' && year === '') return '';
  const isWhole = /^\d{1,2}$/.test(day) && /^\d{1,2}$/.test(month) && /^\d{4}$/.test(year);
  return isWhole ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : `${year}-${month}-${day}`;
}

/** A whole date given at once, by pasting or from the browser's memory: day first, as everywhere on the page, or year first. */
function wholeDate(text: string): Typed | undefined {
  const [, first = '', month = '', last = ''] = /^\s*(\d{1,4})[\s/.-]+(\d{1,2})[\s/.-]+(\d{1,4})\s*$/.exec(toLatinDigits(text)) ?? [];
  if (first.length === 4 && last.length <= 2) return { year: first, month, day: last };
  return last.length === 4 && first.length <= 2 ? { day: first, month, year: last } : undefined;
}

/** Day, month and year in boxes of their own: the browser's picker writes a date in the order of its own language, not in that of the page. Decision 0020. */
export function DateEntry({ label, description, error, isOptional, isDisabled, focusIds, value, onChange, onBlur, name, isBirthDate }: DateEntryProps) {
  const { t } = useTranslation('forms');
  const { language } = useLanguage();
  const ids = useFieldIds({ description, error });
  const [typed, setTyped] = useState(() => typedOf(value));
  const shown = valueOf(typed) === value ? typed : typedOf(value);
  const hijri = isRealDay(value) ? hijriDate(value, language) : undefined;
  const change = (next: Typed) => {
    setTyped(next);
    onChange(valueOf(next));
  };
  const type = (part: Part, text: string) => change(wholeDate(text) ?? { ...shown, [part]: toLatinDigits(text).replace(/[\s/.-]/g, '').slice(0, 10) });
  const paste = (event: ClipboardEvent) => {
    const whole = wholeDate(event.clipboardData.getData('text'));
    if (!whole) return;
    event.preventDefault();
    change(whole);
  };
  const leave = (event: FocusEvent) => {
    if (!event.currentTarget.closest('fieldset')?.contains(event.relatedTarget)) onBlur();
  };
  return (
    <fieldset aria-describedby={ids.describedBy} className={error ? 'border-s-4 border-red-700 ps-3' : undefined}>
      <legend className="mb-1 font-semibold text-ink-900">{label}{isOptional ? <OptionalMark /> : null}</legend>
      <div className="flex flex-col gap-1">
        <FieldHint id={ids.hint}>{description}</FieldHint>
        <FieldError id={ids.error}>{error}</FieldError>
        <div className="mt-1 flex gap-3">
          {parts.map((part) => (
            <label key={part} className={part === 'year' ? 'w-24' : 'w-18'}>
              <span className="mb-1 block text-sm text-ink-700">{t(`date.${part}`)}</span>
              <input
                id={part === 'day' ? ids.control : undefined} value={shown[part]} onChange={(event) => type(part, event.target.value)} onPaste={paste} onBlur={leave} inputMode="numeric" dir="ltr" disabled={isDisabled}
                autoComplete={isBirthDate ? `bday-${part}` : 'off'} aria-required={isOptional ? undefined : true} aria-invalid={error ? true : undefined} aria-describedby={ids.describedBy}
                data-focus-id={part === 'day' ? [name, ...(focusIds ?? [])].join(' ') : undefined} data-part={part} className={`${controlStyle} text-center tabular-nums`}
              />
            </label>
          ))}
        </div>
        <p aria-live="polite" className="text-sm text-ink-600">{hijri ? t('date.hijri', { date: `\u2068${hijri}\u2069` }) : null}</p>
      </div>
    </fieldset>
  );
}
