import { languages } from '@diwan/contract/wire/languages';
import { publicPages, type PublicPage } from '@diwan/contract/catalogue/sitemap';
import { addressIn, escapeMarkup } from '../../platform/portal/page-head.ts';
import type { CatalogueService } from '../services/services.actions.ts';
import { pathOf } from './page-heads.ts';

/** Addresses in one file. Source: sitemaps.org, protocol 0.9. */
const mostAddresses = 50_000;

// Each address names all its translations and itself, so that they confirm each other.
function entriesOf(
  { path, changed }: Pick<PublicPage, 'path' | 'changed'>,
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
  return languages.map(
    (language) =>
      `<url><loc>${address(language)}</loc>${changed ? `<lastmod>${changed}</lastmod>` : ''}${alternates}</url>`,
  );
}

/** The site map for search engines: every public page and every service, each in its languages. */
export function writeSitemap(services: readonly CatalogueService[], publicUrl: string): string {
  const pages: Pick<PublicPage, 'path' | 'changed'>[] = [
    ...publicPages.filter(({ isForSearch }) => isForSearch !== false),
    ...services.map((service) => ({ path: pathOf(service) })),
  ];
  const entries = pages
    .slice(0, Math.floor(mostAddresses / languages.length))
    .flatMap((page) => entriesOf(page, publicUrl));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n${entries.join('\n')}\n</urlset>\n`;
}
