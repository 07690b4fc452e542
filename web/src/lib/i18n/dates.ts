import { isRealDay } from '@diwan/contract/wire/days';
import type { Language } from '@diwan/contract/wire/languages';
import { toLatinDigits } from '@diwan/contract/wire/typed-number';
import { localeOf } from './language.ts';

export interface DayParts {
  day: string;
  month: string;
  year: string;
}

/**
 * Splits a date that was typed as one text, in any digits: day first, as everywhere in the portal,
 * or year first. The parts are as they were typed.
 */
export function parseDateParts(text: string): DayParts | undefined {
  const [, first = '', month = '', last = ''] =
    /^\s*(\d{1,4})[\s/.-]+(\d{1,2})[\s/.-]+(\d{1,4})\s*$/.exec(toLatinDigits(text)) ?? [];
  if (first.length === 4 && last.length <= 2) return { year: first, month, day: last };
  return last.length === 4 && first.length <= 2 ? { day: first, month, year: last } : undefined;
}

/**
 * Reads a typed day as `2026-01-31`; empty for an empty text, undefined for a day that does not
 * exist. Eight digits are day, month and year: some keyboards have no separators.
 */
export function parseDay(text: string): string | undefined {
  const plain = toLatinDigits(text).trim();
  if (plain === '') return '';
  const parts = parseDateParts(
    /^\d{8}$/.test(plain) ? `${plain.slice(0, 2)}/${plain.slice(2, 4)}/${plain.slice(4)}` : plain,
  );
  const day =
    parts && `${parts.year}-${parts.month.padStart(2, '0')}-${parts.day.padStart(2, '0')}`;
  return day !== undefined && isRealDay(day) ? day : undefined;
}

/** Formats a day such as `2026-01-31` as 31/01/2026. */
export function formatDay(day: string): string {
  return day.split('-').toReversed().join('/');
}

/**
 * Formats a day such as `2026-01-31` in the Umm al-Qura calendar; undefined outside of the years
 * that the calendar covers.
 */
export function hijriDate(day: string, language: Language): string | undefined {
  if (day < '1882-11-12' || day > '2174-11-25') return undefined;
  const locale = localeOf(language).replace('-u-', '-u-ca-islamic-umalqura-');
  const calendar = locale.includes('-u-') ? locale : `${locale}-u-ca-islamic-umalqura`;
  return new Intl.DateTimeFormat(calendar, {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  }).format(new Date(`${day}T00:00:00Z`));
}

/**
 * Whether a typed year is Hijri: 1300 to 1500. No answer to a form has such a year in the Gregorian
 * calendar.
 */
export const isHijriYear = (year: string): boolean => /^1[345]\d{2}$/.test(year) && year <= '1500';

const dayMs = 86_400_000;
const firstOf1300 = Date.UTC(1882, 10, 12);
let umAlQura: Intl.DateTimeFormat | undefined;

function hijriNumbers(time: number): string {
  umAlQura ??= new Intl.DateTimeFormat('en-u-ca-islamic-umalqura-nu-latn', {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'numeric',
    year: 'numeric',
  });
  const parts = new Map(umAlQura.formatToParts(time).map(({ type, value }) => [type, value]));
  return [parts.get('year'), parts.get('month'), parts.get('day')].map(Number).join('-');
}

/** The day such as `2026-01-31` of a Hijri date; undefined when the month has no such day. */
export function hijriToDay(year: number, month: number, day: number): string | undefined {
  // `Intl` only converts to Hijri. The mean length of a month gives a day that is at most a few days
  // away, and its neighbours are tried.
  const near =
    firstOf1300 + Math.round(((year - 1300) * 12 + month - 1) * 29.530588 + day - 1) * dayMs;
  const found = [0, 1, -1, 2, -2, 3, -3]
    .map((days) => near + days * dayMs)
    .find((time) => hijriNumbers(time) === `${year}-${month}-${day}`);
  return found === undefined ? undefined : new Date(found).toISOString().slice(0, 10);
}
