import type { Database } from '../../../platform/database/database.ts';
import { normalizeText } from '../../../platform/core/normalize-text.ts';
import type { Catalogue } from '../../services/services.actions.ts';
import type { Keyword } from './request-lists.store.ts';
import { selectServiceNames } from '../model/requests.store.ts';

interface NamedServices {
  version: number;
  services: readonly { id: number; text: string }[];
}

const servicesByDatabase = new WeakMap<Database, Promise<NamedServices>>();

async function readServices(database: Database, version: number): Promise<NamedServices> {
  const rows = await selectServiceNames(database);
  return {
    version,
    services: rows.map(({ id, service_name, agency_name }) => ({
      id,
      text: normalizeText(
        [...Object.values(service_name), ...Object.values(agency_name)].join(' '),
      ),
    })),
  };
}

// The names are read again when the version of the catalogue has changed. They include deleted
// services, whose requests are found too.
async function loadServices(database: Database, version: number): Promise<NamedServices> {
  const known = servicesByDatabase.get(database);
  if (known && (await known.catch(() => undefined))?.version === version) return known;
  const read = readServices(database, version);
  servicesByDatabase.set(database, read);
  return read;
}

const maximumKeywords = 8;

/** The words of a search, each with the services in whose name, or agency's name, it occurs. */
export async function findKeywords(
  context: { database: Database; catalogue: Pick<Catalogue, 'version'> },
  search: string,
): Promise<Keyword[]> {
  const words = normalizeText(search)
    .split(' ')
    .filter((word) => word !== '')
    .slice(0, maximumKeywords);
  if (words.length === 0) return [];
  const { services } = await loadServices(context.database, context.catalogue.version());
  return words.map((text) => ({
    text,
    serviceIds: services.filter((service) => service.text.includes(text)).map(({ id }) => id),
  }));
}
