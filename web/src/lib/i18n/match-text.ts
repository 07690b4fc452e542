import { toLatinDigits } from './digits.ts';

/** Letters that people type for each other in Arabic and Urdu count as the same. */
export function normaliseForSearch(text: string): string {
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
  return normaliseForSearch(text).includes(normaliseForSearch(query));
}
