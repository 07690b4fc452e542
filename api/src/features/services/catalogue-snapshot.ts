import { setImmediate as nextTurn } from 'node:timers/promises';
import { normalizeText } from '#platform/core/normalize-text.ts';
import { countPassedMoments } from '#platform/core/passed-moments.ts';
import type { EligibilityRule } from '@diwan/contract/catalogue/eligibility';
import { type FeeRule, type WithdrawalRule, quoteFees } from '@diwan/contract/catalogue/fees';
import type {
  CatalogueAccountType,
  CatalogueAgency,
  CatalogueCategory,
  CatalogueService,
} from './catalogue-records.ts';
import { openLazySearch, type ServiceSearch } from './search/service-search.ts';
import { buildWordList, type SynonymWords, type WordList } from './search/word-list.ts';
import { openServiceBuckets, type ServiceFilter } from './service-buckets.ts';
import type { CatalogueRows } from './services.store.ts';

/**
 * The whole catalogue at one version; it is never changed, only replaced. Popular services come
 * first, then all by id.
 */
export interface CatalogueSnapshot {
  version: number;
  accountTypes: readonly CatalogueAccountType[];
  agencies: readonly CatalogueAgency[];
  categories: readonly CatalogueCategory[];
  services: readonly CatalogueService[];
  serviceById: ReadonlyMap<number, CatalogueService>;
  findByName: (name: string) => CatalogueService | undefined;
  /** How many times of closures have passed. */
  passedTimes: () => number;
  /** The services that fit filters. */
  select: (filter: ServiceFilter) => readonly CatalogueService[];
  search: ServiceSearch;
  /** Whether `search` still finds the services of an older snapshot. */
  isSearchOlder: boolean;
  /** Builds the index of the search, while other work continues. */
  prepareSearch(): Promise<void>;
}

/**
 * Finds services by name. Names in addresses take precedence; of two services with one name, the
 * older one is found. The map of all names is made when it is needed first: it takes a third of a
 * second for 25,000 services, and most processes never need it.
 */
function openNames(services: readonly CatalogueService[]) {
  const newestFirst = services.toSorted((a, b) => b.id - a.id);
  const mapNames = (namesOf: (service: CatalogueService) => readonly string[]) =>
    new Map(
      newestFirst.flatMap((service) =>
        namesOf(service).map((name) => [normalizeText(name), service] as const),
      ),
    );
  const byAddress = mapNames(({ replacedName }) => [replacedName]);
  let byAnyName: typeof byAddress | undefined;
  return (name: string): CatalogueService | undefined => {
    const key = normalizeText(name);
    return (
      byAddress.get(key) ?? (byAnyName ??= mapNames((each) => Object.values(each.name))).get(key)
    );
  };
}

const rankOf = (service: CatalogueService) => service.popularRank ?? Number.POSITIVE_INFINITY;

function byPopularity(a: CatalogueService, b: CatalogueService): number {
  return rankOf(a) === rankOf(b) ? a.id - b.id : rankOf(a) - rankOf(b);
}

let lastList: { words: string; synonyms: string; list: WordList } | undefined;

// Most changes of the catalogue change no synonyms.
function keepWordList(words: string, groups: readonly SynonymWords[]): WordList {
  const synonyms = JSON.stringify(groups);
  if (lastList?.words !== words || lastList.synonyms !== synonyms)
    lastList = { words, synonyms, list: buildWordList(words, groups) };
  return lastList.list;
}

const isInUse = ({ retired_at: retired }: { retired_at: Date | null }) => retired === null;

// Foreign keys guarantee that the row exists.
function getRow<T>(parts: ReadonlyMap<number, T>, id: number): T {
  const part = parts.get(id);
  if (part === undefined) throw new Error(`The catalogue lacks row ${id}`);
  return part;
}

/**
 * Reads texts; equal ones share one value. Most services have the fees, the conditions and the account
 * types of many others.
 */
function openSharedReader<Value>(read: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const value = read(text);
    known.set(text, value);
    return value;
  };
}

// So many services are combined within 10 ms.
const servicesAtOnce = 500;

/** Combines the rows, while other work continues. */
export async function buildSnapshot(
  rows: CatalogueRows,
  words: string,
): Promise<CatalogueSnapshot> {
  const agencyById = new Map(rows.agencies.map((agency) => [agency.id, agency]));
  const categoryById = new Map(rows.categories.map((category) => [category.id, category]));
  const accountTypesOf = new Map<number, number[]>(rows.services.map((row) => [row.id, []]));
  for (const row of rows.serviceAccountTypes)
    accountTypesOf.get(row.service_id)?.push(row.account_type_id);
  const closures = new Map(
    rows.closures.map(({ service_id: id, reason, closed_from: from, closed_until: until }) => [
      id,
      { reason, from, until },
    ]),
  );
  const readFees = openSharedReader((text) => JSON.parse(text) as FeeRule[]);
  const quote = openSharedReader((text) => quoteFees(readFees(text)));
  const readEligibility = openSharedReader((text) => JSON.parse(text) as EligibilityRule[]);
  const readIds = openSharedReader((text) => JSON.parse(text) as number[]);
  const readLanguages = openSharedReader((text) => JSON.parse(text) as string[]);
  const readRule = openSharedReader((text) => JSON.parse(text) as WithdrawalRule);
  const toService = (row: CatalogueRows['services'][number]): CatalogueService => ({
    id: row.id,
    replacedName: row.replaced_name,
    name: row.name,
    description: row.description,
    agency: getRow(agencyById, row.agency_id),
    category: getRow(categoryById, row.category_id),
    accountTypeIds: readIds(JSON.stringify(accountTypesOf.get(row.id) ?? [])),
    partnerId: row.partner_id,
    attachmentsCount: row.attachments_count,
    fees: readFees(row.fees),
    quote: quote(row.fees),
    availableFrom: row.available_from,
    availableUntil: row.available_until,
    workingDays: row.working_days,
    withdrawal: readRule(JSON.stringify(row.withdrawal)),
    objectionDays: row.objection_days,
    popularRank: row.popular_rank,
    eligibility: readEligibility(row.eligibility),
    unofficialTextLanguages: readLanguages(JSON.stringify(row.ours_in)),
    closure: closures.get(row.id),
  });
  const services: CatalogueService[] = [];
  for (let first = 0; first < rows.services.length; first += servicesAtOnce) {
    services.push(...rows.services.slice(first, first + servicesAtOnce).map(toService));
    if (first + servicesAtOnce < rows.services.length) await nextTurn();
  }
  services.sort(byPopularity);
  const wordList = keepWordList(words, rows.synonyms);
  const { search, prepare } = openLazySearch(services, wordList);
  return {
    version: rows.version,
    accountTypes: rows.accountTypes,
    agencies: rows.agencies.filter(isInUse),
    categories: rows.categories.filter(isInUse),
    services,
    serviceById: new Map(services.map((service) => [service.id, service])),
    findByName: openNames(services),
    passedTimes: countPassedMoments(
      [...closures.values()].flatMap(({ from, until }) => [from, until]),
    ),
    select: openServiceBuckets(services),
    search,
    isSearchOlder: false,
    prepareSearch: prepare,
  };
}
