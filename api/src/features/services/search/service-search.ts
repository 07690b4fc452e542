import { languages, type Language } from '@diwan/contract/wire/languages';
import type { CatalogueService } from '../catalogue-records.ts';
import { fields, matchQuality, type Field, type SearchIndex } from './search-index.ts';
import type { SearchQuery, QueryWord } from './search-words.ts';

/** The matches of a word. */
interface Matches {
  /** For every service, two bits a field: the quality of the match there. */
  bits: Uint16Array;
  /** The services with a match, each once. */
  services: number[];
}

function addMatch(
  index: SearchIndex,
  { bits, services }: Matches,
  word: number,
  quality: number,
): void {
  const occurrences = index.occurrences[word] as Uint32Array;
  for (let at = 0; at < occurrences.length; at += 1) {
    const occurrence = occurrences[at] as number;
    const service = occurrence >> 3;
    const shift = (occurrence & 7) * 2;
    const before = bits[service] as number;
    if (before === 0) services.push(service);
    if (((before >> shift) & 3) < quality)
      bits[service] = (before & ~(3 << shift)) | (quality << shift);
  }
}

/**
 * Calls `onWord` once for every word of the catalogue that contains a text. A search in one long
 * string takes a tenth of the time of a search in each word.
 */
function forEachWordContaining(
  index: SearchIndex,
  text: string,
  onWord: (word: number, isAtStart: boolean) => void,
): void {
  const { joinedWords, wordStarts } = index;
  let word = 0;
  for (
    let at = joinedWords.indexOf(text);
    at !== -1;
    at = joinedWords.indexOf(text, wordStarts[word + 1])
  ) {
    while ((wordStarts[word + 1] as number) <= at) word += 1;
    onWord(word, at === wordStarts[word]);
  }
}

function findWord(index: SearchIndex, { word, stems }: QueryWord): Matches {
  const matches = { bits: new Uint16Array(index.services.length), services: [] };
  for (const stem of stems)
    forEachWordContaining(index, stem, (each) => addMatch(index, matches, each, matchQuality.stem));
  forEachWordContaining(index, word, (each, isAtStart) =>
    addMatch(index, matches, each, isAtStart ? matchQuality.startOfWord : matchQuality.partOfWord),
  );
  return matches;
}

// Shorter words must match exactly: one letter turns them into another word.
const minimumMisspeltLength = 5;

function matchesFrom(word: string, from: number, other: string, otherFrom: number): boolean {
  for (let at = from; at < word.length; at += 1)
    if (word.charCodeAt(at) !== other.charCodeAt(at - from + otherFrom)) return false;
  return true;
}

/**
 * Whether `word` has one typing error compared with `other` or with its beginning, because
 * suggestions appear before the word is complete: one letter added, missing or replaced, or two
 * letters exchanged.
 */
function isMisspelling(word: string, other: string): boolean {
  if (word.length > other.length + 1) return false;
  let same = 0;
  while (same < word.length && word.charCodeAt(same) === other.charCodeAt(same)) same += 1;
  if (same === word.length) return true;
  return (
    matchesFrom(word, same + 1, other, same + 1) ||
    matchesFrom(word, same + 1, other, same) ||
    matchesFrom(word, same, other, same + 1) ||
    (word[same] === other[same + 1] &&
      word[same + 1] === other[same] &&
      matchesFrom(word, same + 2, other, same + 2))
  );
}

/** The exact matches, and the matches with one typing error outside of descriptions. */
function addMisspellings(index: SearchIndex, { word }: QueryWord, exact: Matches): Matches {
  if (word.length < minimumMisspeltLength || /\d/.test(word)) return exact;
  const matches = { bits: exact.bits.slice(), services: [...exact.services] };
  for (let other = 0; other < index.words.length; other += 1) {
    if (index.isOutsideDescriptions[other] && isMisspelling(word, index.words[other] as string))
      addMatch(index, matches, other, matchQuality.stem);
  }
  return matches;
}

/**
 * The groups of fields in the order of their weight: the name in the caller's language, other
 * names, synonyms, agency, description. The field weighs more than the quality of the match.
 */
function fieldGroupsFor(language: Language): Field[][] {
  return [
    [language],
    [...languages.filter((other) => other !== language), 'replacedName'],
    ['synonyms'],
    ['agency'],
    ['description'],
  ];
}

const shiftOf = Object.fromEntries(fields.map((field, index) => [field, index * 2])) as Record<
  Field,
  number
>;
const noMatch = 9;

// For the whole phrase: 0 equal, 1 at the start of the text, 2 at the start of a word, 3 anywhere.
// For its words: 4 all at the start of words, 5 all anywhere, 6 stems only.
function distanceOf(text: string, phrase: string, weakest: number): number {
  if (weakest === matchQuality.none) return noMatch;
  if (weakest !== matchQuality.stem && text.includes(phrase)) {
    if (text.startsWith(phrase, 1)) return text.length === phrase.length + 1 ? 0 : 1;
    return text.includes(` ${phrase}`) ? 2 : 3;
  }
  if (weakest === matchQuality.startOfWord) return 4;
  return weakest === matchQuality.partOfWord ? 5 : 6;
}

function weakestMatch(matches: readonly Matches[], service: number, shift: number): number {
  let weakest: number = matchQuality.startOfWord;
  for (const word of matches)
    weakest = Math.min(weakest, ((word.bits[service] as number) >> shift) & 3);
  return weakest;
}

function groupOfWord(word: number, groups: readonly Field[][]): number {
  return groups.findIndex((names) =>
    names.some((field) => ((word >> shiftOf[field]) & 3) !== matchQuality.none),
  );
}

/** A search under way: `matches` has one entry for each word of the query. */
interface Search {
  index: SearchIndex;
  query: SearchQuery;
  matches: readonly Matches[];
  groups: readonly Field[][];
}

/**
 * The score of a service; smaller is better. Services whose fields contain the words only together
 * come last, ordered by the weight of these fields.
 */
function scoreOf({ index, query, matches, groups }: Search, service: number): number {
  const { texts, agencyAliases } = index.services[service] as SearchIndex['services'][number];
  for (const [group, names] of groups.entries()) {
    let best = noMatch;
    for (const field of names)
      best = Math.min(
        best,
        distanceOf(texts[field], query.phrase, weakestMatch(matches, service, shiftOf[field])),
      );
    // RTA means the agency rather than a part of “transportation”.
    if (group === 0 && best > 1 && agencyAliases.has(query.phrase)) return 1;
    if (best !== noMatch) return group * 10 + best;
  }
  const sum = matches.reduce(
    (total, word) => total + groupOfWord(word.bits[service] as number, groups),
    0,
  );
  return groups.length * 10 + Math.round((9 * sum) / (matches.length * groups.length));
}

function rank(
  index: SearchIndex,
  query: SearchQuery,
  language: Language,
  matches: readonly Matches[],
): CatalogueService[] {
  const search = { index, query, matches, groups: fieldGroupsFor(language) };
  const { tieOrder, serviceAt } = index.ties[language];
  const count = index.services.length;
  const [rarest] = matches.toSorted((a, b) => a.services.length - b.services.length);
  const candidates = rarest?.services ?? [];
  // The score and the order of ties are combined in one number: to sort ten thousand numbers is ten
  // times as fast as to sort with a function.
  const scores = new Float64Array(candidates.length);
  let length = 0;
  for (const service of candidates) {
    if (matches.some((word) => word.bits[service] === 0)) continue;
    scores[length] = scoreOf(search, service) * count + (tieOrder[service] as number);
    length += 1;
  }
  return Array.from(
    scores.subarray(0, length).sort(),
    (score) =>
      (index.services[serviceAt[score % count] as number] as SearchIndex['services'][number])
        .service,
  );
}

/**
 * The services that match a query, best match first; among equal matches popular services come
 * first, then shorter names. All words must match (specification §5, §7). Only if no service
 * matches, words of five letters and more may have one typing error.
 */
export function searchServices(
  index: SearchIndex,
  query: SearchQuery,
  language: Language,
): CatalogueService[] {
  if (query.words.length === 0) return [];
  const exact = query.words.map((word) => findWord(index, word));
  const services = rank(index, query, language, exact);
  if (services.length > 0 || !query.words.some(({ word }) => word.length >= minimumMisspeltLength))
    return services;
  return rank(
    index,
    query,
    language,
    query.words.map((word, at) => addMisspellings(index, word, exact[at] as Matches)),
  );
}
