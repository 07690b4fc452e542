import type { Language } from '@diwan/contract/wire/languages';
import type { QueryPlan, Unit } from './query-plan.ts';
import {
  conceptPlaces,
  fields,
  firstWordFrom,
  forEachIn,
  type SearchIndex,
} from './search-index.ts';
import { stemOf } from './search-words.ts';

/** How well a word of the query matches a word of the catalogue. */
export const quality = { word: 1, stem: 0.95, beginning: 0.7, part: 0.25 } as const;
/** A word that is complete rarely means a longer one: "car" is not "card". */
export const beginningOfKnownWord = 0.3;
/** How well a group of words matches, by where the service names it. */
export const conceptQuality = { name: 0.97, withinPhrase: 0.7, description: 0.35 } as const;

/** The weight of a match in each field of `fields`. */
export function fieldWeights(language: Language): number[] {
  const weightOf = { replacedName: 0.85, agency: 0.5, description: 0.25 };
  return fields.map((field) => {
    if (field === 'replacedName' || field === 'agency' || field === 'description')
      return weightOf[field];
    return field === language ? 1 : 0.85;
  });
}

/** Numbers of services with a value each; empty between uses, so that a search allocates none. */
class Scores {
  readonly values: Float64Array;
  readonly touched: Uint32Array;
  count = 0;

  constructor(size: number) {
    this.values = new Float64Array(size);
    this.touched = new Uint32Array(size);
  }

  raise(service: number, value: number): void {
    const before = this.values[service] as number;
    if (before === 0) this.touched[this.count++] = service;
    if (value > before) this.values[service] = value;
  }

  add(service: number, value: number): void {
    const before = this.values[service] as number;
    if (before === 0) this.touched[this.count++] = service;
    this.values[service] = before + value;
  }

  /** Adds these scores to others and empties them. */
  moveTo(sum: Scores): void {
    for (let at = 0; at < this.count; at += 1) {
      const service = this.touched[at] as number;
      sum.add(service, this.values[service] as number);
    }
    this.clear();
  }

  clear(): void {
    for (let at = 0; at < this.count; at += 1) this.values[this.touched[at] as number] = 0;
    this.count = 0;
  }

  /** The service with the greatest value of those that pass. */
  leader(passes: ((service: number) => boolean) | undefined): number | undefined {
    let leader: number | undefined;
    let greatest = 0;
    for (let at = 0; at < this.count; at += 1) {
      const service = this.touched[at] as number;
      const value = this.values[service] as number;
      if (value > greatest && (!passes || passes(service))) [leader, greatest] = [service, value];
    }
    return leader;
  }
}

/** Calls `onWord` for each word of names and agencies that contains a text. */
function forEachWordContaining(
  { joinedWords, joinedStarts, joinedNumbers }: SearchIndex,
  text: string,
  onWord: (word: number) => void,
): void {
  let word = 0;
  for (
    let at = joinedWords.indexOf(text);
    at !== -1;
    at = joinedWords.indexOf(text, joinedStarts[word + 1])
  ) {
    // The word that contains the position, by bisection.
    let high = joinedNumbers.length;
    while (high - word > 1) {
      const middle = (word + high) >> 1;
      if ((joinedStarts[middle] as number) <= at) word = middle;
      else high = middle;
    }
    onWord(joinedNumbers[word] as number);
  }
}

/** How well the services match the words of a query. Its memory is shared by all queries. */
export class Matches {
  private readonly ofWord: Scores;
  private readonly ofUnit: Scores;
  readonly total: Scores;
  /** The words of the query that occur in each service. */
  readonly wordsFound: Uint8Array;

  private readonly index: SearchIndex;

  constructor(index: SearchIndex) {
    this.index = index;
    const size = index.services.length;
    [this.ofWord, this.ofUnit, this.total] = [new Scores(size), new Scores(size), new Scores(size)];
    this.wordsFound = new Uint8Array(size);
  }

  private raiseByWord(number: number, value: number, weights: readonly number[]): void {
    const { ofWord } = this;
    const { starts, values } = this.index.postings;
    const end = starts[number + 1] as number;
    for (let at = starts[number] as number; at < end; at += 1) {
      const posting = values[at] as number;
      ofWord.raise(posting >>> 3, value * (weights[posting & 7] as number));
    }
  }

  private matchWord(plan: QueryPlan, word: string, weight: number, weights: number[]): void {
    const { words, stems, wordsOfStem } = this.index;
    const raise = (number: number, value: number) =>
      this.raiseByWord(number, weight * value, weights);
    const first = firstWordFrom(words, word);
    const isExact = words[first] === word;
    if (isExact) raise(first, quality.word);
    const stem = stems.get(stemOf(word));
    if (stem !== undefined) forEachIn(wordsOfStem, stem, (number) => raise(number, quality.stem));
    const isKnown = isExact || stem !== undefined || this.index.wordList.isKnown(word);
    let isBeginning = false;
    if (!isKnown || word === plan.lastWord)
      for (let at = first; at < words.length && (words[at] as string).startsWith(word); at += 1) {
        isBeginning = true;
        if (words[at] !== word) raise(at, isKnown ? beginningOfKnownWord : quality.beginning);
      }
    if (plan.words.length === 1 || (!isKnown && !isBeginning))
      forEachWordContaining(this.index, word, (number) => raise(number, quality.part));
    const { ofWord, wordsFound } = this;
    for (let at = 0; at < ofWord.count; at += 1) {
      const service = ofWord.touched[at] as number;
      wordsFound[service] = (wordsFound[service] as number) + 1;
    }
    ofWord.moveTo(this.ofUnit);
  }

  add(plan: QueryPlan, unit: Unit, weights: number[]): void {
    for (const { text, weight } of unit.words) this.matchWord(plan, text, weight, weights);
    for (const { concept, share } of unit.concepts)
      forEachIn(this.index.servicesOfConcept, concept, (value) => {
        const place = conceptPlaces[value & 3] as (typeof conceptPlaces)[number];
        this.ofUnit.raise(value >>> 2, unit.weight * conceptQuality[place] * share);
      });
    this.ofUnit.moveTo(this.total);
  }
}
