import type { Language } from '@diwan/contract/wire/languages';
import { serverNow } from '../browser/server-time.ts';
import { localeOf, useLanguage } from './language.ts';

const timeZone = 'Asia/Dubai';

/** Without isolation, Latin abbreviations in a right-to-left line would swap places. */
export const isolate = (text: string): string => `\u2068${text}\u2069`;

const steps = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/**
 * A day with the name of its month. English has the day first and a short month, as people in the
 * UAE write it: 22 Nov 2026.
 */
export function dayText(at: Date, language: Language, zone: string): string {
  if (language !== 'en-US')
    return new Intl.DateTimeFormat(localeOf(language), {
      timeZone: zone,
      dateStyle: 'long',
    }).format(at);
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  }).formatToParts(at);
  return ['day', 'month', 'year']
    .map((type) => parts.find((part) => part.type === type)?.value)
    .join(' ');
}

interface Format {
  /** Formats fils as dirhams; `short` leaves out the decimals of whole amounts. */
  money: (fils: number, options?: { short?: boolean }) => string;
  /** Formats the smallest unit of a currency with two decimals; dirhams as `money` does. */
  amount: (units: number, currency: string) => string;
  count: (value: number) => string;
  percent: (share: number) => string;
  /** A rate in basis points, such as 2.5%. */
  rate: (basisPoints: number) => string;
  date: (at: string | Date) => string;
  /** A near day: "Mon 23 Nov". */
  day: (at: string | Date) => string;
  time: (at: string | Date) => string;
  dateTime: (at: string | Date) => string;
  /** The day and the time with its seconds, where the order of events matters. */
  exactTime: (at: string | Date) => string;
  /** "now", "2 minutes ago". */
  relative: (at: string | Date) => string;
  fileSize: (bytes: number) => string;
  list: (parts: string[]) => string;
  country: (code: string) => string;
  language: (code: Language) => string;
}

// As documents and messages write it: browsers have an abbreviation in Arabic, and no short name in
// Urdu.
const dirhams = {
  'ar-EG': '\u062F\u0631\u0647\u0645',
  'ur-PK': '\u062F\u0631\u06C1\u0645',
};

export function formatFor(language: Language): Format {
  const locale = localeOf(language);
  const asDate = (at: string | Date) => (typeof at === 'string' ? new Date(at) : at);
  const exactTimeOfDay = new Intl.DateTimeFormat(locale, { timeZone, timeStyle: 'medium' });
  const timeOfDay = new Intl.DateTimeFormat(locale, { timeZone, timeStyle: 'short' });
  // The hour and its half of the day are one word.
  const timeText = (at: Date) => timeOfDay.format(at).replaceAll(' ', '\u00A0');
  const date = (at: string | Date) => dayText(asDate(at), language, timeZone);
  const money: Format['money'] = (fils, options) => {
    const digits = options?.short && fils % 100 === 0 ? 0 : 2;
    const isEnglish = language === 'en-US';
    const amount = new Intl.NumberFormat(locale, {
      ...(isEnglish ? { style: 'currency', currency: 'AED' } : {}),
      minimumFractionDigits: digits,
      maximumFractionDigits: 2,
    }).format(fils / 100);
    if (isEnglish) return amount;
    // The minus stays before its digits in a line from right to left, as Arabic formats have it.
    const placed = fils < 0 ? `\u200F\u200E${amount}` : amount;
    return `${placed}\u00A0${dirhams[language]}`;
  };
  return {
    money,
    amount: (units, currency) =>
      currency === 'AED'
        ? money(units)
        : `\u2066${currency}\u00A0${foreignAmount.format(units / 100)}\u2069`,
    count: (value) => new Intl.NumberFormat(locale).format(value),
    rate: (basisPoints) =>
      new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }).format(
        basisPoints / 10_000,
      ),
    percent: (share) =>
      new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(share),
    date,
    // British English has the day first, too.
    day: (at) =>
      new Intl.DateTimeFormat(language === 'en-US' ? 'en-GB' : locale, {
        timeZone,
        weekday: 'short',
        day: 'numeric',
        month: 'short',
      }).format(asDate(at)),
    time: (at) => timeText(asDate(at)),
    dateTime: (at) =>
      language === 'en-US'
        ? `${date(at)}, ${timeText(asDate(at))}`
        : new Intl.DateTimeFormat(locale, {
            timeZone,
            dateStyle: 'long',
            timeStyle: 'short',
          })
            .format(asDate(at))
            .replace(/(\d) (\S+)$/, '$1\u00A0$2'),
    exactTime: (at) =>
      `${date(at)} · ${exactTimeOfDay.format(asDate(at)).replaceAll(' ', '\u00A0')}`,
    relative: (at) => {
      const seconds = Math.round((asDate(at).getTime() - serverNow()) / 1000);
      const formatter = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
      for (const [unit, size] of steps)
        if (Math.abs(seconds) >= size) return formatter.format(Math.trunc(seconds / size), unit);
      return formatter.format(0, 'second');
    },
    fileSize: (bytes) => {
      const [unit, value] =
        bytes >= 1_048_576
          ? (['megabyte', bytes / 1_048_576] as const)
          : (['kilobyte', Math.max(1, bytes / 1024)] as const);
      // Few people know the Arabic abbreviation م.ب.
      const size = new Intl.NumberFormat(locale, {
        style: 'unit',
        unit,
        unitDisplay: language === 'ar-EG' ? 'long' : 'short',
        maximumFractionDigits: unit === 'megabyte' ? 1 : 0,
      }).format(value);
      // Urdu has the Latin unit, which would stand before its number.
      return language === 'ur-PK' ? isolate(size) : size;
    },
    list: (parts) => new Intl.ListFormat(locale, { type: 'conjunction' }).format(parts),
    country: (code) => new Intl.DisplayNames(locale, { type: 'region' }).of(code) ?? code,
    // Without the region: "Arabic", not "Arabic (Egypt)".
    language: (code) =>
      new Intl.DisplayNames(locale, { type: 'language' }).of(code.slice(0, 2)) ?? code,
  };
}

const foreignAmount = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2 });

const cache = new Map<Language, Format>();

export function useFormat(): Format {
  const { language } = useLanguage();
  const known = cache.get(language) ?? formatFor(language);
  cache.set(language, known);
  return known;
}
