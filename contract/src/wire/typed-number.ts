import { cleanIdentifier } from './typed-text.ts';

/**
 * A typed number for the server: Arabic-Indic and Urdu digits by Latin ones, without invisible marks
 * and space around it.
 */
export function toLatinDigits(text: string): string {
  return cleanIdentifier(text).replaceAll('\u066B', '.').replaceAll('\u066C', '');
}

// Commas group thousands: 1,5 may mean 1.5 or 15, and is neither.
const clearNumber = /^-?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d*)?$/;
const clearAmount = /^-?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d{0,2})?$/;

/** A typed number in any of the three digit sets; undefined for nothing, NaN for what is not clear. */
export function readTypedNumber(text: string): number | undefined {
  const latin = toLatinDigits(text).replace(/\s/g, '');
  if (latin === '') return undefined;
  return clearNumber.test(latin) ? Number(latin.replaceAll(',', '')) : NaN;
}

/** A typed amount of dirhams in fils, as `readTypedNumber` reads it. */
export function readTypedAmount(text: string): number | undefined {
  const latin = toLatinDigits(text).replace(/\s/g, '');
  if (latin === '') return undefined;
  return clearAmount.test(latin) ? Math.round(Number(latin.replaceAll(',', '')) * 100) : NaN;
}
