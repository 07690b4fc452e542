import { dayOfHijri, isHijriYear } from '../../../lib/i18n/hijri.ts';
import type { DayParts } from '../../../lib/i18n/typed-day.ts';

/** What stands in the three boxes of a day that is kept, whole or as far as it was typed. */
export function typedParts(kept: string): DayParts {
  const [year = '', month = '', day = ''] = kept.split('-');
  return { year, month, day };
}

/** A day as it is kept, `2026-01-31`; what is not whole yet is kept as it was typed. */
export function keptDay({ day, month, year }: DayParts): string {
  if (day === '' && month === '' && year === '') return '';
  const isWhole = /^\d{1,2}$/.test(day) && /^\d{1,2}$/.test(month) && /^\d{4}$/.test(year);
  if (!isWhole) return `${year}-${month}-${day}`;
  // Who knows a date in Hijri only types it so; what is kept is the day that it names. A day that
  // no Hijri month has must not pass for one of long ago.
  if (isHijriYear(year))
    return dayOfHijri(Number(year), Number(month), Number(day)) ?? `${year}-${month}-${day}-AH`;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
