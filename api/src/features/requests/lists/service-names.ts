import type { Catalogue } from '#features/services/services.actions.ts';
import { normalizeText } from '#platform/core/normalize-text.ts';
import type { Database } from '#platform/database/database.ts';
import type { Language } from '@diwan/contract/wire/languages';
import type { ServiceNames } from '../model/requests.store.ts';
import type { Keyword, ServiceSet } from './keyword-search.store.ts';
import { selectServiceNames } from './request-lists.store.ts';

type CatalogueService = ReturnType<Catalogue['getService']>;
type NamedService = ServiceNames & { id: number };

/** Names of one version of the catalogue. Those of its services are those of the catalogue itself. */
interface NamedServices {
  version: number;
  services: readonly CatalogueService[];
  deleted: readonly NamedService[];
  find(id: number): ServiceNames | undefined;
  words: NameWords;
}

/** What the names of services are read from. */
interface NamesContext {
  database: Database;
  catalogue: Pick<Catalogue, 'version' | 'list' | 'findService'>;
}

const servicesByDatabase = new WeakMap<Database, Promise<NamedServices>>();

const namesOf = ({ id, name, agency }: CatalogueService): NamedService => ({
  id,
  service_name: name,
  agency_id: agency.id,
  agency_name: agency.name,
  agency_logo: agency.logo,
});

const everyService = ({ services, deleted }: NamedServices): NamedService[] => [
  ...services.map(namesOf),
  ...deleted,
];

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

function indexWords(services: readonly NamedService[]): NameWords {
  const words = new Map<string, number[]>();
  let last = 0;
  for (const { id, service_name, agency_name } of services) {
    if (id > last) last = id;
    const texts = [...Object.values(service_name), ...Object.values(agency_name)];
    for (const word of new Set(normalizeText(texts.join(' ')).split(' '))) {
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

async function readServices(
  { database, catalogue }: NamesContext,
  version: number,
): Promise<NamedServices> {
  const services = catalogue.list();
  const deleted = await selectServiceNames(database);
  const deletedById = new Map(deleted.map((service) => [service.id, service]));
  const find = (id: number) => {
    const service = catalogue.findService(id);
    return service ? namesOf(service) : deletedById.get(id);
  };
  const words = indexWords([...services.map(namesOf), ...deleted]);
  return { version, services, deleted, find, words };
}

// The names are read again when the version of the catalogue in the database has changed. They include
// deleted services, whose requests are found too.
async function loadServices(context: NamesContext): Promise<NamedServices> {
  const version = Math.floor(context.catalogue.version());
  const known = servicesByDatabase.get(context.database);
  if (known && (await known.catch(() => undefined))?.version === version) return known;
  const read = readServices(context, version);
  servicesByDatabase.set(context.database, read);
  return read;
}

/** Finds the names of services, which include all that these requests refer to. */
export async function readServiceNames(
  context: NamesContext,
  rows: readonly { service_id: number }[],
): Promise<NamedServices['find']> {
  const { find } = await loadServices(context);
  // Another process may have just created or deleted a service.
  const missing = rows.map((row) => row.service_id).filter((id) => !find(id));
  if (missing.length === 0) return find;
  const others = await selectServiceNames(context.database, missing);
  return (id) => find(id) ?? others.find((other) => other.id === id);
}

/** The services of an agency, deleted ones included. */
export async function findServicesOfAgency(
  context: NamesContext,
  agencyId: number,
): Promise<number[]> {
  return everyService(await loadServices(context)).flatMap(({ id, agency_id }) =>
    agency_id === agencyId ? [id] : [],
  );
}

/**
 * The places of all services in the order of their names, or of their agencies' names, in a
 * language. Services with the same name have the same place.
 */
export async function orderServices(
  context: NamesContext,
  by: 'service' | 'agency',
  language: Language,
): Promise<ReadonlyMap<number, number>> {
  const services = everyService(await loadServices(context));
  const { compare } = new Intl.Collator(language);
  const names = services.map(({ id, service_name, agency_name }) => ({
    id,
    name: (by === 'service' ? service_name : agency_name)[language],
  }));
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

/** The words of a search, each with the services in whose name, or agency's name, it occurs. */
export async function findKeywords(context: NamesContext, search: string): Promise<Keyword[]> {
  const texts = normalizeText(search)
    .split(' ')
    .filter((text) => text !== '')
    .slice(0, maximumKeywords);
  if (texts.length === 0) return [];
  const { words } = await loadServices(context);
  return texts.map((text) => {
    const services = findServices(words, text);
    return { text, ...(services ? { services } : {}) };
  });
}
