import type { Language } from '@diwan/contract/wire/languages';
import { localeOf } from './format.ts';

/**
 * A day such as `2026-01-31` in the Umm al-Qura calendar; undefined outside of the years that it is
 * made for.
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
 * The years of the Umm al-Qura calendar that a person alive can mean. No answer to a form has such
 * a year in the other calendar.
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

/**
 * The day such as `2026-01-31` that a Hijri date names; undefined when that month has no such day.
 */
export function dayOfHijri(year: number, month: number, day: number): string | undefined {
  // Months begin within a few days of where their mean length puts them; `Intl` only goes the other
  // way.
  const near =
    firstOf1300 + Math.round(((year - 1300) * 12 + month - 1) * 29.530588 + day - 1) * dayMs;
  const found = [0, 1, -1, 2, -2, 3, -3]
    .map((days) => near + days * dayMs)
    .find((time) => hijriNumbers(time) === `${year}-${month}-${day}`);
  return found === undefined ? undefined : new Date(found).toISOString().slice(0, 10);
}
