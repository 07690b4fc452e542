import { normalizeText } from '../../../platform/core/normalize-text.ts';

/**
 * What is looked for: the whole text, and the words that must all be found, each with its other
 * forms.
 */
export interface Wanted {
  phrase: string;
  words: WantedWord[];
}

/**
 * `stems` are shorter forms of the word that count for less: without the article, the plural or the
 * feminine ending.
 */
export interface WantedWord {
  word: string;
  stems: string[];
}

const longestText = 200;
const mostWords = 12;
// Words of one or two letters stand in nearly every service: each costs as much as all others
// together and tells nothing more.
const mostShortWords = 2;

// Official names use both spellings, and so do people.
const spellings = [
  ['licens', 'licenc'],
  ['labour', 'labor'],
  ['centre', 'center'],
] as const;

/**
 * A text as search compares it: `normalizeText`, and one spelling of words that English spells in
 * two ways.
 */
export function comparable(text: string): string {
  return spellings.reduce(
    (spelt, [one, other]) => spelt.replaceAll(one, other),
    normalizeText(text),
  );
}

// Words of a wish that no name holds: "apply for trade license" (specification §2) looks for trade
// and licence.
const fillers = new Set(
  normalizeText(`
  a an the of for to in on my i want need how do get apply application
  في على من عن إلى لي أريد كيف طلب تقديم التقديم للحصول
  کا کی کے میں کو سے لیے برائے درخواست چاہیے کیسے
`).split(' '),
);

const isLatin = (word: string) => /^[a-z]/.test(word);

// A stem of fewer letters would be found in half of the catalogue.
const shortestStem = 3;

function latinStems(word: string): string[] {
  if (word.endsWith('ies')) return [word.slice(0, -3)];
  if (word.endsWith('ss') || word.length < 4) return [];
  return word.endsWith('s') ? [word.slice(0, -1)] : [];
}

// The article, alone or after a small word that is joined to it; then the endings of the feminine
// and of the plural.
function arabicStems(word: string): string[] {
  const bare = word.replace(/^(?:[وبكف]?ال|لل)/, '');
  const root = bare.replace(/(?:ات|ه|ين|ون)$/, '');
  return [bare, root].filter((stem) => stem !== word);
}

function stemsOf(word: string): string[] {
  if (/\d/.test(word)) return [];
  return [...new Set(isLatin(word) ? latinStems(word) : arabicStems(word))].filter(
    (stem) => stem.length >= shortestStem,
  );
}

/**
 * `undefined` for a blank text, which asks for nothing; a text of punctuation only is not blank and
 * finds nothing.
 */
export function readWanted(text: string | undefined): Wanted | undefined {
  if ((text ?? '').replace(/[\s\p{Cf}]/gu, '') === '') return undefined;
  const phrase = comparable((text ?? '').slice(0, 4 * longestText))
    .slice(0, longestText)
    .trim();
  const words = [...new Set(phrase.split(' '))].filter(Boolean);
  const telling = words.filter((word) => !fillers.has(word));
  const read = (telling.length > 0 ? telling : words).slice(0, mostWords);
  const short = read.filter((word) => word.length < 3).slice(0, mostShortWords);
  return {
    phrase,
    words: read
      .filter((word) => word.length > 2 || short.includes(word))
      .map((word) => ({ word, stems: stemsOf(word) })),
  };
}

/** Groups of words that mean the same, ready to be compared. */
export function readSynonyms(groups: readonly (readonly string[])[]): string[][] {
  return groups.map((words) => words.map((word) => comparable(word).trim()).filter(Boolean));
}

const needlesByGroup = new WeakMap<readonly string[], readonly string[]>();

// A Latin word counts as a whole, in the singular or the plural; Arabic script joins its article
// and other small words to the word. Made once for a
// group: the whole catalogue is looked through for them.
function needlesOf(group: readonly string[]): readonly string[] {
  const known =
    needlesByGroup.get(group) ??
    group.flatMap((word) => (isLatin(word) ? [` ${word} `, ` ${word}s `] : [word]));
  needlesByGroup.set(group, known);
  return known;
}

/** The words that mean what these names say. `names` are comparable. */
export function otherWordsFor(
  names: readonly string[],
  synonyms: readonly (readonly string[])[],
): string[] {
  const text = names.map((name) => ` ${name} `).join('\n');
  return synonyms
    .filter((group) => needlesOf(group).some((needle) => text.includes(needle)))
    .flat();
}

/**
 * The words that mean an agency, such as its abbreviation: those of a group that holds its whole
 * name, so that a word of the name proves nothing.
 */
export function otherNamesFor(
  names: readonly string[],
  synonyms: readonly (readonly string[])[],
): string[] {
  return synonyms.filter((words) => words.some((word) => names.includes(word))).flat();
}
