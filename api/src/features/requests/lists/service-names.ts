import type { Language } from '@diwan/contract/wire/languages';
import type { Database } from '../../../platform/database/database.ts';
import { normalizeText } from '../../../platform/core/normalize-text.ts';
import type { Catalogue } from '../../services/services.actions.ts';
import type { ServiceNames } from '../model/requests.store.ts';
import { selectServiceNames } from './request-lists.store.ts';
import type { Keyword, ServiceSet } from './keyword-search.store.ts';

interface NamedServices {
  version: number;
  services: ReadonlyMap<number, ServiceNames>;
  /** The services of each word of the names. */
  words: ReadonlyMap<string, readonly number[]>;
  /** All words, each between line breaks: one text is searched faster than many. */
  wordList: string;
  /** The length of a set that holds every service, in bytes. */
  setLength: number;
}

/** What the names of services are read from. */
interface NamesContext {
  database: Database;
  catalogue: Pick<Catalogue, 'version'>;
}

const servicesByDatabase = new WeakMap<Database, Promise<NamedServices>>();

async function readServices(database: Database, version: number): Promise<NamedServices> {
  const services = new Map<number, ServiceNames>();
  const words = new Map<string, number[]>();
  for (const { id, ...names } of await selectServiceNames(database)) {
    services.set(id, names);
    const texts = [...Object.values(names.service_name), ...Object.values(names.agency_name)];
    for (const word of new Set(normalizeText(texts.join(' ')).split(' '))) {
      const known = words.get(word);
      if (known) known.push(id);
      else words.set(word, [id]);
    }
  }
  const setLength = (Math.max(0, ...services.keys()) >> 3) + 1;
  const wordList = `\n${[...words.keys()].join('\n')}\n`;
  return { version, services, words, wordList, setLength };
}

// The names are read again when the version of the catalogue has changed. They include deleted
// services, whose requests are found too.
async function loadServices({ database, catalogue }: NamesContext): Promise<NamedServices> {
  const version = catalogue.version();
  const known = servicesByDatabase.get(database);
  if (known && (await known.catch(() => undefined))?.version === version) return known;
  const read = readServices(database, version);
  servicesByDatabase.set(database, read);
  return read;
}

/** The names of services, which include all that these requests refer to. */
export async function readServiceNames(
  context: NamesContext,
  rows: readonly { service_id: number }[],
): Promise<ReadonlyMap<number, ServiceNames>> {
  let { services } = await loadServices(context);
  // Another process may have just created a service.
  if (rows.some((row) => !services.has(row.service_id))) {
    servicesByDatabase.delete(context.database);
    ({ services } = await loadServices(context));
  }
  return services;
}

/** The services of an agency, deleted ones included. */
export async function findServicesOfAgency(
  context: NamesContext,
  agencyId: number,
): Promise<number[]> {
  const { services } = await loadServices(context);
  return [...services].flatMap(([id, { agency_id }]) => (agency_id === agencyId ? [id] : []));
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
  const { services } = await loadServices(context);
  const { compare } = new Intl.Collator(language);
  const names = [...services].map(([id, { service_name, agency_name }]) => ({
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

function findServices(
  { words, wordList, setLength }: NamedServices,
  text: string,
): ServiceSet | undefined {
  let found: ServiceSet | undefined;
  for (let at = wordList.indexOf(text); at >= 0;) {
    const end = wordList.indexOf('\n', at);
    const word = wordList.slice(wordList.lastIndexOf('\n', at) + 1, end);
    found ??= Buffer.alloc(setLength);
    for (const id of words.get(word) ?? [])
      found[id >> 3] = (found[id >> 3] ?? 0) | (1 << (id & 7));
    at = wordList.indexOf(text, end);
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
  const known = await loadServices(context);
  return texts.map((text) => {
    const services = findServices(known, text);
    return { text, ...(services ? { services } : {}) };
  });
}
