import type { Language } from '@diwan/contract/languages';
import type { Database } from '../../platform/database.ts';
import type { FrozenQuote } from '../../platform/database-types.ts';
import { normalizeText } from '../../platform/normalize-text.ts';
import { Refusal } from '../../platform/refusals.ts';
import type { CatalogueService } from './catalogue-records.ts';
import { buildSnapshot, type CatalogueSnapshot } from './catalogue-snapshot.ts';
import { readWanted, searchServices } from './service-search.ts';
import { markServiceDeleted, readCatalogue, readCatalogueVersion } from './services.store.ts';

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

/** The catalogue in memory. Every question is answered from one snapshot; `refresh` replaces it when the database holds a newer one. */
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
  agencies(accountTypeId?: number): Counted<CatalogueSnapshot['agencies'][number]>[];
  categories(accountTypeId?: number): Counted<CatalogueSnapshot['categories'][number]>[];
  accountTypes(): Counted<CatalogueSnapshot['accountTypes'][number]>[];
  refresh(): Promise<void>;
}

/** Suggestions at once. Source: specification §5. */
const mostSuggestions = 15;

function passes(service: CatalogueService, filter: ServiceFilter): boolean {
  return (filter.agencyId === undefined || service.agency.id === filter.agencyId)
    && (filter.categoryId === undefined || service.category.id === filter.categoryId)
    && (filter.accountTypeId === undefined || service.accountTypeIds.includes(filter.accountTypeId));
}

/** Reads the catalogue into memory. */
export async function openCatalogue(database: Database): Promise<Catalogue> {
  let snapshot = buildSnapshot(await readCatalogue(database));

  const findService = (serviceId: number) => snapshot.serviceById.get(serviceId);
  const found = (service: CatalogueService | undefined) => {
    if (!service) throw new Refusal('ServiceNotFound');
    return service;
  };
  const search = (text: string | undefined, language: Language, filter: ServiceFilter = {}) => {
    const wanted = readWanted(text);
    const services = wanted ? searchServices(snapshot.searchIndex, wanted, language) : snapshot.services;
    return services.filter((service) => passes(service, filter));
  };
  const count = <T>(items: readonly T[], belongs: (service: CatalogueService, item: T) => boolean, filter: ServiceFilter = {}): Counted<T>[] =>
    items.map((item) => ({ item, servicesCount: snapshot.services.filter((service) => passes(service, filter) && belongs(service, item)).length }));

  return {
    findService,
    getService: (serviceId) => found(findService(serviceId)),
    getServiceByName: (name) => found(snapshot.serviceByName.get(normalizeText(name))),
    search,
    suggest: (text, language, filter) => (readWanted(text) ? search(text, language, filter).slice(0, mostSuggestions) : []),
    popular: (filter = {}) => snapshot.services.filter((service) => service.popularRank !== null && passes(service, filter)).slice(0, mostSuggestions),
    agencies: (accountTypeId) => count(snapshot.agencies, (service, agency) => service.agency.id === agency.id, { accountTypeId }),
    categories: (accountTypeId) => count(snapshot.categories, (service, category) => service.category.id === category.id, { accountTypeId }),
    accountTypes: () => count(snapshot.accountTypes, (service, accountType) => service.accountTypeIds.includes(accountType.id)),
    async refresh() {
      if ((await readCatalogueVersion(database)) === snapshot.version) return;
      const newer = buildSnapshot(await readCatalogue(database));
      // Two refreshes at once may end in the other order.
      if (newer.version > snapshot.version) snapshot = newer;
    },
  };
}

/** Asks again and again whether another process has changed the catalogue; a database that does not answer leaves it as it is. Returns how to stop. */
export function keepFresh(catalogue: Catalogue, onError: (error: unknown) => void, everyMs = 5000): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const wait = () => {
    if (!isStopped) timer = setTimeout(() => void catalogue.refresh().catch((error) => isStopped || onError(error)).finally(wait), everyMs).unref();
  };
  wait();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/** What a service costs now, to be frozen with a request. In fils, titles in every language. */
export function quoteOf(service: CatalogueService): FrozenQuote {
  return service.quote;
}

/** Takes a service out of the catalogue: at once here, within seconds in other processes. Throws ServiceNotFound. */
export async function deleteService(database: Database, catalogue: Catalogue, serviceId: number): Promise<void> {
  if (!(await markServiceDeleted(database, serviceId))) throw new Refusal('ServiceNotFound');
  await catalogue.refresh();
}
