import { publicPages, servicePath, unlistedPaths } from '@diwan/contract/catalogue/sitemap';
import { languages, type Language } from '@diwan/contract/wire/languages';
import { localize } from '../../platform/core/localize.ts';
import { addressIn, type PageHead, type PageOpening } from '../../platform/portal/page-head.ts';
import { portalTexts } from '../../platform/portal/portal-texts.ts';
import { Refusal } from '../../platform/core/refusals.ts';
import type { Catalogue, CatalogueService } from '../services/services.actions.ts';

const pages = portalTexts('pages');
const shell = portalTexts('shell');
const statics = portalTexts('static');
const home = portalTexts('home');
const services = portalTexts('services');

/** The portal's own name. */
export const portalName = Object.fromEntries(
  languages.map((language) => [language, shell('wordmark', language)]),
) as Record<Language, string>;

/**
 * Without slashes at its end. Counted and not matched: a pattern that ends in `\/+$` takes minutes
 * for an address of a hundred thousand slashes.
 */
function withoutEnd(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

// The router of the portal knows no case and no slash at the end either.
const plain = (path: string) => withoutEnd(path).toLowerCase() || '/';
const byPath = new Map(publicPages.map((page) => [plain(page.path), page]));
const unlisted = unlistedPaths.map(
  (path) => new RegExp(`^${plain(path).replace(/:\w+/g, '[^/]+')}$`),
);

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function findService(catalogue: Catalogue, path: string): CatalogueService | undefined {
  const name = path.toLowerCase().startsWith(servicePath.toLowerCase())
    ? decode(withoutEnd(path.slice(servicePath.length)))
    : undefined;
  if (!name || name.length > 300) return undefined;
  try {
    return catalogue.getServiceByName(name);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

function dataOf(
  service: CatalogueService,
  path: string,
  language: Language,
  publicUrl: string,
): Record<string, unknown> {
  return {
    '@context': 'https://schema.org',
    '@type': 'GovernmentService',
    name: localize(service.name, language),
    description: localize(service.description, language),
    url: addressIn(publicUrl, path, language),
    inLanguage: [...languages],
    serviceType: localize(service.category.name, language),
    provider: { '@type': 'GovernmentOrganization', name: localize(service.agency.name, language) },
    areaServed: { '@type': 'Country', name: 'AE' },
  };
}

/** The address of a service in the portal, without language. */
export function pathOf(service: CatalogueService): string {
  return `${servicePath}${encodeURIComponent(service.replacedName)}`;
}

// The same words in the same place as the page itself will have: what people read first does not
// wait for its code.
const openings: Record<string, (language: Language) => PageOpening> = {
  home: (language) => ({
    kind: 'home',
    words: { title: home('question', language), lead: home('lead', language) },
  }),
  services: (language) => ({
    kind: 'page',
    words: { title: services('title', language), lead: services('listing.lead', language) },
  }),
};

/** What is at an address of the portal, as the browser sent it. */
export function headOf(
  catalogue: Catalogue,
  publicUrl: string,
  path: string,
  language: Language,
): PageHead {
  const page = byPath.get(plain(path === '/' ? '/home' : path));
  const opening = page && openings[page.name]?.(language);
  if (page)
    return {
      ...(opening ? { opening } : {}),
      title: pages(`titles.${page.name}`, language),
      description: pages(`descriptions.${page.name}`, language),
      ...(page.isForSearch === false ? {} : { path: page.path }),
      status: 200,
    };
  const service = findService(catalogue, path);
  if (service) {
    const title = localize(service.name, language);
    const description = localize(service.description, language);
    const opening: PageOpening = {
      kind: 'service',
      words: {
        title,
        lead: description,
        agency: localize(service.agency.name, language),
        logo: service.agency.logo,
      },
    };
    return {
      title,
      opening,
      description,
      path: pathOf(service),
      status: 200,
      data: dataOf(service, pathOf(service), language, publicUrl),
    };
  }
  if (unlisted.some((pattern) => pattern.test(plain(path))))
    return {
      title: shell('portal', language),
      description: pages('descriptions.home', language),
      status: 200,
    };
  return {
    title: statics('notFound.title', language),
    description: pages('descriptions.home', language),
    status: 404,
  };
}
