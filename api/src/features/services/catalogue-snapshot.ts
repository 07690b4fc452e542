import { normalizeText } from '../../platform/core/normalize-text.ts';
import type {
  CatalogueAccountType,
  CatalogueAgency,
  CatalogueCategory,
  CatalogueService,
} from './catalogue-records.ts';
import { quoteFees } from './quote.ts';
import { buildSearchIndex, type SearchIndex } from './search/search-index.ts';
import { readSynonyms } from './search/search-words.ts';
import type { CatalogueRows } from './services.store.ts';

/**
 * The whole catalogue as it was at one version; never changed, only replaced. Services come popular
 * ones first, then by id.
 */
export interface CatalogueSnapshot {
  version: number;
  accountTypes: readonly CatalogueAccountType[];
  agencies: readonly CatalogueAgency[];
  categories: readonly CatalogueCategory[];
  services: readonly CatalogueService[];
  serviceById: ReadonlyMap<number, CatalogueService>;
  serviceByName: ReadonlyMap<string, CatalogueService>;
  searchIndex: SearchIndex;
}

// Names in addresses win over names. Two services of one name: the older one.
function byName(services: readonly CatalogueService[]): Map<string, CatalogueService> {
  const older = services.toSorted((a, b) => a.id - b.id);
  const pairs = [
    ...older.map((service) => [normalizeText(service.replacedName), service] as const),
    ...older.flatMap((service) =>
      Object.values(service.name).map((name) => [normalizeText(name), service] as const),
    ),
  ];
  const map = new Map<string, CatalogueService>();
  for (const [name, service] of pairs) if (!map.has(name)) map.set(name, service);
  return map;
}

const rankOf = (service: CatalogueService) => service.popularRank ?? Number.POSITIVE_INFINITY;

function byPopularity(a: CatalogueService, b: CatalogueService): number {
  return rankOf(a) === rankOf(b) ? a.id - b.id : rankOf(a) - rankOf(b);
}

// The foreign keys see to it that this never throws.
function partOf<T>(parts: ReadonlyMap<number, T>, id: number): T {
  const part = parts.get(id);
  if (part === undefined) throw new Error(`The catalogue lacks row ${id}`);
  return part;
}

/** Puts rows together and does once what every search would repeat. */
export function buildSnapshot(rows: CatalogueRows): CatalogueSnapshot {
  const agencyById = new Map(rows.agencies.map((agency) => [agency.id, agency]));
  const categoryById = new Map(rows.categories.map((category) => [category.id, category]));
  const accountTypesOf = new Map<number, number[]>(rows.services.map((row) => [row.id, []]));
  for (const row of rows.serviceAccountTypes)
    accountTypesOf.get(row.service_id)?.push(row.account_type_id);
  const services = rows.services
    .map((row): CatalogueService => ({
      id: row.id,
      replacedName: row.replaced_name,
      name: row.name,
      description: row.description,
      agency: partOf(agencyById, row.agency_id),
      category: partOf(categoryById, row.category_id),
      accountTypeIds: accountTypesOf.get(row.id) ?? [],
      partnerId: row.partner_id,
      form: row.form,
      attachments: row.attachments,
      fees: row.fees,
      quote: quoteFees(row.fees),
      workingDays: row.working_days,
      terms: row.terms,
      steps: row.steps,
      result: row.result,
      popularRank: row.popular_rank,
      eligibility: row.eligibility,
      oursIn: row.ours_in,
    }))
    .sort(byPopularity);
  const synonyms = readSynonyms(rows.synonyms.map(({ words }) => words));
  return {
    version: rows.version,
    accountTypes: rows.accountTypes,
    agencies: rows.agencies,
    categories: rows.categories,
    services,
    serviceById: new Map(services.map((service) => [service.id, service])),
    serviceByName: byName(services),
    searchIndex: buildSearchIndex(services, synonyms),
  };
}
