import { normalizeText } from '#platform/core/normalize-text.ts';

// Official names and users write both spellings.
const spellings = [
  ['licens', 'licenc'],
  ['labour', 'labor'],
  ['centre', 'center'],
] as const;
const twoSpellings = new RegExp(spellings.map(([one]) => one).join('|'));

/** Writes words that have two spellings in English in one of them; the text is normalised. */
export const withOneSpelling = (normalized: string): string =>
  twoSpellings.test(normalized)
    ? spellings.reduce((spelt, [one, other]) => spelt.replaceAll(one, other), normalized)
    : normalized;

/** Normalises a text for search: `normalizeText`, then `withOneSpelling`. */
export const normalizeForSearch = (text: string): string => withOneSpelling(normalizeText(text));

// A shorter stem belongs to too many words.
const minimumStemLength = 3;

function stemLatin(word: string): string {
  let stem = word;
  if (stem.length > 4 && stem.endsWith('ies')) stem = `${stem.slice(0, -3)}y`;
  else if (stem.length > 3 && /[^sui]s$/.test(stem)) stem = stem.slice(0, -1);
  const base = /^(.*[aeiouy].*?)(?:ing|ed)$/.exec(stem)?.[1];
  if (base && base.length >= minimumStemLength) stem = base.replace(/([^aeiouls])\1$/, '$1');
  return stem.length > 4 && stem.endsWith('e') ? stem.slice(0, -1) : stem;
}

// Letters are as `normalizeText` writes them: one ya, one ha, no hamza. The first group holds Arabic
// pronouns after the feminine ending, then come plurals, pronouns and the endings of Urdu.
const article = /^(?:[وبكف]?ال|لل)(?=.{3})/;
const ending =
  /(?<=.{3})(?:تنا|تها|تهم|تكم|يات|يون|يين|يان|تي|ته|تك|ات|ون|ين|ها|هم|نا|كم|يه|ان|[هيا])$|(?<=.{4})ك$/;

function stemArabic(word: string): string {
  const bare = /^وال.{1,3}$/.test(word) ? word : word.replace(article, '');
  const stem = bare.replace(ending, '');
  return stem.length >= minimumStemLength ? stem : bare;
}

const isLatin = (word: string) => /^[a-z]/.test(word);

/**
 * The stem of a normalised word: without article, plural, attached pronoun or inflection. Arabic and
 * Urdu share their letters and therefore one stemmer.
 */
export function stemOf(word: string): string {
  if (/\d/.test(word)) return word;
  return isLatin(word) ? stemLatin(word) : stemArabic(word);
}

/**
 * The word without a conjunction or preposition written in one with it (Arabic و ف ب ل ك), or
 * `undefined`. Many words begin with these letters, so this is for unknown words only.
 */
export function withoutParticle(word: string): string | undefined {
  return /^[وفبلك]/.test(word) && word.length > 3 ? word.slice(1) : undefined;
}
