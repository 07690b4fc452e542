// Letters that Arabic and Urdu keyboards, or two writers of one language, choose differently for
// one sound. What Unicode can take apart
// (hamza on alef, waw and ya, presentation forms, accents) is not listed: compatibility
// decomposition does it.
const letterForms: Record<string, string> = { ا: 'ٱٲٳ', ي: 'ىیېےۍێ', ه: 'ةۃہھە', ك: 'کڪ', ن: 'ں' };
const letters = new Map(
  Object.entries(letterForms).flatMap(([plain, forms]) =>
    Array.from(forms, (form) => [form, plain] as const),
  ),
);
const otherLetters = new RegExp(`[${[...letters.keys()].join('')}]`, 'gu');

// Marks (harakat, hamza above, accents), tatweel, a hamza of its own, and apostrophes join what
// they stand between;
// invisible controls (zero width, bidi) too. Other punctuation separates words.
const joining = /[\p{M}\p{Cf}ـءٴ'’‘ʼ`´]/gu;
const separating = /[\p{P}\p{S}\p{Z}\p{Cc}]+/gu;

// Both sets (U+0660, U+06F0) begin at a multiple of 16.
function latinDigit(digit: string): string {
  return String((digit.codePointAt(0) ?? 0) % 16);
}

/**
 * A text as search compares it, the same for every usual spelling in Arabic, Urdu and English:
 * lower case, no marks, one form of each letter,
 * Latin digits, words separated by one space. Never shown to anybody; may be empty. PostgreSQL's
 * `unaccent` does not do this for Arabic.
 */
export function normalizeText(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(joining, '')
    .replace(otherLetters, (letter) => letters.get(letter) ?? letter)
    .replace(/[٠-٩۰-۹]/gu, latinDigit)
    .replace(separating, ' ')
    .trim();
}
