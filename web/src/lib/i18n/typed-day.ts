import { isRealDay } from '@diwan/contract/wire/days';
import { toLatinDigits } from './digits.ts';

export interface DayParts {
  day: string;
  month: string;
  year: string;
}

/**
 * A whole date in one text, in any digits: day first, as everywhere on the page, or year first. The
 * parts are as they were written.
 */
export function wholeDate(text: string): DayParts | undefined {
  const [, first = '', month = '', last = ''] =
    /^\s*(\d{1,4})[\s/.-]+(\d{1,2})[\s/.-]+(\d{1,4})\s*$/.exec(toLatinDigits(text)) ?? [];
  if (first.length === 4 && last.length <= 2) return { year: first, month, day: last };
  return last.length === 4 && first.length <= 2 ? { day: first, month, year: last } : undefined;
}

/**
 * The day that was typed, as `2026-01-31`; empty where nothing was, and undefined where it is no
 * day. Eight digits alone are day, month and year: not every keyboard has the strokes between.
 */
export function readDay(text: string): string | undefined {
  const plain = toLatinDigits(text).trim();
  if (plain === '') return '';
  const parts = wholeDate(
    /^\d{8}$/.test(plain) ? `${plain.slice(0, 2)}/${plain.slice(2, 4)}/${plain.slice(4)}` : plain,
  );
  const day =
    parts && `${parts.year}-${parts.month.padStart(2, '0')}-${parts.day.padStart(2, '0')}`;
  return day !== undefined && isRealDay(day) ? day : undefined;
}

/** A day such as `2026-01-31` as people here write it. */
export function writeDay(day: string): string {
  return day.split('-').toReversed().join('/');
}
