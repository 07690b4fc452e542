import { dayText } from '#lib/i18n/format.ts';
import { localeOf } from '#lib/i18n/language.ts';
import type { Language } from '@diwan/contract/wire/languages';

const hourSeconds = 3600;

/** Working time in minutes or hours, with one decimal below ten hours. */
export function workingTime(seconds: number, language: Language): string {
  const [unit, value] =
    seconds >= 2 * hourSeconds
      ? (['hour', seconds / hourSeconds] as const)
      : (['minute', seconds / 60] as const);
  return new Intl.NumberFormat(localeOf(language), {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    maximumFractionDigits: unit === 'hour' && value < 10 ? 1 : 0,
  }).format(value);
}

/** A day without its year, for an axis. Days have no time zone. */
export function shortDay(day: string, language: Language): string {
  return new Intl.DateTimeFormat(localeOf(language), {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  }).format(new Date(`${day}T00:00:00Z`));
}

export function fullDay(day: string, language: Language): string {
  return dayText(new Date(`${day}T00:00:00Z`), language, 'UTC');
}

export type Direction = 'up' | 'down' | 'same';

export function directionOf(current: number, previous: number): Direction {
  if (current === previous) return 'same';
  return current > previous ? 'up' : 'down';
}
