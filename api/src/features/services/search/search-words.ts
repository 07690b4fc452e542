import { normalizeText } from '../../../platform/core/normalize-text.ts';

/** A parsed query: the whole text, and the words that must all be found, with their stems. */
export interface SearchQuery {
  phrase: string;
  words: QueryWord[];
}

/**
 * A word of a query. `stems` are shorter forms with a lower score: without the article, the plural or
 * the feminine ending.
 */
export interface QueryWord {
  word: string;
  stems: string[];
}

const maximumLength = 200;
const maximumWords = 12;
// Words of one or two letters occur in nearly every service. Each costs as much time as all other
// words together and hardly narrows the result.
const maximumShortWords = 2;

// Official names and users write both spellings.
const spellings = [
  ['licens', 'licenc'],
  ['labour', 'labor'],
  ['centre', 'center'],
] as const;

/**
 * Normalises a text for search: `normalizeText`, and one spelling for words that have two in
 * English.
 */
export function normalizeForSearch(text: string): string {
  return spellings.reduce(
    (spelt, [one, other]) => spelt.replaceAll(one, other),
    normalizeText(text),
  );
}

// Words of a query that no name contains: "apply for trade license" (specification §2) searches for
// trade and licence.
const stopWords = new Set(
  normalizeText(`
  a an the of for to in on my i want need how do get apply application
  في على من عن إلى لي أريد كيف طلب تقديم التقديم للحصول
  کا کی کے میں کو سے لیے برائے درخواست چاہیے کیسے
`).split(' '),
);

const isLatin = (word: string) => /^[a-z]/.test(word);

// A shorter stem would match half of the catalogue.
const minimumStemLength = 3;

function latinStems(word: string): string[] {
  if (word.endsWith('ies')) return [word.slice(0, -3)];
  if (word.endsWith('ss') || word.length < 4) return [];
  return word.endsWith('s') ? [word.slice(0, -1)] : [];
}

// Removes the article, alone or after a prefixed particle, then the feminine or plural ending.
function arabicStems(word: string): string[] {
  const bare = word.replace(/^(?:[وبكف]?ال|لل)/, '');
  const root = bare.replace(/(?:ات|ه|ين|ون)$/, '');
  return [bare, root].filter((stem) => stem !== word);
}

function stemsOf(word: string): string[] {
  if (/\d/.test(word)) return [];
  return [...new Set(isLatin(word) ? latinStems(word) : arabicStems(word))].filter(
    (stem) => stem.length >= minimumStemLength,
  );
}

/**
 * Parses the text of a search. `undefined` for a blank text, which filters nothing. A text of
 * punctuation only is not blank and matches nothing.
 */
export function parseQuery(text: string | undefined): SearchQuery | undefined {
  if ((text ?? '').replace(/[\s\p{Cf}]/gu, '') === '') return undefined;
  const phrase = normalizeForSearch((text ?? '').slice(0, 4 * maximumLength))
    .slice(0, maximumLength)
    .trim();
  const words = [...new Set(phrase.split(' '))].filter(Boolean);
  const meaningful = words.filter((word) => !stopWords.has(word));
  const read = (meaningful.length > 0 ? meaningful : words).slice(0, maximumWords);
  const short = read.filter((word) => word.length < 3).slice(0, maximumShortWords);
  return {
    phrase,
    words: read
      .filter((word) => word.length > 2 || short.includes(word))
      .map((word) => ({ word, stems: stemsOf(word) })),
  };
}

/** Normalises groups of synonyms for search. */
export function normalizeSynonyms(groups: readonly (readonly string[])[]): string[][] {
  return groups.map((words) =>
    words.map((word) => normalizeForSearch(word).trim()).filter(Boolean),
  );
}

const patternsByGroup = new WeakMap<readonly string[], readonly string[]>();

// A Latin word must match as a whole, in the singular or the plural. Arabic script joins the article
// and particles to the word. The patterns are cached, because every service is compared with them.
function patternsOf(group: readonly string[]): readonly string[] {
  const known =
    patternsByGroup.get(group) ??
    group.flatMap((word) => (isLatin(word) ? [` ${word} `, ` ${word}s `] : [word]));
  patternsByGroup.set(group, known);
  return known;
}

/** The synonyms of words in these names. `names` are normalised for search. */
export function synonymsOf(
  names: readonly string[],
  synonyms: readonly (readonly string[])[],
): string[] {
  const text = names.map((name) => ` ${name} `).join('\n');
  return synonyms
    .filter((group) => patternsOf(group).some((pattern) => text.includes(pattern)))
    .flat();
}

/**
 * Other names of an agency, such as its abbreviation: the words of each group that contains its
 * whole name. One word of the name is not enough.
 */
export function aliasesOf(
  names: readonly string[],
  synonyms: readonly (readonly string[])[],
): string[] {
  return synonyms.filter((words) => words.some((word) => names.includes(word))).flat();
}
