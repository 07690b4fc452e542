import type { Database } from '../../../platform/database/database.ts';
import { normalizeText } from '../../../platform/core/normalize-text.ts';
import type { Catalogue } from '../../services/services.actions.ts';
import type { SoughtWord } from './request-lists.store.ts';
import { selectServiceNames } from '../model/requests.store.ts';

interface NamedServices {
  version: number;
  services: readonly { id: number; text: string }[];
}

const kept = new WeakMap<Database, Promise<NamedServices>>();

async function readNames(database: Database, version: number): Promise<NamedServices> {
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

// Names are read again when the catalogue has changed; requests of services that were taken out of
// it are found too.
async function namesOf(database: Database, version: number): Promise<NamedServices> {
  const known = kept.get(database);
  if (known && (await known.catch(() => undefined))?.version === version) return known;
  const read = readNames(database, version);
  kept.set(database, read);
  return read;
}

const mostWords = 8;

/** The words of a keyword, each with the services in whose name, or whose agency's, it is. */
export async function seekWords(
  context: { database: Database; catalogue: Pick<Catalogue, 'version'> },
  keyword: string,
): Promise<SoughtWord[]> {
  const words = normalizeText(keyword)
    .split(' ')
    .filter((word) => word !== '')
    .slice(0, mostWords);
  if (words.length === 0) return [];
  const { services } = await namesOf(context.database, context.catalogue.version());
  return words.map((text) => ({
    text,
    serviceIds: services.filter((service) => service.text.includes(text)).map(({ id }) => id),
  }));
}
