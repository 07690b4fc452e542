import { listGroups } from '#features/services/groups/groups.actions.ts';
import type { Catalogue } from '#features/services/services.actions.ts';
import { coversAgency, coversRequest, isPortalStaff, type Caller } from '#platform/auth/caller.ts';
import { localize } from '#platform/core/localize.ts';
import { normalizeText } from '#platform/core/normalize-text.ts';
import type { Database } from '#platform/database/database.ts';
import type { getVisibleServices } from '@diwan/contract/requests/request-lists';
import type { QueryOf } from '@diwan/contract/wire/call';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import type { RequestsContext } from '../model/requests-context.ts';
import type { ServiceNames } from '../model/requests.store.ts';
import { visibleTo } from '../model/visibility.actions.ts';
import type { Keyword, ServiceSet } from './keyword-search.store.ts';
import {
  selectAgenciesOfProvider,
  selectAgencyNames,
  selectFormerServices,
  selectServiceNames,
  selectServicesOfProvider,
  selectUsedServices,
} from './request-lists.store.ts';
import { packPlaces, type Places } from './sorted-lists.store.ts';

type CatalogueService = ReturnType<Catalogue['getService']>;
interface Named {
  id: number;
  name: LocalizedText;
}
interface NamedAgency extends Named {
  logo: string;
}

/** What of a request names its service and its agency, which may be another one than the service's. */
interface NamedBy {
  service_id: number;
  agency_id: number;
}

/**
 * Names of one version of the catalogue. Those of its services are those of the catalogue itself.
 * Agencies include those that have no service by now.
 */
interface KnownNames {
  version: number;
  services: readonly CatalogueService[];
  deleted: readonly (Named & { agency_id: number })[];
  agencies: readonly NamedAgency[];
  find(request: NamedBy): ServiceNames | undefined;
  words: NameWords;
  /** The words of each agency's names, between line breaks. */
  agencyWords: ReadonlyMap<number, string>;
  /** What `orderByName` has made of these names. */
  places: Map<string, Places>;
}

/** What the names of services are read from. */
interface NamesContext {
  database: Database;
  catalogue: Pick<Catalogue, 'version' | 'list' | 'findService'>;
}

const namesByDatabase = new WeakMap<Database, Promise<KnownNames>>();

const wordsOf = (name: LocalizedText): string[] =>
  normalizeText(Object.values(name).join(' ')).split(' ');

/** Finds both names of a request; `undefined` where one of them is not known. */
function openFinder(
  findService: (id: number) => Named | undefined,
  agencies: readonly NamedAgency[],
): KnownNames['find'] {
  const agencyById = new Map(agencies.map((agency) => [agency.id, agency]));
  return ({ service_id: serviceId, agency_id: agencyId }) => {
    const [service, agency] = [findService(serviceId), agencyById.get(agencyId)];
    return (
      service &&
      agency && {
        service_name: service.name,
        agency_id: agencyId,
        agency_name: agency.name,
        agency_logo: agency.logo,
      }
    );
  };
}

/** The words of all names and the services of each, in a few texts and arrays. */
interface NameWords {
  /** All words, each between line breaks: one text is searched faster than many. */
  list: string;
  /** Where each word begins in `list`. */
  starts: Uint32Array;
  /** The services of word `n` are `ids` from `ends[n - 1]` to `ends[n]`. */
  ends: Uint32Array;
  ids: Uint32Array;
  /** The length of a set that holds every service, in bytes. */
  setLength: number;
}

function indexWords(services: readonly Named[]): NameWords {
  const words = new Map<string, number[]>();
  let last = 0;
  for (const { id, name } of services) {
    if (id > last) last = id;
    for (const word of new Set(wordsOf(name))) {
      const known = words.get(word);
      if (known) known.push(id);
      else words.set(word, [id]);
    }
  }
  let [start, end] = [1, 0];
  const starts = Uint32Array.from(words.keys(), (word) => {
    const own = start;
    start += word.length + 1;
    return own;
  });
  const ends = Uint32Array.from(words.values(), (ids) => (end += ids.length));
  const ids = Uint32Array.from([...words.values()].flat());
  const list = `\n${[...words.keys()].join('\n')}\n`;
  return { list, starts, ends, ids, setLength: (last >> 3) + 1 };
}

async function readNames(
  { database, catalogue }: NamesContext,
  version: number,
): Promise<KnownNames> {
  const services = catalogue.list();
  const [deleted, agencies] = await Promise.all([
    selectServiceNames(database),
    selectAgencyNames(database),
  ]);
  const deletedById = new Map(deleted.map((service) => [service.id, service]));
  return {
    version,
    services,
    deleted,
    agencies,
    find: openFinder((id) => catalogue.findService(id) ?? deletedById.get(id), agencies),
    words: indexWords([...services, ...deleted]),
    agencyWords: new Map(agencies.map(({ id, name }) => [id, wordsOf(name).join('\n')])),
    places: new Map(),
  };
}

// The names are read again when the version of the catalogue in the database has changed. They include
// deleted services, whose requests are found too.
async function loadNames(context: NamesContext): Promise<KnownNames> {
  const version = Math.floor(context.catalogue.version());
  const known = namesByDatabase.get(context.database);
  if (known && (await known.catch(() => undefined))?.version === version) return known;
  const read = readNames(context, version);
  namesByDatabase.set(context.database, read);
  return read;
}

/** Finds the names of services and agencies, which include all that these requests refer to. */
export async function readServiceNames(
  { database, ...context }: NamesContext,
  rows: readonly NamedBy[],
): Promise<KnownNames['find']> {
  const { find } = await loadNames({ database, ...context });
  // Another process may have just created or deleted a service, or created an agency.
  const missing = rows.filter((row) => !find(row)).map((row) => row.service_id);
  if (missing.length === 0) return find;
  const others = await selectServiceNames(database, missing);
  const findOther = openFinder(
    (serviceId) => others.find(({ id }) => id === serviceId),
    await selectAgencyNames(database),
  );
  return (row) => find(row) ?? findOther(row);
}

/**
 * The places of all services, or of all agencies, in the order of their names in a language. Those
 * with the same name have the same place.
 */
export async function orderByName(
  context: NamesContext,
  of: 'service' | 'agency',
  language: Language,
): Promise<Places> {
  const { services, deleted, agencies, places } = await loadNames(context);
  const known = places.get(`${of} ${language}`);
  if (known) return known;
  const named: readonly Named[] = of === 'agency' ? agencies : [...services, ...deleted];
  const made = packPlaces(placesOf(named, language));
  places.set(`${of} ${language}`, made);
  return made;
}

function placesOf(named: readonly Named[], language: Language): ReadonlyMap<number, number> {
  const { compare } = new Intl.Collator(language);
  const names = named.map(({ id, name }) => ({ id, name: name[language] }));
  let place = 0;
  return new Map(
    names
      .toSorted((one, other) => compare(one.name, other.name))
      .map(({ id, name }, index, sorted) => {
        if (index > 0 && compare(sorted[index - 1]?.name ?? '', name) !== 0) place += 1;
        return [id, place];
      }),
  );
}

const maximumKeywords = 8;

// The number of the word at a position of the list.
function wordAt({ starts }: NameWords, position: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] as number) <= position) low = middle;
    else high = middle;
  }
  return low;
}

function findServices(words: NameWords, text: string): ServiceSet | undefined {
  let found: ServiceSet | undefined;
  for (let at = words.list.indexOf(text); at >= 0;) {
    const word = wordAt(words, at);
    found ??= Buffer.alloc(words.setLength);
    for (const id of words.ids.subarray(words.ends[word - 1] ?? 0, words.ends[word]))
      found[id >> 3] = (found[id >> 3] ?? 0) | (1 << (id & 7));
    at = words.list.indexOf(text, words.starts[word + 1] ?? words.list.length);
  }
  return found;
}

/** The words of a search, each with the services and the agencies in whose names it occurs. */
export async function findKeywords(context: NamesContext, search: string): Promise<Keyword[]> {
  const texts = normalizeText(search)
    .split(' ')
    .filter((text) => text !== '')
    .slice(0, maximumKeywords);
  if (texts.length === 0) return [];
  const { words, agencyWords } = await loadNames(context);
  return texts.map((text) => {
    const services = findServices(words, text);
    const agencies = [...agencyWords].flatMap(([id, list]) => (list.includes(text) ? [id] : []));
    return {
      text,
      ...(services ? { services } : {}),
      ...(agencies.length > 0 ? { agencies } : {}),
    };
  });
}

/** What the choices of filters are read from. */
type ChoicesContext = Pick<RequestsContext, 'database' | 'catalogue'>;
interface Choice {
  id: number;
  name: string;
}

const mostServices = 15;

/** The agencies by which a caller can filter requests, payments and figures, retired ones included. */
export async function listVisibleAgencies(
  context: ChoicesContext,
  caller: Caller,
  language: Language,
): Promise<Choice[]> {
  const { database } = context;
  const scope = isPortalStaff(caller)
    ? caller.scope
    : await selectAgenciesOfProvider(database, caller.partnerId ?? 0);
  return (await listGroups(database, 'agencies'))
    .filter(({ id }) => coversAgency({ scope }, id))
    .map(({ id, name }) => ({ id, name: localize(name, language) }));
}

/** What a text finds: services that are offered by their order in the catalogue, then the retired ones. */
async function findInCatalogue(
  context: ChoicesContext,
  keyword: string | undefined,
  language: Language,
): Promise<{ id: number; agency_id: number }[]> {
  const { deleted } = await loadNames(context);
  const found = context.catalogue.search(keyword, language, {});
  const texts = normalizeText(keyword ?? '').split(' ');
  return [
    ...found.take(0, found.count).map(({ id, agency }) => ({ id, agency_id: agency.id })),
    ...deleted.filter(({ name }) => {
      const words = wordsOf(name).join('\n');
      return texts.every((text) => words.includes(text));
    }),
  ];
}

/** Those of the services that a request of the caller is for. */
async function keepUsed(
  { database }: ChoicesContext,
  caller: Caller,
  services: readonly { id: number; agency_id: number }[],
): Promise<number[]> {
  if (!isPortalStaff(caller)) {
    const own = new Set(await selectServicesOfProvider(database, caller.partnerId ?? 0));
    return services.flatMap(({ id }) => (own.has(id) ? [id] : [])).slice(0, mostServices);
  }
  // Requests that had ended before a service moved are of the agency before. Decision 0146.
  const former = (await selectFormerServices(database, caller.scope)).filter((request) =>
    coversRequest(caller, request),
  );
  const movedIds = new Set(former.map((each) => each.service_id));
  const covered = services.filter(
    ({ id, agency_id: agencyId }) =>
      movedIds.has(id) || coversRequest(caller, { agency_id: agencyId, service_id: id }),
  );
  return selectUsedServices(
    database,
    covered.map(({ id }) => id),
    { visible: visibleTo(caller), maximum: mostServices },
  );
}

/**
 * The services by which a caller can filter requests: those of requests in their lists, also services
 * that are retired or have moved to another agency. They are found by text, without one the popular ones
 * come first; or one by its id.
 */
export async function findVisibleServices(
  context: ChoicesContext,
  caller: Caller,
  { SearchKeyword: keyword, ServiceId: serviceId }: QueryOf<typeof getVisibleServices>,
  language: Language,
): Promise<Choice[]> {
  const found = await findInCatalogue(context, keyword, language);
  const asked = serviceId === undefined ? found : found.filter(({ id }) => id === serviceId);
  const used = await keepUsed(context, caller, asked);
  const { services, deleted } = await loadNames(context);
  const named = new Map([...services, ...deleted].map(({ id, name }) => [id, name]));
  return used.flatMap((id) => {
    const name = named.get(id);
    return name ? [{ id, name: localize(name, language) }] : [];
  });
}
