// The letters of normal forms, for both that have one: `normalizeText`, and the functions `fold_text` and
// `search_key` of the database, whose files `letters.test.ts` makes from this table. Indexes and stored
// texts depend on these functions: after a change, a migration makes them again.

/**
 * Letters for one sound that differ between Arabic and Urdu keyboards, or between writers: each form
 * becomes the letter before it. Forms that Unicode decomposes (hamza on alef, waw and ya, presentation
 * forms, accents) are not listed: compatibility decomposition handles them.
 */
export const letterForms = { ا: 'ٱٲٳ', ي: 'ىیېےۍێ', ه: 'ةۃہھە', ك: 'کڪ', ن: 'ں' } as const;

/** The digits from 0 to 9 of each set. */
export const otherDigits = ['٠١٢٣٤٥٦٧٨٩', '۰۱۲۳۴۵۶۷۸۹'] as const;

/**
 * What does not separate words, as the inside of a character class: accents, harakat, tatweel, a single
 * hamza, apostrophes and invisible controls.
 */
export const joiningCharacters =
  "\\u0300-\\u036f\\u064b-\\u065f\\u0670\\u0640\\u0621\\u0674'’‘ʼ`´" +
  '\\u200b-\\u200f\\u202a-\\u202e\\u2066-\\u2069';

/**
 * The letters that `search_key` writes as letters and digits of ASCII, in their order: the letters of
 * Arabic and Urdu that a normal form can hold.
 */
export const keyLetters = 'ابتثجحخدذرزسشصضطظعغفقكلمنهويپٹچڈڑژگ';
