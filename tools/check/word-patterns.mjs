// Expressions that find a word in all its forms: docs/words.md.
const arabicMarks = /[\u064B-\u0652]/g;
const arabicPrefix = String.raw`(?<!\p{L})[وف]?(?:[بكلس]?(?:ال)?|لل)`;
const arabicEnding = String.raw`(?:[هكي]|ها|هم|هما|كم|نا|ين|ون|ات|ان|و)?(?!\p{L})`;

/**
 * Arabic words in any form: with و, ف, ب, ك, ل, ال and endings, and with or without vowels. A last ة
 * is ت before an ending. Alternatives are separated by “|”.
 */
export const arabicWords = (words) => {
  const pattern = words
    .split('|')
    .map((phrase) =>
      phrase
        .split(' ')
        .map((word) => arabicPrefix + word.replace(/ة$/, '[ةت]') + arabicEnding)
        .join(' '),
    )
    .join('|');
  const expression = new RegExp(pattern, 'u');
  return { test: (text) => expression.test(text.replace(arabicMarks, '')) };
};

/** Urdu words without a vowel mark, from their beginning; the ending is free. */
export const urduStems = (stems) => new RegExp(`(?<![\\p{L}\\p{M}])(?:${stems})`, 'u');

export const be = String.raw`(?:is|are|was|were|be|been|being|isn’t|aren’t|wasn’t|weren’t)`;
export const english = (pattern) => new RegExp(String.raw`\b(?:${pattern})\b`, 'i');

/** One expression of several, so that none needs a long line. */
export const anyOf = (...expressions) =>
  new RegExp(expressions.map(({ source }) => source).join('|'), 'u');
