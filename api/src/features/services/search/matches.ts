import { normalizeText } from '#platform/core/normalize-text.ts';
import type { Language } from '@diwan/contract/wire/languages';
import type { QueryPlan, Unit } from './query-plan.ts';
import {
  conceptPlaces,
  fields,
  firstWordFrom,
  forEachIn,
  type JoinedTexts,
  type SearchIndex,
} from './search-index.ts';
import { stemOf, withOneSpelling } from './search-words.ts';

/** How well a word of the query matches a word of the catalogue. */
export const quality = { word: 1, stem: 0.95, beginning: 0.7, part: 0.25 } as const;
/** A word that is complete rarely means a longer one: "car" is not "card". */
export const beginningOfKnownWord = 0.3;
/** How well a group of words matches, by where the service names it. */
export const conceptQuality = { name: 0.97, withinPhrase: 0.7, description: 0.35 } as const;

/** How well a word of an agency matches: less than a word that is in the name of a service. */
const agencyWordQuality = 0.7;

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

/** How a name contains the text of a query: by the same letters, or in another spelling of them. */
export const containment = { none: 0, normalized: 1, letters: 2 } as const;
/** A longer text is not looked for in names. */
const maximumNameLength = 1000;

/** Calls `onText` with the number of each joined text that contains another one. */
function forEachContaining(
  { text, starts, numbers }: JoinedTexts,
  sought: string,
  onText: (number: number) => void,
): void {
  let found = 0;
  for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, starts[found + 1])) {
    // The text that contains the position, by bisection.
    let high = numbers.length;
    while (high - found > 1) {
      const middle = (found + high) >> 1;
      if ((starts[middle] as number) <= at) found = middle;
      else high = middle;
    }
    onText(numbers[found] as number);
  }
}

/** The services whose names contain the text of a query. Its memory is shared by all queries. */
export class NamesContaining {
  /** How each service's name contains it, a value of `containment`. */
  readonly kinds: Uint8Array;
  readonly services: number[] = [];

  private readonly index: SearchIndex;

  constructor(index: SearchIndex) {
    this.index = index;
    this.kinds = new Uint8Array(index.services.length);
  }

  /** Finds them; `clear` must follow. */
  find(text: string, language: Language): void {
    const sought = text.trim().normalize('NFC').toLowerCase();
    if (sought === '' || sought.length > maximumNameLength) return;
    const add = (service: number) => {
      if (this.kinds[service] !== containment.none) return;
      const name = this.index.services[service]?.name[language].toLowerCase();
      this.kinds[service] = name?.includes(sought) ? containment.letters : containment.normalized;
      this.services.push(service);
    };
    const asSpelt = normalizeText(sought);
    if (asSpelt !== '')
      for (const each of new Set([asSpelt, withOneSpelling(asSpelt)]))
        forEachContaining(this.index.joinedNames[language], each, add);
    else
      // Punctuation, which a normalised name does not have.
      for (const [service, { name }] of this.index.services.entries())
        if (name[language].includes(sought)) add(service);
  }

  clear(): void {
    for (const service of this.services) this.kinds[service] = containment.none;
    this.services.length = 0;
  }
}

/** How well the services match the words of a query. Its memory is shared by all queries. */
export class Matches {
  private readonly ofWord: Scores;
  private readonly ofUnit: Scores;
  readonly total: Scores;
  /** What the words of an agency add for its services. It counts for these alone: decision 0157. */
  readonly gains: Scores;
  /** The words of the query that occur in each service. */
  readonly wordsFound: Uint8Array;

  private readonly index: SearchIndex;

  constructor(index: SearchIndex) {
    this.index = index;
    const size = index.services.length;
    [this.ofWord, this.ofUnit] = [new Scores(size), new Scores(size)];
    [this.total, this.gains] = [new Scores(size), new Scores(size)];
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
      forEachContaining(this.index.joinedWords, word, (number) => raise(number, quality.part));
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
    for (const { group, weight } of unit.agencyGroups)
      forEachIn(this.index.servicesOfAgencyGroup, group, (service) => {
        const gain = weight * agencyWordQuality - (this.ofUnit.values[service] as number);
        if (gain > 0) this.ofWord.raise(service, gain);
      });
    this.ofWord.moveTo(this.gains);
    this.ofUnit.moveTo(this.total);
  }
}
