import { languages, type Language } from '@diwan/contract/languages';
import { normalizeText } from '../../platform/normalize-text.ts';
import type { CatalogueService } from './catalogue-records.ts';

/** A service with its texts as search compares them, made once a snapshot; each begins with a space, so that ` x` finds the words that begin with x. */
export interface IndexedService {
  service: CatalogueService;
  names: Record<Language, string>;
  replacedName: string;
  /** Other words for what its names say. */
  otherWords: string;
  agencyNames: string[];
  descriptions: string[];
  everything: string;
}

/** What is looked for: the whole text, and the words that must all be found. */
interface Wanted {
  phrase: string;
  words: string[];
}

const longestText = 200;

// Official names use both spellings, and so do people.
const spellings = [['licens', 'licenc'], ['labour', 'labor'], ['centre', 'center']] as const;

// Words of a wish that no name holds: "apply for trade license" (specification §2) looks for trade and licence.
const fillers = new Set(normalizeText(`
  a an the of for to in on my i want need how do get apply application
  في على من عن إلى لي أريد كيف طلب تقديم التقديم للحصول
  کا کی کے میں کو سے لیے برائے درخواست چاہیے کیسے
`).split(' '));

function comparable(text: string): string {
  return spellings.reduce((spelt, [one, other]) => spelt.replaceAll(one, other), normalizeText(text));
}

// A Latin word counts where a word begins so; Arabic script joins its article and other small words to the word.
const namesHold = (names: string, word: string) => names.includes(/^[a-z]/.test(word) ? ` ${word}` : word);

/** Groups of words that mean the same, ready to be compared. */
export function readSynonyms(groups: readonly (readonly string[])[]): string[][] {
  return groups.map((words) => words.map((word) => comparable(word).trim()).filter(Boolean));
}

/** `synonyms` as `readSynonyms` gives them. */
export function indexService(service: CatalogueService, synonyms: readonly (readonly string[])[] = []): IndexedService {
  const fold = (text: string) => ` ${comparable(text)}`;
  const names = { 'ar-EG': fold(service.name['ar-EG']), 'en-US': fold(service.name['en-US']), 'ur-PK': fold(service.name['ur-PK']) };
  const replacedName = fold(service.replacedName);
  const allNames = Object.values(names).join('\n');
  const otherWords = synonyms.filter((words) => words.some((word) => namesHold(allNames, word))).flat().map((word) => ` ${word}`).join('\n');
  const agencyNames = Object.values(service.agency.name).map(fold);
  const descriptions = Object.values(service.description).map(fold);
  return { service, names, replacedName, otherWords, agencyNames, descriptions, everything: [allNames, replacedName, otherWords, ...agencyNames, ...descriptions].join('\n') };
}

/** `undefined` for a blank text, which asks for nothing; a text of punctuation only is not blank and finds nothing. */
export function readWanted(text: string | undefined): Wanted | undefined {
  if ((text ?? '').replace(/[\s\p{Cf}]/gu, '') === '') return undefined;
  const phrase = comparable(text ?? '').slice(0, longestText).trim();
  const words = [...new Set(phrase.split(' '))].filter(Boolean);
  const telling = words.filter((word) => !fillers.has(word));
  return { phrase, words: telling.length > 0 ? telling : words };
}

const noMatch = Number.POSITIVE_INFINITY;

// 0 the same, 1 begins so, 2 a word begins so, 3 somewhere; 4 all words begin words, 5 all words somewhere.
function closeness(text: string, { phrase, words }: Wanted): number {
  if (text.includes(phrase)) {
    if (text.startsWith(phrase, 1)) return text.length === phrase.length + 1 ? 0 : 1;
    return text.includes(` ${phrase}`) ? 2 : 3;
  }
  if (!words.every((word) => text.includes(word))) return noMatch;
  return words.every((word) => text.includes(` ${word}`)) ? 4 : 5;
}

// The smaller, the better. Where a text is found weighs more than how: name in the caller's language, other names, words that mean the same, agency, description; at last
// words that are spread over all of these.
function scoreOf(indexed: IndexedService, wanted: Wanted, language: Language): number {
  if (!wanted.words.every((word) => indexed.everything.includes(word))) return noMatch;
  const otherNames = languages.filter((other) => other !== language).map((other) => indexed.names[other]);
  const places = [[indexed.names[language]], [...otherNames, indexed.replacedName], [indexed.otherWords], indexed.agencyNames, indexed.descriptions];
  for (const [place, texts] of places.entries()) {
    const found = Math.min(...texts.map((text) => closeness(text, wanted)));
    if (found !== noMatch) return place * 10 + found;
  }
  return places.length * 10;
}

const rankOf = (service: CatalogueService) => service.popularRank ?? Number.MAX_SAFE_INTEGER;

/** The services that a text finds, best match first; among equals the popular ones, then the shorter name. All words must be found (specification §5, §7). */
export function searchServices(index: readonly IndexedService[], wanted: Wanted, language: Language): CatalogueService[] {
  if (wanted.words.length === 0) return [];
  return index
    .map((indexed) => ({ service: indexed.service, score: scoreOf(indexed, wanted, language), length: indexed.names[language].length }))
    .filter(({ score }) => score !== noMatch)
    .sort((a, b) => a.score - b.score || rankOf(a.service) - rankOf(b.service) || a.length - b.length)
    .map(({ service }) => service);
}
