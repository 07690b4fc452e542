import fc from 'fast-check';
import { expect, test } from 'vitest';
import { languages, type Language } from '@diwan/contract/wire/languages';
import type { CatalogueService } from '../catalogue-records.ts';
import { passes, type ServiceFilter } from '../service-buckets.ts';
import * as matching from './matches.ts';
import { planQuery, type QueryPlan } from './query-plan.ts';
import { buildSearchIndex, fields } from './search-index.ts';
import { normalizeForSearch, stemOf } from './search-words.ts';
import * as search from './service-search.ts';
import { buildWordList, readWords, type WordList } from './word-list.ts';

const wordList = buildWordList(readWords());

/** The words of each field of a service; every function below reads all services for each query. */
function fieldsOf(service: CatalogueService): string[][] {
  const words = (...texts: string[]) =>
    texts.flatMap((text) => normalizeForSearch(text).split(' ')).filter(Boolean);
  return fields.map((field) => {
    if (field === 'replacedName') return words(service.replacedName);
    if (field === 'agency') return words(...Object.values(service.agency.name));
    if (field === 'description') return words(...Object.values(service.description));
    return words(service.name[field]);
  });
}

interface Catalogue {
  services: readonly CatalogueService[];
  words: ReadonlySet<string>;
  nameWords: ReadonlySet<string>;
}

function describeCatalogue(services: readonly CatalogueService[]): Catalogue {
  const all = services.map(fieldsOf);
  return {
    services,
    words: new Set(all.flat(2)),
    nameWords: new Set(all.flatMap((own) => own.slice(0, -1)).flat()),
  };
}

function matchOf(
  { words, nameWords }: Catalogue,
  plan: QueryPlan,
  asked: string,
  word: string,
): number {
  const all = [...words];
  const isKnown =
    words.has(asked) ||
    all.some((each) => stemOf(each) === stemOf(asked)) ||
    wordList.isKnown(asked);
  const qualities = [0];
  if (word === asked) qualities.push(matching.quality.word);
  if (stemOf(word) === stemOf(asked)) qualities.push(matching.quality.stem);
  if ((!isKnown || asked === plan.lastWord) && word.startsWith(asked))
    qualities.push(isKnown ? matching.beginningOfKnownWord : matching.quality.beginning);
  const isSought = plan.words.length === 1 || (!isKnown && !all.some((it) => it.startsWith(asked)));
  if (isSought && nameWords.has(word) && word.includes(asked))
    qualities.push(matching.quality.part);
  return Math.max(...qualities);
}

function conceptsOf(service: CatalogueService, list: WordList) {
  const read = (text: string) => {
    const words = normalizeForSearch(text)
      .split(' ')
      .filter((word) => word !== '' && !list.isIgnored(word));
    return list.conceptsIn(words.map((word) => list.keyOf(word)));
  };
  const kindOf = (concept: number) => list.concepts[concept]?.kind ?? 'thing';
  const names = Object.values(service.name).map(read);
  const named = new Set([
    ...names.flatMap(({ longest }) => longest),
    ...Object.values(service.agency.name)
      .flatMap((name) => read(name).all)
      .filter((concept) => ['place', 'agency'].includes(kindOf(concept))),
  ]);
  const mentions = names.flatMap(({ all }) => all);
  const isTwice = (concept: number) => mentions.filter((each) => each === concept).length > 1;
  const within = new Set(mentions.filter((each) => isTwice(each) && !named.has(each)));
  const described = new Set(
    Object.values(service.description)
      .flatMap((text) => read(text).longest)
      .filter((each) => kindOf(each) === 'thing' && !named.has(each) && !within.has(each)),
  );
  return { named, within, described, kindOf };
}

function penaltyOf(service: CatalogueService, plan: QueryPlan): number {
  const { named, kindOf } = conceptsOf(service, wordList);
  const asked = [...named].filter((concept) => plan.concepts.has(concept)).map(kindOf);
  const other = [...named].filter((concept) => !plan.concepts.has(concept));
  const isUnusual = (each: number) => kindOf(each) === 'action' && each !== wordList.usualAction;
  const otherKinds = other.map(kindOf);
  let penalty = 0;
  for (const kind of otherKinds) penalty += search.penalties.unasked[kind];
  if (!plan.hasAction && other.some(isUnusual)) penalty += search.penalties.unusualAction;
  if (plan.hasAction && !asked.includes('action') && otherKinds.includes('action'))
    penalty += search.penalties.otherAction;
  if (plan.hasPlace && !asked.includes('place') && otherKinds.includes('place'))
    penalty += search.penalties.otherPlace;
  return penalty;
}

function bonusOf(service: CatalogueService, plan: QueryPlan, language: Language): number {
  const bonuses = languages.map((each) => {
    const name = normalizeForSearch(service.name[each]);
    const share = each === language ? 1 : 0.85;
    if (name === plan.phrase) return share * search.phraseBonus.equal;
    if (name.startsWith(plan.phrase)) return share * search.phraseBonus.beginning;
    return 0;
  });
  return Math.max(...bonuses);
}

/** Scores each service by reading all of its texts. */
function searchSlowly(
  catalogue: Catalogue,
  plan: QueryPlan,
  language: Language,
  filter: ServiceFilter,
): string[] {
  const weights = matching.fieldWeights(language);
  const { agencyId, ...others } = filter;
  const scored = catalogue.services
    .filter((service) => passes(service, others))
    .map((service) => {
      const texts = fieldsOf(service);
      const concepts = conceptsOf(service, wordList);
      const found = new Set<string>();
      let sum = 0;
      for (const unit of plan.units) {
        let byWords = 0;
        for (const { text, weight } of unit.words) {
          const best = Math.max(
            ...texts.map((words, field) =>
              Math.max(
                0,
                ...words.map(
                  (word) =>
                    weight * matchOf(catalogue, plan, text, word) * (weights[field] as number),
                ),
              ),
            ),
          );
          if (best > 0) found.add(text);
          byWords += best;
        }
        const byConcepts = unit.concepts.map(({ concept, share }) => {
          let quality = 0;
          if (concepts.named.has(concept)) quality = matching.conceptQuality.name;
          else if (concepts.within.has(concept)) quality = matching.conceptQuality.withinPhrase;
          else if (concepts.described.has(concept)) quality = matching.conceptQuality.description;
          return unit.weight * quality * share;
        });
        sum += Math.max(byWords, ...byConcepts);
      }
      const gain = service.popularRank === null ? 0 : search.popularBonus;
      return {
        service,
        sum,
        score: sum + gain - penaltyOf(service, plan),
        isWhole: found.size >= plan.words.length && !plan.isRewritten,
      };
    })
    .filter(({ sum }) => sum > 0);
  const best = Math.max(0, ...scored.map(({ score }) => score));
  const rank = ({ popularRank }: CatalogueService) => popularRank ?? 1e9;
  const lengthOf = (service: CatalogueService) => normalizeForSearch(service.name[language]).length;
  return scored
    .filter(({ service }) => passes(service, { agencyId }))
    .map((each) => {
      const mayHold = each.isWhole || plan.isRewritten;
      return { ...each, bonus: mayHold ? bonusOf(each.service, plan, language) : 0 };
    })
    .filter(
      ({ isWhole, bonus, score }) => isWhole || bonus > 0 || score >= search.leastShare * best,
    )
    .map((each) => ({ ...each, points: Math.round((1000 - each.score - each.bonus) * 1000) }))
    .sort(
      (a, b) =>
        a.points - b.points ||
        rank(a.service) - rank(b.service) ||
        lengthOf(a.service) - lengthOf(b.service) ||
        a.service.id - b.service.id,
    )
    .map(({ service }) => service.replacedName);
}

const vocabulary = (
  'renew renewal issue trade licence licences vehicle card car permit permits unpermitted visa wife ' +
  'golden dubai sharjah fine parking passport lost meals of for شهادة تجديد رخصة الرخص سيارة مركبة دبي ' +
  'إقامة الإقامة زوجتي جواز گاڑی تجدید لائسنس اقامہ بیوی کا دبئی'
).split(' ');
const text = (maximum: number) =>
  fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: maximum });
const localized = (maximum: number) =>
  fc.tuple(text(maximum), text(maximum), text(maximum)).map(([arabic, english, urdu]) => ({
    'ar-EG': arabic.join(' '),
    'en-US': english.join(' '),
    'ur-PK': urdu.join(' '),
  }));
const agencies = [
  { 'ar-EG': 'شرطة دبي', 'en-US': 'Dubai Police', 'ur-PK': 'دبئی پولیس' },
  { 'ar-EG': 'بلدية الفجيرة', 'en-US': 'Fujairah Municipality', 'ur-PK': 'فجیرہ بلدیہ' },
];
const catalogues = fc
  .array(
    fc.record({
      name: localized(4),
      description: localized(5),
      agency: fc.constantFrom(0, 1),
      popularRank: fc.constantFrom(null, null, 1, 2),
      category: fc.constantFrom(1, 2),
      accountTypeIds: fc.subarray([1, 2, 3]),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((list) =>
    list.map(
      (each, index) =>
        ({
          ...each,
          id: index + 1,
          replacedName: `service-${index + 1}`,
          agency: { id: each.agency + 1, name: agencies[each.agency] },
          category: { id: each.category },
        }) as unknown as CatalogueService,
    ),
  );
// Whole words, beginnings, parts and misspellings.
const queries = fc
  .array(
    fc.tuple(fc.constantFrom(...vocabulary), fc.nat(9), fc.nat(3)).map(([word, at, kind]) => {
      if (kind === 1) return word.slice(0, 1 + at);
      if (kind === 2) return word.slice(at % word.length);
      return kind === 3 ? word.slice(0, at) + word.slice(at + 1) : word;
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((words) => words.join(' '));
const filters = fc.record({
  agencyId: fc.constantFrom(undefined, undefined, 1, 2, 9),
  categoryId: fc.constantFrom(undefined, undefined, 1),
  accountTypeId: fc.constantFrom(undefined, undefined, 2),
});

test('postings find and order what reading every text of every service does', () => {
  fc.assert(
    fc.property(
      catalogues,
      fc.array(fc.tuple(queries, fc.constantFrom(...languages), filters), { maxLength: 6 }),
      (services, asked) => {
        const index = buildSearchIndex(services, wordList);
        const find = search.openServiceSearch(index);
        const catalogue = describeCatalogue(services);
        for (const [query, language, filter] of asked)
          expect([
            query,
            ...find(query, language, filter)
              .take(0, 99)
              .map((each) => each.replacedName),
          ]).toEqual([
            query,
            ...searchSlowly(catalogue, planQuery(index, query), language, filter),
          ]);
      },
    ),
    { numRuns: 60, seed: 7 },
  );
});
