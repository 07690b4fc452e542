import { normalizeText } from '#platform/core/normalize-text.ts';
import { languages, type Language } from '@diwan/contract/wire/languages';
import type { CatalogueService } from '../catalogue-records.ts';
import { indexMisspellings, type Misspellings } from './misspellings.ts';
import { stemOf, withOneSpelling } from './search-words.ts';
import type { WordList } from './word-list.ts';

/** The fields of a service whose words are found. */
export const fields = [...languages, 'replacedName', 'agency', 'description'] as const;
const agencyField = fields.indexOf('agency');
const descriptionField = fields.indexOf('description');

/** Where a service names a concept: by a phrase of a name, within a longer one, in the description. */
export const conceptPlaces = ['name', 'withinPhrase', 'description'] as const;

/** Lists of numbers, one after the other: list `n` is `values` from `starts[n]` to `starts[n + 1]`. */
interface NumberLists {
  starts: Uint32Array;
  values: Uint32Array;
}

/**
 * Texts in one string, each after a line break, with the position of each and a number that it
 * stands for: one search in it finds the texts that contain another one.
 */
export interface JoinedTexts {
  text: string;
  starts: Uint32Array;
  numbers: Uint32Array;
}

/**
 * The words of the catalogue and where they occur. A service is its index in `services`; a posting is
 * that index times eight, plus the index of the field in `fields`.
 */
export interface SearchIndex {
  services: readonly CatalogueService[];
  wordList: WordList;
  /** The distinct words in the order of their code units, and their postings. */
  words: readonly string[];
  postings: NumberLists;
  /** The words of each stem. */
  stems: ReadonlyMap<string, number>;
  wordsOfStem: NumberLists;
  /** The words of names and agencies, with their numbers. */
  joinedWords: JoinedTexts;
  /** The services of each concept: times four, plus where it is named, an index of `conceptPlaces`. */
  servicesOfConcept: NumberLists;
  /** The services that each group of an agency finds, which are of this agency. */
  servicesOfAgencyGroup: NumberLists;
  /** The concepts that the names of each service name. */
  conceptsOfService: NumberLists;
  isPopular: Uint8Array;
  misspellings: Misspellings;
  /** Normalised names. */
  names: Record<Language, readonly string[]>;
  /** The same with their services; a name with another spelling is there in both. */
  joinedNames: Record<Language, JoinedTexts>;
  /** Their first code units: few names are read to see whether they begin with a text. */
  firstLetters: Record<Language, Uint16Array>;
  /** The rank of each service among equal ones: popular services first, then shorter names. */
  ties: Record<Language, Uint32Array>;
  /** The service of each rank. */
  serviceOfTie: Record<Language, Uint32Array>;
}

/** Calls `onEach` for each number of a list. */
export function forEachIn(lists: NumberLists, list: number, onEach: (value: number) => void): void {
  const end = lists.starts[list + 1] as number;
  for (let at = lists.starts[list] as number; at < end; at += 1) onEach(lists.values[at] as number);
}

/** The number of the first word that is not before a text. */
export function firstWordFrom(words: readonly string[], text: string): number {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle] as string) < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Groups values by their keys; both are pairs of numbers in one list: key, value, key, value. */
function groupPairs(pairs: readonly number[] | Uint32Array, keys: number): NumberLists {
  const starts = new Uint32Array(keys + 1);
  for (let at = 0; at < pairs.length; at += 2) {
    const key = (pairs[at] as number) + 1;
    starts[key] = (starts[key] as number) + 1;
  }
  for (let key = 1; key <= keys; key += 1)
    starts[key] = (starts[key] as number) + (starts[key - 1] as number);
  const ends = starts.slice();
  const values = new Uint32Array(pairs.length / 2);
  for (let at = 0; at < pairs.length; at += 2) {
    const key = pairs[at] as number;
    values[ends[key] as number] = pairs[at + 1] as number;
    ends[key] = (ends[key] as number) + 1;
  }
  return { starts, values };
}

/** Numbers in the order of their arrival, without the cost of a large array of JavaScript. */
class GrowingList {
  private values = new Uint32Array(65_536);
  private length = 0;

  push(key: number, value: number): void {
    if (this.length === this.values.length) {
      const larger = new Uint32Array(2 * this.values.length);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.length++] = key;
    this.values[this.length++] = value;
  }

  all(): Uint32Array {
    return this.values.subarray(0, this.length);
  }
}

/** What a text of the catalogue says; texts that repeat are read once. */
interface ReadText {
  normalized: string;
  /** Without `withOneSpelling`. */
  asSpelt: string;
  words: readonly number[];
  /** The concepts of its longest phrases. */
  concepts: readonly number[];
  /** The concepts of all its phrases. */
  mentions: readonly number[];
}

function openTextReader(wordList: WordList) {
  /** Each word with its number and its key; `undefined` for an ignored word. */
  const known = new Map<string, { number: number; key: string | undefined }>();
  const texts = new Map<string, ReadText>();
  const readWord = (word: string) => {
    const before = known.get(word);
    if (before) return before;
    const key = wordList.isIgnored(word) ? undefined : wordList.keyOf(word);
    const result = { number: known.size, key };
    known.set(word, result);
    return result;
  };
  const read = (text: string): ReadText => {
    const before = texts.get(text);
    if (before) return before;
    const asSpelt = normalizeText(text);
    const normalized = withOneSpelling(asSpelt);
    const [words, keys]: [number[], string[]] = [[], []];
    for (const word of normalized.split(' ')) {
      if (word === '') continue;
      const { number, key } = readWord(word);
      if (!words.includes(number)) words.push(number);
      if (key !== undefined) keys.push(key);
    }
    const { longest, all } = wordList.conceptsIn(keys);
    const result = { normalized, asSpelt, words, concepts: longest, mentions: all };
    texts.set(text, result);
    return result;
  };
  return { read, known };
}

type Reader = ReturnType<typeof openTextReader>['read'];

/** The concepts of a service, each once, by where they are named. */
interface ServiceConcepts {
  /** By the longest phrases of its names. */
  named: number[];
  /** Within them, in two languages. */
  within: number[];
  described: number[];
}

// Adds what the list does not hold.
function addNew(list: number[], concepts: readonly number[]): void {
  for (const concept of concepts) if (!list.includes(concept)) list.push(concept);
}

// A place or an abbreviation of an agency counts for its services; "identity" in its name does not.
function conceptsOf(
  service: CatalogueService,
  read: Reader,
  { concepts }: WordList,
): ServiceConcepts {
  const kindOf = (concept: number) => concepts[concept]?.kind;
  const found: ServiceConcepts = { named: [], within: [], described: [] };
  for (const language of languages) {
    addNew(found.named, read(service.name[language]).concepts);
    for (const concept of read(service.agency.name[language]).mentions)
      if (kindOf(concept) === 'place' || kindOf(concept) === 'agency')
        addNew(found.named, [concept]);
  }
  // Within a phrase one language misleads: the Urdu word for an investor contains that for a car.
  const mentions = languages.flatMap((language) => read(service.name[language]).mentions);
  for (const [at, concept] of mentions.entries())
    if (mentions.indexOf(concept) < at && !found.named.includes(concept))
      addNew(found.within, [concept]);
  for (const language of languages)
    for (const concept of read(service.description[language]).concepts)
      if (
        kindOf(concept) === 'thing' &&
        !found.named.includes(concept) &&
        !found.within.includes(concept)
      )
        addNew(found.described, [concept]);
  return found;
}

/** The groups of its agency that find a service: its names have one of the words, or the same meaning. */
function agencyGroupsOf(
  { agency, name }: CatalogueService,
  named: readonly number[],
  read: Reader,
  { agencyWords, isIgnored }: WordList,
): number[] {
  // guard: services that the words of an agency find (searches) => [...agencyWords.values()][0]
  const own = agencyWords.get(agency.id);
  if (!own) return [];
  const found = [...own.groups].flatMap(([group, concepts]) =>
    named.some((concept) => concepts.has(concept)) ? [group] : [],
  );
  for (const language of languages) {
    const words = read(name[language]).normalized.split(' ');
    const keys = words.flatMap((word) =>
      word === '' || isIgnored(word) ? [] : [own.phrases.keyOf(word)],
    );
    addNew(found, own.phrases.conceptsIn(keys).all);
  }
  return found;
}

/** The services in the order of their ranks. */
function orderTies(services: readonly CatalogueService[], names: readonly string[]): Uint32Array {
  const rank = ({ popularRank }: CatalogueService) => popularRank ?? Number.MAX_SAFE_INTEGER;
  const order = services
    .map((service, index) => ({ service, index, length: names[index]?.length ?? 0 }))
    .sort(
      (a, b) =>
        rank(a.service) - rank(b.service) || a.length - b.length || a.service.id - b.service.id,
    );
  return Uint32Array.from(order, ({ index }) => index);
}

function ranksOf(order: Uint32Array): Uint32Array {
  const ranks = new Uint32Array(order.length);
  for (const [rank, service] of order.entries()) ranks[service] = rank;
  return ranks;
}

const inEachLanguage = <T>(of: (language: Language) => T): Record<Language, T> => ({
  'ar-EG': of('ar-EG'),
  'en-US': of('en-US'),
  'ur-PK': of('ur-PK'),
});

/** Gives the words their final numbers, in the order of their code units. */
function sortWords(known: ReadonlyMap<string, { number: number }>) {
  const words = [...known.keys()].sort();
  const finalNumber = new Uint32Array(words.length);
  for (const [number, word] of words.entries())
    finalNumber[known.get(word)?.number as number] = number;
  return { words, finalNumber };
}

function groupByStem(words: readonly string[]) {
  const stems = new Map<string, number>();
  const pairs: number[] = [];
  for (const [number, word] of words.entries()) {
    const stem = stemOf(word);
    const at = stems.get(stem) ?? stems.size;
    stems.set(stem, at);
    pairs.push(at, number);
  }
  return { stems, wordsOfStem: groupPairs(pairs, stems.size) };
}

function joinTexts(texts: readonly string[], numbers: readonly number[]): JoinedTexts {
  const starts = new Uint32Array(texts.length + 1);
  starts[0] = 1;
  for (const [at, text] of texts.entries())
    starts[at + 1] = (starts[at] as number) + text.length + 1;
  return { text: `\n${texts.join('\n')}`, starts, numbers: Uint32Array.from(numbers) };
}

function joinNames(services: readonly CatalogueService[], language: Language, read: Reader) {
  const pairs = services.flatMap(({ name }, service) => {
    const { normalized, asSpelt } = read(name[language]);
    return [...new Set([normalized, asSpelt])].map((text) => ({ text, service }));
  });
  return joinTexts(
    pairs.map(({ text }) => text),
    pairs.map(({ service }) => service),
  );
}

// A step reads so many services, which takes some milliseconds.
const servicesPerStep = 50;

/** Builds the index once for all searches. */
export function* buildSearchIndexInSteps(
  services: readonly CatalogueService[],
  wordList: WordList,
): Generator<undefined, SearchIndex> {
  const { read, known } = openTextReader(wordList);
  const postings = new GrowingList();
  const ofConcept = new GrowingList();
  const ofService = new GrowingList();
  const ofAgencyGroup: number[] = [];
  for (const [index, service] of services.entries()) {
    if (index % servicesPerStep === 0) yield;
    const post = (text: string, field: number) => {
      for (const word of read(text).words) postings.push(word, index * 8 + field);
    };
    for (const [field, language] of languages.entries()) post(service.name[language], field);
    post(service.replacedName, fields.indexOf('replacedName'));
    for (const language of languages) {
      post(service.agency.name[language], agencyField);
      post(service.description[language], descriptionField);
    }
    const { named, within, described } = conceptsOf(service, read, wordList);
    for (const concept of named) ofService.push(index, concept);
    for (const group of agencyGroupsOf(service, named, read, wordList))
      ofAgencyGroup.push(group, index);
    for (const [place, concepts] of [named, within, described].entries())
      for (const concept of concepts) ofConcept.push(concept, index * 4 + place);
  }
  yield;
  const { words, finalNumber } = sortWords(known);
  yield;
  const pairs = postings.all();
  const isInNames = new Uint8Array(words.length);
  for (let at = 0; at < pairs.length; at += 2) {
    const word = finalNumber[pairs[at] as number] as number;
    pairs[at] = word;
    if (((pairs[at + 1] as number) & 7) !== descriptionField) isInNames[word] = 1;
  }
  const nameWords = [...words.keys()].filter((number) => isInNames[number] === 1);
  const names = inEachLanguage((): readonly string[] => []);
  const joinedNames = inEachLanguage(() => joinTexts([], []));
  const serviceOfTie = inEachLanguage((): Uint32Array => new Uint32Array());
  for (const language of languages) {
    yield;
    names[language] = services.map(({ name }) => read(name[language]).normalized);
    joinedNames[language] = joinNames(services, language, read);
    yield;
    serviceOfTie[language] = orderTies(services, names[language]);
  }
  yield;
  const misspellings = indexMisspellings([
    ...wordList.vocabulary.keys(),
    ...nameWords.map((number) => words[number] as string),
  ]);
  yield;
  const grouped = groupPairs(pairs, words.length);
  yield;
  const byStem = groupByStem(words);
  yield;
  return {
    services,
    wordList,
    words,
    postings: grouped,
    ...byStem,
    joinedWords: joinTexts(
      nameWords.map((number) => words[number] as string),
      nameWords,
    ),
    servicesOfConcept: groupPairs(ofConcept.all(), wordList.concepts.length),
    servicesOfAgencyGroup: groupPairs(ofAgencyGroup, wordList.agencyGroupsCount),
    conceptsOfService: groupPairs(ofService.all(), services.length),
    isPopular: Uint8Array.from(services, ({ popularRank }) => Number(popularRank !== null)),
    misspellings,
    names,
    joinedNames,
    firstLetters: inEachLanguage((language) =>
      Uint16Array.from(names[language], (name) => name.charCodeAt(0)),
    ),
    ties: inEachLanguage((language) => ranksOf(serviceOfTie[language])),
    serviceOfTie,
  };
}

/** Builds the index in one step. */
export function buildSearchIndex(
  services: readonly CatalogueService[],
  wordList: WordList,
): SearchIndex {
  const steps = buildSearchIndexInSteps(services, wordList);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
