import { toLatinDigits } from '@diwan/contract/wire/typed-number';

/** Normalizes a text for a comparison: Arabic and Urdu letters that people confuse become equal. */
export function normalizeForSearch(text: string): string {
  return toLatinDigits(text)
    .normalize('NFKD')
    .replace(/[\u0300-\u036F\u064B-\u065F\u0670\u0640]/g, '')
    .replace(/[أإآٱ]/g, 'ا')
    .replace(/[ىیئےې]/g, 'ي')
    .replaceAll('ں', 'ن')
    .replace(/[ةۃہھ]/g, 'ه')
    .replace(/[کڪ]/g, 'ك')
    .replaceAll('ؤ', 'و')
    .toLowerCase()
    .trim();
}

export function containsText(text: string, query: string): boolean {
  return normalizeForSearch(text).includes(normalizeForSearch(query));
}

const maximumQuoteLength = 80;

/**
 * A typed text that can be quoted in a sentence: without line breaks and direction controls, and at
 * most 80 characters long. The joiners of Urdu remain, because they change the form of letters.
 */
export function sanitizeForQuote(text: string): string {
  const plain = text
    .slice(0, 4 * maximumQuoteLength)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/(?![\u200C\u200D])\p{Cf}/gu, '')
    .replace(/\p{M}{3,}/gu, '')
    .trim();
  const letters = Array.from(plain);
  return letters.length > maximumQuoteLength || text.length > 4 * maximumQuoteLength
    ? `${letters.slice(0, maximumQuoteLength).join('').trimEnd()}…`
    : plain;
}

/** Whether a text has no visible character. */
export function isBlank(text: string): boolean {
  return text.replace(/[\s\p{Cf}\p{Cc}]/gu, '') === '';
}
