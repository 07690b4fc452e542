import { dayInDubai } from '@diwan/contract/wire/days';
import type { Language } from '@diwan/contract/wire/languages';
import { fillPlaces } from '../../platform/core/message-fill.ts';
import { smsSegments } from '../../platform/messages/sms-length.ts';
import type { EventWords, Figures } from './message-words.ts';

const mostSegments = 2;

/**
 * What stands in a mail where an employee wrote a link to anywhere else: those who read the page of
 * a request are signed in.
 */
export const elsewhere: Record<Language, string> = {
  'ar-EG': '(الرابط في صفحة طلبك)',
  'en-US': '(the link is on the page of your request)',
  'ur-PK': '(لنک درخواست کے صفحے پر ہے)',
};

/** Fils as people write them. */
export function amountText(fils: number, language: Language): string {
  const figures = new Intl.NumberFormat('en-US', {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  }).format(fils / 100);
  return { 'ar-EG': `${figures} درهم`, 'en-US': `AED ${figures}`, 'ur-PK': `${figures} درہم` }[
    language
  ];
}

// Latin digits in every language: decision 0007.
const tags: Record<Language, string> = {
  'ar-EG': 'ar-AE-u-nu-latn-ca-gregory',
  'en-US': 'en-GB',
  'ur-PK': 'ur-PK-u-nu-latn-ca-gregory',
};

/** A day in Asia/Dubai with its name. */
export function dayText(at: Date, language: Language): string {
  return new Intl.DateTimeFormat(tags[language], {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'Asia/Dubai',
  }).format(at);
}

const dayMs = 86_400_000;

/**
 * So many Mondays to Fridays later in Asia/Dubai; public holidays are not known. `undefined` for
 * none.
 */
export function addWorkingDays(at: Date, days: number): Date | undefined {
  if (days <= 0) return undefined;
  let day = at.getTime();
  for (let left = days; left > 0;) {
    day += dayMs;
    const weekday = new Date(dayInDubai(new Date(day))).getUTCDay();
    if (weekday !== 0 && weekday !== 6) left -= 1;
  }
  return new Date(day);
}

/** An SMS of at most two parts: the service's name gives way first, then the end. */
export function writeSms({ short }: EventWords, language: Language, figures: Figures): string {
  const fill = (service: string) => fillPlaces(short[language], { ...figures, service });
  const letters = [...(figures.service ?? '')];
  let text = fill(letters.join(''));
  for (let kept = letters.length - 1; smsSegments(text) > mostSegments && kept > 0; kept -= 1)
    text = fill(`${letters.slice(0, kept).join('').trimEnd()}...`);
  while (smsSegments(text) > mostSegments) text = `${[...text].slice(0, -4).join('').trimEnd()}...`;
  return text;
}
