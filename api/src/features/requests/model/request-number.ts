import { randomInt } from 'node:crypto';
import { normalizeText } from '#platform/core/normalize-text.ts';
import { readValue } from '@diwan/contract/forms/answer-values';
import type { FormField } from '@diwan/contract/forms/forms';
import { dayInDubai } from '@diwan/contract/wire/days';

const fiveDigits = () => String(randomInt(100_000)).padStart(5, '0');

/**
 * A new request number such as DW26-04711-90210: the year in Asia/Dubai, then random digits, so
 * that numbers reveal no counts and cannot be guessed.
 */
export function makeRequestNumber(now: Date): string {
  return `DW${dayInDubai(now).slice(2, 4)}-${fiveDigits()}-${fiveDigits()}`;
}

/**
 * The request number in a text, with or without dashes, in any set of digits; `undefined` when the
 * text is not a request number.
 */
export function readRequestNumber(text: string): string | undefined {
  const [, year, first, second] =
    /^dw(\d{2})(\d{5})(\d{5})$/.exec(normalizeText(text).replaceAll(' ', '')) ?? [];
  return year && first && second ? `DW${year}-${first}-${second}` : undefined;
}

const mobile: FormField = {
  name: 'mobile',
  kind: 'mobile',
  title: { 'ar-EG': '-', 'en-US': '-', 'ur-PK': '-' },
  required: true,
};

/**
 * The mobile number in a text as E.164, read like the mobile fields of forms; `undefined` when the
 * text is not an Emirati mobile number.
 */
export function readMobileNumber(text: string): string | undefined {
  const found = readValue(mobile, text, dayInDubai(new Date()));
  return found !== 'nothing' && 'value' in found ? String(found.value) : undefined;
}

/**
 * The year of the request numbers that begin with a word, after `normalizeText`; `undefined` when
 * the word is not the beginning of a request number.
 */
export function readNumberYear(word: string): number | undefined {
  const [, year] = /^dw(\d{2})\d*$/.exec(word) ?? [];
  return year === undefined ? undefined : 2000 + Number(year);
}
