import { LRUCache } from 'lru-cache';
import { recordChange, type ChangeAuthor } from '#platform/auth/changes.ts';
import { Refusal } from '#platform/core/refusals.ts';
import { afterCall, runOutsideCall } from '#platform/database/calls/call-connection.ts';
import type { Database } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import {
  evidenceRules,
  quoteFees,
  type FeeAnswers,
  type FeeApplicant,
  type LocalizedQuote,
} from '@diwan/contract/catalogue/fees';
import { availabilityOn } from '@diwan/contract/catalogue/service-document';
import { defaultLanguage, type Language } from '@diwan/contract/wire/languages';
import type {
  CatalogueAccountType,
  CatalogueAgency,
  CatalogueCategory,
  CatalogueClosure,
  CatalogueService,
  ServiceDetails,
} from './catalogue-records.ts';
import { buildSnapshot, type CatalogueSnapshot } from './catalogue-snapshot.ts';
import { isBlank } from './search/query-plan.ts';
import { openLazySearch, type SearchResult } from './search/service-search.ts';
import { buildWordList, readWords, type SynonymWords } from './search/word-list.ts';
import type { ServiceFilter } from './service-buckets.ts';
import {
  markServiceDeleted,
  readCatalogue,
  readCatalogueVersion,
  readServiceDetails,
  type CatalogueRows,
} from './services.store.ts';

/** A record of the catalogue with the number of services that belong to it. */
export interface Counted<T> {
  item: T;
  servicesCount: number;
}

/**
 * The catalogue in memory. Each call reads one snapshot; `refresh` replaces it when the database
 * holds a newer version.
 */
export interface Catalogue {
  findService(serviceId: number): CatalogueService | undefined;
  /** Throws ServiceNotFound. */
  getService(serviceId: number): CatalogueService;
  /**
   * The form and the texts of a service, of the current version. Throws ServiceNotFound. A
   * transaction must not wait for it: it may need another connection.
   */
  getDetails(serviceId: number): Promise<ServiceDetails>;
  /** Finds by the name in addresses, else by the name in any language. Throws ServiceNotFound. */
  getServiceByName(name: string): CatalogueService;
  /** Why a service takes no new requests at a time; undefined while it is open. */
  findClosure(service: CatalogueService, at: Date): CatalogueClosure | undefined;
  /** All services that fit; popular ones first. */
  list(filter?: ServiceFilter): readonly CatalogueService[];
  /** Best match first; a blank text matches all services. */
  search(text: string | undefined, language: Language, filter?: ServiceFilter): SearchResult;
  /**
   * Suggestions while the user types: names that contain the text come first. A blank text has none.
   * Source: specification §5.
   */
  suggest(
    text: string | undefined,
    language: Language,
    filter?: ServiceFilter,
  ): readonly CatalogueService[];
  /** The services marked as popular, most popular first. */
  popular(filter?: ServiceFilter): CatalogueService[];
  /** Agencies with the number of their services that `search` finds. */
  agencies(filter?: ServiceFilter, text?: string, language?: Language): Counted<CatalogueAgency>[];
  /**
   * A few similar services: of the same agency and category, then of the category, then of the
   * agency; popular ones first.
   */
  related(service: CatalogueService): CatalogueService[];
  categories(accountTypeId?: number): Counted<CatalogueCategory>[];
  /**
   * Changes with every change of the catalogue, of what the search finds, and when a service closes or
   * opens by its times.
   */
  version(): number;
  accountTypes(): Counted<CatalogueAccountType>[];
  /** A search over the current services with other groups of synonyms, built between other calls. */
  openTrial(synonyms: readonly SynonymWords[]): Promise<Catalogue['search']>;
  /** Ends when the search finds the new services, which all other functions show before. */
  refresh(): Promise<void>;
}

/** Source: specification §5. */
const maximumSuggestions = 15;
const maximumRelated = 4;
// The services whose details stay in memory, about 30 kB each.
const maximumDetails = 300;

/** Where the catalogue is stored, and its version. */
interface CatalogueSource {
  read(): Promise<CatalogueRows>;
  readVersion(): Promise<number>;
  readDetails(serviceId: number, version: number): Promise<ServiceDetails | undefined>;
}

/** Reads the catalogue into memory. */
export function openCatalogue(database: Database): Promise<Catalogue> {
  return openCatalogueFrom({
    read: () => readCatalogue(database),
    readVersion: () => readCatalogueVersion(database),
    readDetails: (serviceId, version) => readServiceDetails(database, serviceId, version),
  });
}

/** The snapshot of the catalogue, which newer ones replace. */
interface CurrentSnapshot {
  current(): CatalogueSnapshot;
  /** Ends when the search finds the services of the newest version. */
  refresh(): Promise<void>;
}

async function openSnapshots(source: CatalogueSource, words: string): Promise<CurrentSnapshot> {
  let snapshot = await buildSnapshot(await source.read(), words);

  async function replaceSnapshot(): Promise<void> {
    const newer = await buildSnapshot(await source.read(), words);
    // The index takes a second while many calls come: the older one answers until then.
    snapshot = {
      ...newer,
      search: snapshot.search,
      isSearchOlder: true,
      prepareSearch: async () => {
        await newer.prepareSearch();
        if (snapshot.version === newer.version) snapshot = newer;
      },
    };
  }

  // Those who wait for a newer version share one reading, and look again when it ends: it may have
  // begun before the change that they wait for.
  let replacing: Promise<void> | undefined;
  async function refresh(): Promise<void> {
    const wanted = await source.readVersion();
    while (snapshot.version < wanted)
      await (replacing ??= replaceSnapshot().finally(() => (replacing = undefined)));
    await snapshot.prepareSearch();
  }

  // A snapshot has what is committed.
  return { current: () => snapshot, refresh: () => runOutsideCall(refresh) };
}

/** Reads the details of services of the current version and keeps those of some. */
function openDetails(
  source: CatalogueSource,
  { current, refresh }: CurrentSnapshot,
): Catalogue['getDetails'] {
  const details = new LRUCache<string, ServiceDetails, { serviceId: number; version: number }>({
    max: maximumDetails,
    fetchMethod: (_key, _old, { context }) =>
      source.readDetails(context.serviceId, context.version),
  });
  return async (serviceId) => {
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const snapshot = current();
      const { version } = snapshot;
      const { agency } = requireService(snapshot.serviceById.get(serviceId));
      const evidence = evidenceRules(agency.discounts);
      const context = { serviceId, version };
      const found = await details.fetch(`${version} ${serviceId}`, { context });
      if (found)
        return evidence.length === 0
          ? found
          : { ...found, attachments: [...found.attachments, ...evidence] };
      await refresh();
    }
    throw new Error('The catalogue changes while it is read');
  };
}

function requireService(service: CatalogueService | undefined): CatalogueService {
  if (!service) throw new Refusal('ServiceNotFound');
  return service;
}

/** Counts the services of each item. `filterFor`: the filter that only its services fit. */
const countServices = <T extends { id: number }>(
  snapshot: CatalogueSnapshot,
  items: readonly T[],
  filterFor: (id: number) => ServiceFilter,
): Counted<T>[] =>
  items.map((item) => ({ item, servicesCount: snapshot.select(filterFor(item.id)).length }));

function searchSnapshot(
  snapshot: CatalogueSnapshot,
  ...[text, language, filter = {}]: Parameters<Catalogue['search']>
): SearchResult {
  if (text !== undefined && !isBlank(text)) return snapshot.search(text, language, filter);
  const services = snapshot.select(filter);
  return {
    count: services.length,
    take: (first, count) => services.slice(first, first + count),
    correction: undefined,
  };
}

function countAgencies(
  snapshot: CatalogueSnapshot,
  ...[filter = {}, text, language = defaultLanguage]: Parameters<Catalogue['agencies']>
): Counted<CatalogueAgency>[] {
  const counted = snapshot.agencies.filter(
    ({ id }) => filter.agencyId === undefined || filter.agencyId === id,
  );
  if (isBlank(text))
    return countServices(snapshot, counted, (agencyId) => ({ ...filter, agencyId }));
  const found = searchSnapshot(snapshot, text, language, filter);
  const counts = new Map<number, number>();
  for (const { agency } of found.take(0, found.count))
    counts.set(agency.id, (counts.get(agency.id) ?? 0) + 1);
  return snapshot.agencies.map((item) => ({ item, servicesCount: counts.get(item.id) ?? 0 }));
}

function findRelated(snapshot: CatalogueSnapshot, service: CatalogueService): CatalogueService[] {
  const [agencyId, categoryId] = [service.agency.id, service.category.id];
  const found = new Set<CatalogueService>();
  for (const filter of [{ agencyId, categoryId }, { categoryId }, { agencyId }])
    for (const other of snapshot.select(filter)) {
      if (found.size === maximumRelated) break;
      if (
        other.id !== service.id &&
        other.accountTypeIds.some((id) => service.accountTypeIds.includes(id))
      )
        found.add(other);
    }
  return [...found];
}

async function openCatalogueFrom(source: CatalogueSource): Promise<Catalogue> {
  const words = readWords();
  const snapshots = await openSnapshots(source, words);
  const { current, refresh } = snapshots;
  const findService = (serviceId: number) => current().serviceById.get(serviceId);
  const search: Catalogue['search'] = (...query) => searchSnapshot(current(), ...query);
  return {
    findService,
    getService: (serviceId) => requireService(findService(serviceId)),
    getDetails: openDetails(source, snapshots),
    getServiceByName: (name) => requireService(current().findByName(name)),
    list: (filter = {}) => current().select(filter),
    search,
    suggest: (text, language, filter) =>
      text === undefined || isBlank(text)
        ? []
        : current()
            .search(text, language, filter, { namesFirst: true })
            .take(0, maximumSuggestions),
    popular: (filter = {}) =>
      // Popular services come first.
      current()
        .select(filter)
        .slice(0, maximumSuggestions)
        .filter((service) => service.popularRank !== null),
    agencies: (...asked) => countAgencies(current(), ...asked),
    related: (service) => findRelated(current(), service),
    categories: (accountTypeId) =>
      countServices(current(), current().categories, (categoryId) => ({
        accountTypeId,
        categoryId,
      })),
    async openTrial(synonyms) {
      const trial = openLazySearch(current().services, buildWordList(words, synonyms));
      await trial.prepare();
      return (text = '', language, filter) => trial.search(text, language, filter);
    },
    findClosure: ({ closure }, at) =>
      closure && closure.from <= at && (closure.until === null || at < closure.until)
        ? closure
        : undefined,
    // A fraction: the version of the database stays the whole number.
    version: () => {
      const { version, passedTimes, isSearchOlder } = current();
      return version + passedTimes() / 65_536 + (isSearchOlder ? 0.5 : 0);
    },
    accountTypes: () =>
      countServices(current(), current().accountTypes, (accountTypeId) => ({ accountTypeId })),
    refresh,
  };
}

/**
 * The current fees of a service, as a new request with these answers stores them; without answers
 * only those that everybody pays. In fils, titles in all languages.
 */
export function quoteOf(
  service: CatalogueService,
  answers?: FeeAnswers,
  applicant?: FeeApplicant,
): LocalizedQuote {
  return answers ? quoteFees(service.fees, answers, applicant) : service.quote;
}

/** Throws ServiceNotAvailable on a day (in Asia/Dubai) on which no requests can be sent. */
export function refuseUnavailable(service: CatalogueService, today: string): void {
  if (availabilityOn(service, today) !== 'open') throw new Refusal('ServiceNotAvailable');
}

/**
 * Deletes a service from the catalogue: immediately in this process, within a second in others.
 * Throws ServiceNotFound.
 */
export async function deleteService(
  database: Database,
  catalogue: Catalogue,
  author: ChangeAuthor,
  serviceId: number,
): Promise<void> {
  // The number is checked first, because it may exceed the range of the database's integers.
  const { id, name } = catalogue.getService(serviceId);
  await inTransaction(database, async (transaction) => {
    if (!(await markServiceDeleted(transaction, id))) throw new Refusal('ServiceNotFound');
    await recordChange(transaction, author, {
      entity: 'service',
      entityId: id,
      name,
      action: 'retired',
      before: { isRetired: false },
      after: { isRetired: true },
    });
  });
  await afterCall(() => catalogue.refresh());
}
