import { setImmediate as endOfTurn } from 'node:timers/promises';
import { languages, type Language } from '@diwan/contract/wire/languages';
import type { CatalogueService } from '../catalogue-records.ts';
import type { ServiceFilter } from '../service-buckets.ts';
import { openFilters } from './filter-bits.ts';
import { containment, fieldWeights, Matches, NamesContaining } from './matches.ts';
import { planQuery, type QueryPlan } from './query-plan.ts';
import { buildSearchIndexInSteps, type SearchIndex } from './search-index.ts';
import type { WordList } from './word-list.ts';

/** What a search finds. */
export interface SearchResult {
  count: number;
  /** Some of the services, best first. */
  take: (first: number, count: number) => readonly CatalogueService[];
  /** The text with corrected spelling, if there is one. */
  correction: string | undefined;
}

/** What a service loses for what it names beyond the query, or against it. */
export const penalties = {
  unasked: { thing: 0.25, action: 0.05, place: 0.1, agency: 0 },
  /** An action other than the usual one, when the query names none. */
  unusualAction: 0.2,
  otherAction: 1.2,
  otherPlace: 2.5,
} as const;
/** Results below this share of the best score are left out, unless they hold all words. */
export const leastShare = 0.5;
/** The bonus of a name that is the text of the query, or begins with it. */
export const phraseBonus = { equal: 20, beginning: 0.3 } as const;

/** What popular services gain. */
export const popularBonus = 0.5;

/** More than any score: it separates the results by how their names contain the text. */
const containmentPoints = 10_000_000;

/** What a service names, asked for or not. */
const conceptFlags = {
  askedAction: 1,
  otherAction: 2,
  unusualAction: 4,
  askedPlace: 8,
  otherPlace: 16,
} as const;

type Passes = ReturnType<ReturnType<typeof openFilters>>;

/** Puts the services that match a query in order. Its memory is shared by all queries. */
class Ranking {
  // The services that are ranked, with their scores.
  private readonly candidates: Uint32Array;
  private readonly isWholeAt: Uint8Array;
  private readonly scores: Float64Array;
  private readonly unasked: Float64Array;
  private readonly askedFlags: Uint8Array;
  private readonly otherFlags: Uint8Array;
  /** Marks the concepts of the query. */
  private readonly isAsked: Uint8Array;
  private readonly filters: ReturnType<typeof openFilters>;

  private readonly index: SearchIndex;
  private readonly matches: Matches;

  constructor(index: SearchIndex, matches: Matches) {
    this.index = index;
    this.matches = matches;
    const size = index.services.length;
    this.candidates = new Uint32Array(size);
    this.isWholeAt = new Uint8Array(size);
    this.scores = new Float64Array(size);
    const kinds = index.wordList.concepts.map(({ kind }) => kind);
    this.unasked = Float64Array.from(kinds, (kind) => penalties.unasked[kind]);
    this.askedFlags = Uint8Array.from(kinds, (kind) => {
      if (kind === 'action') return conceptFlags.askedAction;
      return kind === 'place' ? conceptFlags.askedPlace : 0;
    });
    this.otherFlags = Uint8Array.from(kinds, (kind, concept) => {
      if (kind === 'place') return conceptFlags.otherPlace;
      if (kind !== 'action') return 0;
      const isUsual = concept === index.wordList.usualAction;
      return conceptFlags.otherAction | (isUsual ? 0 : conceptFlags.unusualAction);
    });
    this.isAsked = new Uint8Array(kinds.length);
    this.filters = openFilters(index.services);
  }

  private penaltyOf(plan: QueryPlan, service: number): number {
    const { isAsked, askedFlags, unasked, otherFlags } = this;
    const { starts, values } = this.index.conceptsOfService;
    const end = starts[service + 1] as number;
    let penalty = 0;
    let flags = 0;
    for (let at = starts[service] as number; at < end; at += 1) {
      const concept = values[at] as number;
      if (isAsked[concept] === 1) flags |= askedFlags[concept] as number;
      else {
        penalty += unasked[concept] as number;
        flags |= otherFlags[concept] as number;
      }
    }
    const { askedAction, otherAction, unusualAction, askedPlace, otherPlace } = conceptFlags;
    if (!plan.hasAction && (flags & unusualAction) !== 0) penalty += penalties.unusualAction;
    if (plan.hasAction && (flags & (askedAction | otherAction)) === otherAction)
      penalty += penalties.otherAction;
    if (plan.hasPlace && (flags & (askedPlace | otherPlace)) === otherPlace)
      penalty += penalties.otherPlace;
    return penalty;
  }

  private scoreOf(plan: QueryPlan, service: number): number {
    const gain = this.index.isPopular[service] === 1 ? popularBonus : 0;
    return (this.matches.total.values[service] as number) + gain - this.penaltyOf(plan, service);
  }

  private bonusOf({ phrase }: QueryPlan, language: Language, service: number): number {
    const letter = phrase.charCodeAt(0);
    let best = 0;
    for (const each of languages) {
      if (this.index.firstLetters[each][service] !== letter) continue;
      const name = this.index.names[each][service] as string;
      if (!name.startsWith(phrase)) continue;
      const isEqual = name.length === phrase.length;
      const bonus = isEqual ? phraseBonus.equal : phraseBonus.beginning;
      best = Math.max(best, each === language ? bonus : bonus * 0.85);
    }
    return best;
  }

  /** Adds the candidates that only the words of their agencies find; returns how many there are then. */
  private collectGained(plan: QueryPlan, filters: readonly Passes[], first: number): number {
    const { total, gains } = this.matches;
    let count = first;
    for (let at = 0; at < gains.count; at += 1) {
      const service = gains.touched[at] as number;
      if (total.values[service] !== 0 || !filters.every((passes) => passes?.(service) ?? true))
        continue;
      this.candidates[count] = service;
      this.isWholeAt[count] = 0;
      this.scores[count] = this.scoreOf(plan, service) + (gains.values[service] as number);
      count += 1;
    }
    return count;
  }

  /**
   * Empties the totals into `candidates` and `scores`; the number of candidates and the best score.
   */
  private collect(plan: QueryPlan, passes: Passes, isOfAgency: Passes): [number, number] {
    const { total, gains, wordsFound } = this.matches;
    const { candidates, isWholeAt, scores } = this;
    const { touched, values } = total;
    const leader = total.leader(passes);
    // No service that stays below this share of a known score is needed.
    const known = leader === undefined ? 0 : this.scoreOf(plan, leader);
    let [count, best] = [0, known];
    for (let at = 0; at < total.count; at += 1) {
      const service = touched[at] as number;
      const isWhole = (wordsFound[service] as number) >= plan.words.length && !plan.isRewritten;
      wordsFound[service] = 0;
      if (passes && !passes(service)) continue;
      const gain = gains.values[service] as number;
      const mostPoints = (values[service] as number) + popularBonus + gain;
      if (!isWhole && !plan.isRewritten && mostPoints < leastShare * known) continue;
      const score = this.scoreOf(plan, service);
      if (score > best) best = score;
      if (isOfAgency && !isOfAgency(service)) continue;
      candidates[count] = service;
      isWholeAt[count] = isWhole ? 1 : 0;
      scores[count] = score + gain;
      count += 1;
    }
    count = this.collectGained(plan, [passes, isOfAgency], count);
    total.clear();
    gains.clear();
    return [count, best];
  }

  /**
   * The scores of the services that remain, best first; the rest of a division by the number of
   * services is the rank among equal ones. Those of `named` are all there and come first.
   */
  rank(
    plan: QueryPlan,
    language: Language,
    filter: ServiceFilter,
    named: NamesContaining,
  ): Float64Array {
    for (const concept of plan.concepts) this.isAsked[concept] = 1;
    const { agencyId, ...others } = filter;
    // An agency shows as many services as are counted for it: those of the best of all agencies.
    const [count, best] = this.collect(plan, this.filters(others), this.filters({ agencyId }));
    for (const concept of plan.concepts) this.isAsked[concept] = 0;
    const { candidates, isWholeAt, scores } = this;
    // Containment, score and tie in one number: numbers are sorted ten times as fast as objects.
    const ties = this.index.ties[language];
    const keyOf = (service: number, score: number) => {
      const behind = containment.letters - (named.kinds[service] as number);
      const points = behind * containmentPoints + Math.round((1000 - score) * 1000);
      return points * this.index.services.length + (ties[service] as number);
    };
    let length = 0;
    for (let at = 0; at < count; at += 1) {
      const service = candidates[at] as number;
      const score = scores[at] as number;
      // A name that begins with the text contains its words.
      const mayBeginSo = isWholeAt[at] === 1 || plan.isRewritten;
      const bonus = mayBeginSo ? this.bonusOf(plan, language, service) : 0;
      if (isWholeAt[at] === 0 && bonus === 0 && score < leastShare * best) continue;
      scores[length++] = keyOf(service, score + bonus);
      named.kinds[service] = containment.none;
    }
    const passes = this.filters(filter);
    for (const service of named.services)
      if (named.kinds[service] !== containment.none && (!passes || passes(service)))
        scores[length++] = keyOf(service, 0);
    return scores.slice(0, length).sort();
  }
}

/** How a search orders what it finds. */
interface SearchOptions {
  /** Names that contain the text come first, and are all there. */
  namesFirst?: boolean;
}

/** Opens the search of an index. Its memory is shared by all calls, which never wait. */
export function openServiceSearch(index: SearchIndex) {
  const size = index.services.length;
  const matches = new Matches(index);
  const ranking = new Ranking(index, matches);
  const named = new NamesContaining(index);
  const weightsOf = new Map(languages.map((language) => [language, fieldWeights(language)]));

  /**
   * Finds the services that match a query, best first. Partial matches count; a service that holds
   * all words is always found. Among equal matches popular services come first, then shorter names.
   */
  return (
    text: string,
    language: Language,
    filter: ServiceFilter = {},
    { namesFirst = false }: SearchOptions = {},
  ): SearchResult => {
    const plan = planQuery(index, text);
    const weights = weightsOf.get(language) as number[];
    for (const unit of plan.units) matches.add(plan, unit, weights);
    if (namesFirst) named.find(text, language);
    const sorted = ranking.rank(plan, language, filter, named);
    named.clear();
    const { [language]: serviceOfTie } = index.serviceOfTie;
    return {
      count: sorted.length,
      take: (first, count) =>
        Array.from(sorted.subarray(first, first + count), (key) => {
          const service = serviceOfTie[key % size] as number;
          return index.services[service] as CatalogueService;
        }),
      correction: sorted.length > 0 ? plan.correction : undefined,
    };
  };
}
export type ServiceSearch = ReturnType<typeof openServiceSearch>;

/**
 * A search whose index is built by `prepare`, in steps between which the process does other work, or
 * by the first search, which waits for it: with ten thousand services half a second.
 */
export function openLazySearch(
  services: readonly CatalogueService[],
  wordList: WordList,
): { search: ServiceSearch; prepare(): Promise<void> } {
  // Let go when the index is built: what they read it from is several times as large.
  let steps: ReturnType<typeof buildSearchIndexInSteps> | undefined = buildSearchIndexInSteps(
    services,
    wordList,
  );
  let built: ServiceSearch | undefined;
  const advance = () => {
    const step = steps?.next();
    if (step?.done) {
      built = openServiceSearch(step.value);
      steps = undefined;
    }
    return built;
  };
  return {
    search(...query) {
      while (!built) advance();
      return built(...query);
    },
    async prepare() {
      while (!built && !advance()) await endOfTurn();
    },
  };
}
