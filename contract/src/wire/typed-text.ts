/**
 * Invisible characters that come in by copying: soft hyphen, direction marks, embeddings and isolates,
 * zero width space, word joiner and invisible operators, byte order mark. The joiners U+200C and U+200D
 * are not among them: they are a part of names in Persian and Urdu, and change how letters join.
 */
const marks =
  /[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF]/g;

/** Removes what nobody sees and nobody meant to type, from a text that keeps its joiners. */
export const withoutMarks = (text: string): string => text.replace(marks, '');

/** Replaces the digits of Arabic and Urdu by Latin ones. */
export const withLatinDigits = (text: string): string =>
  text.replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf));

/**
 * A typed identifier, number or code: Latin digits, no marks, no joiners, no space around it. Never
 * for a password, of which each character counts.
 */
export const cleanIdentifier = (text: string): string =>
  withLatinDigits(withoutMarks(text).replace(/[\u200C\u200D]/g, '')).trim();
