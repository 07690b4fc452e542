import { firstWordFrom, forEachIn, type SearchIndex } from './search-index.ts';
import { normalizeForSearch, stemOf, withoutParticle } from './search-words.ts';

/** A part of a query that scores once: a concept, the words that name it, or one other word. */
export interface Unit {
  words: { text: string; weight: number }[];
  /** `share`: how much of the weight the concept has. */
  concepts: { concept: number; share: number }[];
  weight: number;
  /** The groups of agencies that its words name, with the weight of these words. */
  agencyGroups: { group: number; weight: number }[];
}

/** A query as it is searched. */
export interface QueryPlan {
  /** The normalised text with corrected words. */
  phrase: string;
  words: readonly string[];
  /** The word that may still be typed. */
  lastWord: string | undefined;
  units: readonly Unit[];
  concepts: ReadonlySet<number>;
  hasAction: boolean;
  hasPlace: boolean;
  /** Whether a rule replaced words of the query. */
  isRewritten: boolean;
  /** The text with the corrected words in the spelling that people use, if there are any. */
  correction: string | undefined;
}

/** The weight of each kind of concept, and of another word by how rare it is. */
const weights = {
  concept: { thing: 3, action: 2, place: 1.5, agency: 3 },
  word: { common: 1, rare: 2.5 },
  /** A word of a concept that the query has named already. */
  repeated: 0.1,
} as const;
/** The share of a concept that an unfinished last word may name. */
const unfinishedShare = 0.65;

const maximumLength = 200;
const maximumWords = 12;
// Words of one or two letters occur in nearly every service and hardly narrow the result.
const maximumShortWords = 2;

/** A text without letters, digits and signs filters nothing; one of punctuation matches nothing. */
export function isBlank(text: string | undefined): boolean {
  return (text ?? '').replace(/[\s\p{Cf}]/gu, '') === '';
}

/** Whether a word occurs in the catalogue, or is a part of a word of its names. */
function occurs(index: SearchIndex, word: string): boolean {
  return (
    index.stems.has(stemOf(word)) ||
    (index.words[firstWordFrom(index.words, word)]?.startsWith(word) ?? false) ||
    index.joinedWords.text.includes(word)
  );
}

// A word that nothing knows: without a joined particle, or with its spelling corrected.
function correctWord(index: SearchIndex, word: string): { word: string; isCorrected: boolean } {
  if (index.wordList.isKnown(word) || occurs(index, word)) return { word, isCorrected: false };
  const rest = withoutParticle(word);
  if (rest && index.stems.has(stemOf(rest))) return { word: rest, isCorrected: false };
  const corrected = index.misspellings.correct(word) ?? (rest && index.misspellings.correct(rest));
  return { word: corrected ?? word, isCorrected: corrected !== undefined };
}

function readWords(index: SearchIndex, phrase: string): string[] {
  const words = [...new Set(index.wordList.split(phrase))].slice(0, maximumWords);
  const short = words.filter((word) => word.length < 3).slice(0, maximumShortWords);
  return words.filter((word) => word.length > 2 || short.includes(word));
}

function weightOfWord({ stems, wordsOfStem, postings, services }: SearchIndex, word: string) {
  const stem = stems.get(stemOf(word));
  if (stem === undefined) return weights.word.rare;
  let count = 0;
  forEachIn(wordsOfStem, stem, (number) => {
    count += (postings.starts[number + 1] as number) - (postings.starts[number] as number);
  });
  const share = Math.log(1 + count) / Math.log(2 + 6 * services.length);
  return weights.word.rare - (weights.word.rare - weights.word.common) * Math.min(1, share);
}

function planUnits(index: SearchIndex, words: readonly string[]): Unit[] {
  const { wordList } = index;
  const last = words.at(-1);
  const unitOf = new Map<number, Unit>();
  const units: Unit[] = [];
  for (const { words: own, concept } of wordList.segment(words)) {
    if (concept !== undefined) {
      const before = unitOf.get(concept);
      const weight = weights.concept[wordList.concepts[concept]?.kind ?? 'thing'];
      const unit = before ?? {
        words: [],
        concepts: [{ concept, share: 1 }],
        weight,
        agencyGroups: [],
      };
      const part = before ? weights.repeated : weight / own.length;
      unit.words.push(...own.map((text) => ({ text, weight: part })));
      if (!before) units.push(unit);
      unitOf.set(concept, unit);
      continue;
    }
    const [text = ''] = own;
    const isUnfinished = text === last && text.length > 2 && !index.stems.has(stemOf(text));
    units.push({
      words: [{ text, weight: weightOfWord(index, text) }],
      concepts: isUnfinished
        ? wordList
            .conceptsBeginning(text)
            .map((each) => ({ concept: each, share: unfinishedShare }))
        : [],
      weight: weights.concept.thing,
      agencyGroups: [],
    });
  }
  return units;
}

function applyRules({ wordList }: SearchIndex, units: readonly Unit[]) {
  let current = [...units];
  let isRewritten = false;
  const nameOf = ({ concepts }: Unit) => (concepts[0]?.share === 1 ? concepts[0].concept : -1);
  for (const { named: all, meant } of wordList.rules) {
    const named = current.map(nameOf);
    if (!all.every((concept) => named.includes(concept))) continue;
    isRewritten = true;
    const added = meant.filter((concept) => !named.includes(concept));
    current = [
      ...current.filter((unit) => !all.includes(nameOf(unit)) || meant.includes(nameOf(unit))),
      ...added.map((concept) => ({
        words: [],
        concepts: [{ concept, share: 1 }],
        weight: weights.concept[wordList.concepts[concept]?.kind ?? 'thing'],
        agencyGroups: [],
      })),
    ];
  }
  return { units: current, isRewritten };
}

/**
 * Notes the groups of agencies that a query names in the units of their words. They are found in the
 * words as they are typed; a rule may have replaced them.
 */
function addAgencyGroups(
  { wordList }: SearchIndex,
  read: readonly { before: string; word: string }[],
  units: readonly Unit[],
): Unit[] {
  const typed = read.map(({ before }) => before);
  const all = [...units];
  for (const { phrases } of wordList.agencyWords.values())
    for (const { words: own, concept: group } of phrases.segment(typed)) {
      if (group === undefined) continue;
      const words = new Set(read.flatMap(({ before, word }) => (own.includes(before) ? word : [])));
      const named = units.flatMap((unit) => {
        const parts = unit.words.filter(({ text }) => words.has(text));
        const weight = parts.reduce((sum, part) => sum + part.weight, 0);
        return parts.length > 0 ? [{ unit, weight }] : [];
      });
      for (const { unit, weight } of named) unit.agencyGroups.push({ group, weight });
      if (named.length === 0) {
        const { thing: weight } = weights.concept;
        all.push({ words: [], concepts: [], weight, agencyGroups: [{ group, weight }] });
      }
    }
  return all;
}

/** A normalised word in the spelling of the list of words or of a name. */
function spellingOf({ words, postings, services, wordList }: SearchIndex, word: string): string {
  const listed = wordList.vocabulary.get(word);
  if (listed !== undefined) return listed;
  const number = firstWordFrom(words, word);
  const posting = postings.values[postings.starts[number] as number] ?? 0;
  const names = words[number] === word ? Object.values(services[posting >>> 3]?.name ?? {}) : [];
  const spellings = names.flatMap((name) => name.split(/[^\p{L}\p{M}\p{N}]+/u));
  return spellings.find((each) => normalizeForSearch(each) === word) ?? word;
}

/** Replaces the words of a text whose normalised forms are keys of `corrected`. */
function respell(index: SearchIndex, text: string, corrected: ReadonlyMap<string, string>): string {
  return text
    .slice(0, maximumLength)
    .trim()
    .replace(/[\p{L}\p{M}\p{N}'’]+/gu, (word) => {
      const other = corrected.get(normalizeForSearch(word));
      return other === undefined ? word : spellingOf(index, other);
    });
}

/** Reads a query: its words, corrected where nothing knows them, and what they mean. */
export function planQuery(index: SearchIndex, text: string): QueryPlan {
  const phrase = normalizeForSearch(text.slice(0, 4 * maximumLength))
    .slice(0, maximumLength)
    .trim();
  const read = readWords(index, phrase).map((word) => ({
    before: word,
    ...correctWord(index, word),
  }));
  const words = [...new Set(read.map(({ word }) => word))];
  const { units: shared, isRewritten } = applyRules(index, planUnits(index, words));
  const units = addAgencyGroups(index, read, shared);
  const concepts = new Set(
    units
      .flatMap((unit) => unit.concepts.filter(({ share }) => share === 1))
      .map(({ concept }) => concept),
  );
  const has = (kind: string) =>
    [...concepts].some((concept) => index.wordList.concepts[concept]?.kind === kind);
  const corrected = new Map(
    read.filter(({ isCorrected }) => isCorrected).map(({ before, word }) => [before, word]),
  );
  return {
    phrase: phrase
      .split(' ')
      .map((word) => corrected.get(word) ?? word)
      .join(' '),
    words,
    lastWord: words.at(-1),
    units,
    concepts,
    hasAction: has('action'),
    hasPlace: has('place'),
    isRewritten,
    correction: corrected.size > 0 ? respell(index, text, corrected) : undefined,
  };
}
