import { languages, type Language } from '@diwan/contract/wire/languages';
import type { CatalogueService } from '../catalogue-records.ts';
import { isNear, shortestMisspelt } from './near-words.ts';
import { fields, found, type Field, type SearchIndex } from './search-index.ts';
import type { Wanted, WantedWord } from './search-words.ts';

export { readWanted } from './search-words.ts';

/** For every service two bits a field: how the word was found there. */
type Findings = Uint16Array;

function addWord(index: SearchIndex, findings: Findings, word: number, how: number): void {
  const places = index.places[word] as Uint32Array;
  for (let at = 0; at < places.length; at += 1) {
    const place = places[at] as number;
    const service = place >> 3;
    const shift = (place & 7) * 2;
    const before = findings[service] as number;
    if (((before >> shift) & 3) < how)
      findings[service] = (before & ~(3 << shift)) | (how << shift);
  }
}

/**
 * Calls back for every word of the catalogue that holds a text, each once. One search in one long
 * string is a tenth of one in each of its words.
 */
function eachWordWith(
  index: SearchIndex,
  text: string,
  onWord: (word: number, isAtStart: boolean) => void,
): void {
  const { joined, starts } = index;
  let word = 0;
  for (let at = joined.indexOf(text); at !== -1; at = joined.indexOf(text, starts[word + 1])) {
    while ((starts[word + 1] as number) <= at) word += 1;
    onWord(word, at === starts[word]);
  }
}

function findWord(index: SearchIndex, { word, stems }: WantedWord): Findings {
  const findings = new Uint16Array(index.services.length);
  for (const stem of stems)
    eachWordWith(index, stem, (each) => addWord(index, findings, each, found.byStem));
  eachWordWith(index, word, (each, isAtStart) =>
    addWord(index, findings, each, isAtStart ? found.atStart : found.inside),
  );
  return findings;
}

/** The same, and where a word stands that is one slip away. */
function findNear(index: SearchIndex, { word }: WantedWord, exact: Findings): Findings {
  if (word.length < shortestMisspelt || /\d/.test(word)) return exact;
  const findings = exact.slice();
  for (let place = 0; place < index.words.length; place += 1) {
    if (index.isNaming[place] && isNear(word, index.words[place] as string))
      addWord(index, findings, place, found.byStem);
  }
  return findings;
}

/**
 * Where a text is found weighs more than how: the name in the caller's language, other names, words
 * that mean the same, agency, description.
 */
function placesFor(language: Language): Field[][] {
  return [
    [language],
    [...languages.filter((other) => other !== language), 'replacedName'],
    ['otherWords'],
    ['agency'],
    ['description'],
  ];
}

const shiftOf = Object.fromEntries(fields.map((field, place) => [field, place * 2])) as Record<
  Field,
  number
>;
const noMatch = 9;

// 0 the same, 1 begins so, 2 a word begins so, 3 somewhere; 4 all words begin words, 5 all words
// somewhere, 6 other forms of them.
function closeness(text: string, phrase: string, worst: number): number {
  if (worst === found.nowhere) return noMatch;
  if (worst !== found.byStem && text.includes(phrase)) {
    if (text.startsWith(phrase, 1)) return text.length === phrase.length + 1 ? 0 : 1;
    return text.includes(` ${phrase}`) ? 2 : 3;
  }
  return worst === found.atStart ? 4 : worst === found.inside ? 5 : 6;
}

function worstIn(findings: readonly Findings[], service: number, shift: number): number {
  let worst: number = found.atStart;
  for (const word of findings) worst = Math.min(worst, ((word[service] as number) >> shift) & 3);
  return worst;
}

function placeOfWord(word: number, places: readonly Field[][]): number {
  return places.findIndex((names) =>
    names.some((field) => ((word >> shiftOf[field]) & 3) !== found.nowhere),
  );
}

/**
 * The smaller, the better. Words that are spread over several places come last, those nearer to the
 * name before the others.
 */
function scoreOf(
  index: SearchIndex,
  service: number,
  wanted: Wanted,
  findings: readonly Findings[],
  places: readonly Field[][],
): number {
  const { texts, agencyAliases } = index.services[service] as SearchIndex['services'][number];
  for (const [place, names] of places.entries()) {
    let best = noMatch;
    for (const field of names)
      best = Math.min(
        best,
        closeness(texts[field], wanted.phrase, worstIn(findings, service, shiftOf[field])),
      );
    // RTA is the agency before it is a part of “transportation”.
    if (place === 0 && best > 1 && agencyAliases.has(wanted.phrase)) return 1;
    if (best !== noMatch) return place * 10 + best;
  }
  const sum = findings.reduce(
    (total, word) => total + placeOfWord(word[service] as number, places),
    0,
  );
  return places.length * 10 + Math.round((9 * sum) / (findings.length * places.length));
}

function rank(
  index: SearchIndex,
  wanted: Wanted,
  language: Language,
  findings: readonly Findings[],
): CatalogueService[] {
  const places = placesFor(language);
  const standing = index.standing[language];
  const count = index.services.length;
  // A score and a standing in one number each: sorting ten thousand numbers is ten times as fast as
  // asking a function.
  const scores = new Float64Array(count);
  const serviceAt = new Uint32Array(count);
  let length = 0;
  for (let service = 0; service < count; service += 1) {
    serviceAt[standing[service] as number] = service;
    if (findings.some((word) => word[service] === 0)) continue;
    scores[length] =
      scoreOf(index, service, wanted, findings, places) * count + (standing[service] as number);
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
 * The services that a text finds, best match first; among equals the popular ones, then the shorter
 * name. All words must be found (specification §5,
 * §7). Only when nothing is, words of five letters and more are allowed one slip.
 */
export function searchServices(
  index: SearchIndex,
  wanted: Wanted,
  language: Language,
): CatalogueService[] {
  if (wanted.words.length === 0) return [];
  const exact = wanted.words.map((word) => findWord(index, word));
  const services = rank(index, wanted, language, exact);
  if (services.length > 0 || !wanted.words.some(({ word }) => word.length >= shortestMisspelt))
    return services;
  return rank(
    index,
    wanted,
    language,
    wanted.words.map((word, place) => findNear(index, word, exact[place] as Findings)),
  );
}
