import { localize } from '#platform/core/localize.ts';
import type { AppContext } from '#platform/http/context.ts';
import { createCachedBody, sendCachedBody, varyBy } from '#platform/http/replies/response-cache.ts';
import { serve } from '#platform/http/serve.ts';
import { isLegalPage, type LegalPageName } from '@diwan/contract/content/legal-pages';
import { generateDynamicSitemapFile, type ListedAgency } from '@diwan/contract/content/sitemap';
import { addressIn } from '@diwan/contract/portal/document';
import { listedPages, type PageName } from '@diwan/contract/portal/page-list';
import { dayInDubai } from '@diwan/contract/wire/days';
import { languages, type Language } from '@diwan/contract/wire/languages';
import type { Catalogue } from '../services/services.actions.ts';
import { pathOf, type CatalogueService } from './page-heads.ts';

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text and quoted attribute values for XML. */
function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');
}

/** The largest number of addresses in one file. Source: sitemaps.org, protocol 0.9. */
const maximumAddresses = 50_000;

// Each address lists all its translations and itself, as search engines require.
function entriesOf(
  { path, changed }: { path: string; changed?: string | undefined },
  publicUrl: string,
): string[] {
  const address = (language: (typeof languages)[number]) =>
    escapeMarkup(addressIn(publicUrl, path, language));
  const alternates = [
    ...languages.map((language) => [language, address(language)]),
    ['x-default', address('ar-EG')],
  ]
    .map(([tag, href]) => `<xhtml:link rel="alternate" hreflang="${tag}" href="${href}"/>`)
    .join('');
  return languages.map((language) => {
    const changedOn = changed ? `<lastmod>${changed}</lastmod>` : '';
    return `<url><loc>${address(language)}</loc>${changedOn}${alternates}</url>`;
  });
}

/** The site map for search engines: every public page and every service, in each language. */
export function writeSitemap(
  services: readonly CatalogueService[],
  publicUrl: string,
  changedOn: (page: PageName) => string | undefined,
): string {
  const pages = [
    ...listedPages
      .filter(({ listed }) => listed.isForSearch !== false)
      .map(({ address, name }) => ({ path: address, changed: changedOn(name) })),
    ...services.map((service) => ({ path: pathOf(service) })),
  ];
  const entries = pages
    .slice(0, Math.floor(maximumAddresses / languages.length))
    .flatMap((page) => entriesOf(page, publicUrl));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"' +
      ' xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...entries,
    '</urlset>',
    '',
  ].join('\n');
}

/**
 * The nouns of the API that search engines may read: they run the portal's script, which calls these
 * for public pages.
 */
const publicNouns = [
  'AccountType',
  'GovernmentAgency',
  'LegalPage',
  'Service',
  'ServiceCategory',
  'SiteMap',
];

/** The text of robots.txt. */
export function writeRobots(publicUrl: string, mayBeIndexed: boolean): string {
  if (!mayBeIndexed) return 'User-agent: *\nDisallow: /\n';
  return [
    'User-agent: *',
    ...publicNouns.map((noun) => `Allow: /api/${noun}/`),
    'Disallow: /api/',
    'Disallow: /hubs/',
    '',
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ].join('\n');
}

function listAgencies(catalogue: Catalogue, language: Language): ListedAgency[] {
  const byName = new Intl.Collator(language).compare;
  // Node 20 has no Map.groupBy.
  const servicesOf = new Map<number, CatalogueService[]>();
  for (const service of catalogue.list()) {
    const listed = servicesOf.get(service.agency.id);
    if (listed) listed.push(service);
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

/** Stores a value until the version of its source changes. */
function cachePerVersion<T>(source: { version(): string | number }, make: () => T): () => T {
  let cached: { version: string | number; value: T } | undefined;
  return () => {
    const version = source.version();
    if (cached?.version !== version) cached = { version, value: make() };
    return cached.value;
  };
}

/** When the pages of legal text were published. */
export interface LegalDates {
  inForce(page: LegalPageName): { publishedAt: Date };
  version(): number;
}

/** The site map for visitors and for search engines, and robots.txt. */
export function serveSitemap(
  context: AppContext,
  { catalogue, legal }: { catalogue: Catalogue; legal: LegalDates },
  mayBeIndexed: boolean,
): void {
  const { server, publicUrl } = context;
  const agencies = cachePerVersion(
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
    { version: catalogue.version },
  );

  const changedOn = (page: PageName) =>
    isLegalPage(page) ? dayInDubai(legal.inForce(page).publishedAt) : undefined;
  const version = () => `${catalogue.version()} ${legal.version()}`;
  const file = cachePerVersion({ version }, () =>
    createCachedBody(writeSitemap(catalogue.list(), publicUrl, changedOn)),
  );
  server.get('/sitemap.xml', (request, reply) => {
    varyBy(reply, 'sec-fetch-dest');
    // A browser that opens the address shows the page of specification §2; other clients get the
    // file.
    if (request.headers['sec-fetch-dest'] === 'document') return reply.callNotFound();
    return sendCachedBody(request, reply.type('application/xml; charset=utf-8'), file());
  });

  const robots = createCachedBody(writeRobots(publicUrl, mayBeIndexed));
  server.get('/robots.txt', (request, reply) =>
    sendCachedBody(request, reply.type('text/plain; charset=utf-8'), robots),
  );
}
