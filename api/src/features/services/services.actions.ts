import { defaultLanguage, type Language } from '@diwan/contract/wire/languages';
import type { Database } from '../../platform/database/database.ts';
import type { FrozenQuote } from '../../platform/database/database-types.ts';
import { normalizeText } from '../../platform/core/normalize-text.ts';
import { Refusal } from '../../platform/core/refusals.ts';
import type { CatalogueService } from './catalogue-records.ts';
import { buildSnapshot, type CatalogueSnapshot } from './catalogue-snapshot.ts';
import { readWanted, searchServices } from './search/service-search.ts';
import {
  markServiceDeleted,
  readCatalogue,
  readCatalogueVersion,
  type CatalogueRows,
} from './services.store.ts';

export type { CatalogueService } from './catalogue-records.ts';

/** What narrows a list of services; what is left out does not. */
export interface ServiceFilter {
  agencyId?: number | undefined;
  categoryId?: number | undefined;
  accountTypeId?: number | undefined;
}

/** Something of the catalogue with the number of services that belong to it. */
export interface Counted<T> {
  item: T;
  servicesCount: number;
}

/**
 * The catalogue in memory. Every question is answered from one snapshot; `refresh` replaces it when
 * the database holds a newer one.
 */
export interface Catalogue {
  findService(serviceId: number): CatalogueService | undefined;
  /** Throws ServiceNotFound. */
  getService(serviceId: number): CatalogueService;
  /** By its name in addresses, else by its name in any language. Throws ServiceNotFound. */
  getServiceByName(name: string): CatalogueService;
  /** Best match first; a blank text finds all. */
  search(text: string | undefined, language: Language, filter?: ServiceFilter): CatalogueService[];
  /** For a text that is being typed; a blank one gives nothing. */
  suggest(text: string | undefined, language: Language, filter?: ServiceFilter): CatalogueService[];
  /** The services marked as popular, most popular first. */
  popular(filter?: ServiceFilter): CatalogueService[];
  /** Counted within a text and a filter, when these are given. */
  agencies(filter?: ServiceFilter, text?: string): Counted<CatalogueSnapshot['agencies'][number]>[];
  /**
   * A few others that a person may want next: of the same agency and category, then of the
   * category, then of the agency; popular ones first.
   */
  related(service: CatalogueService): CatalogueService[];
  categories(accountTypeId?: number): Counted<CatalogueSnapshot['categories'][number]>[];
  /** Changes with every change of the catalogue. */
  version(): number;
  accountTypes(): Counted<CatalogueSnapshot['accountTypes'][number]>[];
  refresh(): Promise<void>;
}

/** Suggestions at once. Source: specification §5. */
const mostSuggestions = 15;
const mostRelated = 4;

function passes(service: CatalogueService, filter: ServiceFilter): boolean {
  return (
    (filter.agencyId === undefined || service.agency.id === filter.agencyId) &&
    (filter.categoryId === undefined || service.category.id === filter.categoryId) &&
    (filter.accountTypeId === undefined || service.accountTypeIds.includes(filter.accountTypeId))
  );
}

/** Where the catalogue is kept, and the number that changes with it. */
export interface CatalogueSource {
  read(): Promise<CatalogueRows>;
  readVersion(): Promise<number>;
}

/** Reads the catalogue into memory. */
export function openCatalogue(database: Database): Promise<Catalogue> {
  return openCatalogueFrom({
    read: () => readCatalogue(database),
    readVersion: () => readCatalogueVersion(database),
  });
}

export async function openCatalogueFrom(source: CatalogueSource): Promise<Catalogue> {
  let snapshot = buildSnapshot(await source.read());

  const findService = (serviceId: number) => snapshot.serviceById.get(serviceId);
  const found = (service: CatalogueService | undefined) => {
    if (!service) throw new Refusal('ServiceNotFound');
    return service;
  };
  const search = (text: string | undefined, language: Language, filter: ServiceFilter = {}) => {
    const wanted = readWanted(text);
    const services = wanted
      ? searchServices(snapshot.searchIndex, wanted, language)
      : snapshot.services;
    return services.filter((service) => passes(service, filter));
  };
  const count = <T extends { id: number }>(
    items: readonly T[],
    idsOf: (service: CatalogueService) => readonly number[],
    services: readonly CatalogueService[] = snapshot.services,
  ): Counted<T>[] => {
    const counts = new Map<number, number>();
    for (const service of services)
      for (const id of idsOf(service)) counts.set(id, (counts.get(id) ?? 0) + 1);
    return items.map((item) => ({ item, servicesCount: counts.get(item.id) ?? 0 }));
  };
  const nearness = (one: CatalogueService, other: CatalogueService) =>
    (one.category.id === other.category.id ? 2 : 0) + (one.agency.id === other.agency.id ? 1 : 0);

  return {
    findService,
    getService: (serviceId) => found(findService(serviceId)),
    getServiceByName: (name) => found(snapshot.serviceByName.get(normalizeText(name))),
    search,
    suggest: (text, language, filter) =>
      readWanted(text) ? search(text, language, filter).slice(0, mostSuggestions) : [],
    popular: (filter = {}) =>
      snapshot.services
        .filter((service) => service.popularRank !== null && passes(service, filter))
        .slice(0, mostSuggestions),
    agencies: (filter, text) =>
      count(
        snapshot.agencies,
        (service) => [service.agency.id],
        search(text, defaultLanguage, filter),
      ),
    related: (service) =>
      snapshot.services
        .filter(
          (other) =>
            other.id !== service.id &&
            nearness(service, other) > 0 &&
            other.accountTypeIds.some((id) => service.accountTypeIds.includes(id)),
        )
        .toSorted((a, b) => nearness(service, b) - nearness(service, a))
        .slice(0, mostRelated),
    categories: (accountTypeId) =>
      count(
        snapshot.categories,
        (service) => [service.category.id],
        search(undefined, defaultLanguage, { accountTypeId }),
      ),
    version: () => snapshot.version,
    accountTypes: () => count(snapshot.accountTypes, (service) => service.accountTypeIds),
    async refresh() {
      if ((await source.readVersion()) === snapshot.version) return;
      const newer = buildSnapshot(await source.read());
      // Two refreshes at once may end in the other order.
      if (newer.version > snapshot.version) snapshot = newer;
    },
  };
}

/** What a service costs now, to be frozen with a request. In fils, titles in every language. */
export function quoteOf(service: CatalogueService): FrozenQuote {
  return service.quote;
}

/**
 * Takes a service out of the catalogue: at once here, within seconds in other processes. Throws
 * ServiceNotFound.
 */
export async function deleteService(
  database: Database,
  catalogue: Catalogue,
  serviceId: number,
): Promise<void> {
  // A number that no service has may be one that the database cannot even hold.
  const { id } = catalogue.getService(serviceId);
  if (!(await markServiceDeleted(database, id))) throw new Refusal('ServiceNotFound');
  await catalogue.refresh();
}
