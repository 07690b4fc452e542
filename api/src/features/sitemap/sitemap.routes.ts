import { defaultLanguage, languages, type Language } from '@diwan/contract/wire/languages';
import { generateDynamicSitemapFile, type ListedAgency } from '@diwan/contract/catalogue/sitemap';
import type { AppContext } from '../../platform/http/context.ts';
import { keepBytes, sendKept, varyBy } from '../../platform/core/kept-bytes.ts';
import { localize } from '../../platform/core/localize.ts';
import { serve } from '../../platform/http/serve.ts';
import type { Catalogue, CatalogueService } from '../services/services.actions.ts';
import { writeRobots } from './robots-file.ts';
import { writeSitemap } from './sitemap-file.ts';

function listAgencies(catalogue: Catalogue, language: Language): ListedAgency[] {
  const byName = new Intl.Collator(language).compare;
  // Node 20 has no Map.groupBy.
  const servicesOf = new Map<number, CatalogueService[]>();
  for (const service of catalogue.search(undefined, language)) {
    const known = servicesOf.get(service.agency.id);
    if (known) known.push(service);
    else servicesOf.set(service.agency.id, [service]);
  }
  return catalogue
    .agencies()
    .filter(({ servicesCount }) => servicesCount > 0)
    .map(({ item }) => ({
      id: item.id,
      name: localize(item.name, language),
      logo: item.logo,
      services: (servicesOf.get(item.id) ?? [])
        .map(({ name, replacedName }) => ({ name: localize(name, language), replacedName }))
        .sort((a, b) => byName(a.name, b.name)),
    }));
}

/** Keeps what was made of the catalogue until the catalogue changes. */
function untilChanged<T>(catalogue: Catalogue, make: () => T): () => T {
  let kept: { version: number; made: T } | undefined;
  return () => {
    const version = catalogue.version();
    if (kept?.version !== version) kept = { version, made: make() };
    return kept.made;
  };
}

/** The site map, for people and for search engines, and what search engines may fetch. */
export function serveSitemap(
  context: AppContext,
  catalogue: Catalogue,
  mayBeIndexed: boolean,
): void {
  const { server, publicUrl } = context;
  const agencies = untilChanged(
    catalogue,
    () =>
      Object.fromEntries(
        languages.map((language) => [language, listAgencies(catalogue, language)]),
      ) as Record<Language, ListedAgency[]>,
  );
  serve(
    context,
    generateDynamicSitemapFile,
    ({ language }) => ({ fileName: '/sitemap.xml', agencies: agencies()[language] }),
    { isShared: true },
  );

  const file = untilChanged(catalogue, () =>
    keepBytes(writeSitemap(catalogue.search(undefined, defaultLanguage), publicUrl)),
  );
  server.get('/sitemap.xml', (request, reply) => {
    varyBy(reply, 'sec-fetch-dest');
    // A person who opens the address gets the page of specification §2; whoever reads files gets
    // the file.
    if (request.headers['sec-fetch-dest'] === 'document') return reply.callNotFound();
    return sendKept(request, reply.type('application/xml; charset=utf-8'), file());
  });

  const robots = keepBytes(writeRobots(publicUrl, mayBeIndexed));
  server.get('/robots.txt', (request, reply) =>
    sendKept(request, reply.type('text/plain; charset=utf-8'), robots),
  );
}
