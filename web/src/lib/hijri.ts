import type { Language } from '@diwan/contract/languages';
import { localeOf } from './format.ts';

/** A day such as `2026-01-31` in the Umm al-Qura calendar; undefined outside of the years that it is made for. */
export function hijriDate(day: string, language: Language): string | undefined {
  if (day < '1882-11-12' || day > '2174-11-25') return undefined;
  const locale = localeOf(language).replace('-u-', '-u-ca-islamic-umalqura-');
  const calendar = locale.includes('-u-') ? locale : `${locale}-u-ca-islamic-umalqura`;
  return new Intl.DateTimeFormat(calendar, { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' }).format(new Date(`${day}T00:00:00Z`));
}
