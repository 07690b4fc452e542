import { createTranslator, localizedText } from '#platform/core/locale-texts.ts';
import { localize } from '#platform/core/localize.ts';
import { Refusal } from '#platform/core/refusals.ts';
import { addressIn, type PageHead, type PageOpening } from '@diwan/contract/portal/document';
import { listedPages, pageList, type Page } from '@diwan/contract/portal/page-list';
import { servicePath } from '@diwan/contract/portal/pages';
import { languages, type Language } from '@diwan/contract/wire/languages';
import type { Catalogue } from '../services/services.actions.ts';

/** A service of the catalogue. */
export type CatalogueService = ReturnType<Catalogue['getService']>;

const pageTexts = createTranslator('pages');
const shell = createTranslator('shell');
const staticPages = createTranslator('static');

/** The name of the portal in every language. */
export const portalName = (): Record<Language, string> => localizedText(shell, 'wordmark');

/** What a page says to browsers without JavaScript, in every language. */
export const needsScript = (): Record<Language, string> => localizedText(pageTexts, 'needsScript');

/**
 * A path without trailing slashes. The slashes are counted, because a pattern that ends in `\/+$`
 * takes minutes for an address of a hundred thousand slashes.
 */
function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

// The router of the portal ignores case and trailing slashes too.
const normalizePath = (path: string) => withoutTrailingSlashes(path).toLowerCase() || '/';
const byPath = new Map(listedPages.map((page) => [normalizePath(page.address), page]));
const unlisted = pageList
  .filter(({ name, listed }) => !listed && name !== 'createRequest' && name !== 'notFound')
  .map(({ path }) => new RegExp(`^${normalizePath(path).replace(/:\w+/g, '[^/]+')}$`));

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function findService(catalogue: Catalogue, path: string): CatalogueService | undefined {
  const name = path.toLowerCase().startsWith(servicePath.toLowerCase())
    ? decode(withoutTrailingSlashes(path.slice(servicePath.length)))
    : undefined;
  if (!name || name.length > 300) return undefined;
  try {
    return catalogue.getServiceByName(name);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

function structuredDataOf(
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

/** The path of a service in the portal, without the language. */
export function pathOf(service: CatalogueService): string {
  return `${servicePath}${encodeURIComponent(service.replacedName)}`;
}

/** The text of a key with its noun (`noun:key`). */
function textOf(name: string, language: Language): string {
  const [noun = '', key = ''] = name.split(':');
  return createTranslator(noun)(key, language);
}

// The same texts in the same position as on the page itself, so that visitors can read them before
// the script has loaded.
const openingOf = ({ heading, opening }: Page, language: Language): PageOpening | undefined =>
  heading && opening
    ? {
        kind: opening.kind,
        title: textOf(heading, language),
        lead: textOf(opening.lead, language),
      }
    : undefined;

/** The head of the page at a path of the portal. `path` is as the browser sent it. */
export function headOf(
  catalogue: Catalogue,
  publicUrl: string,
  path: string,
  language: Language,
): PageHead {
  const page = byPath.get(normalizePath(path === '/' ? '/home' : path));
  const opening = page && openingOf(page, language);
  if (page)
    return {
      ...(opening ? { opening } : {}),
      title: pageTexts(`titles.${page.name}`, language),
      description: pageTexts(`descriptions.${page.name}`, language),
      ...(page.listed.isForSearch === false ? {} : { path: page.address }),
      status: 200,
    };
  const service = findService(catalogue, path);
  if (service) {
    const title = localize(service.name, language);
    const description = localize(service.description, language);
    const opening: PageOpening = {
      kind: 'service',
      title,
      lead: description,
      agency: localize(service.agency.name, language),
      logo: service.agency.logo,
    };
    return {
      title,
      opening,
      description,
      path: pathOf(service),
      status: 200,
      data: structuredDataOf(service, pathOf(service), language, publicUrl),
    };
  }
  if (unlisted.some((pattern) => pattern.test(normalizePath(path))))
    return {
      title: shell('portal', language),
      description: pageTexts('descriptions.home', language),
      // The shape of a list: the server does not know who asks.
      opening: { kind: 'work' },
      status: 200,
    };
  return {
    title: staticPages('notFound.title', language),
    description: pageTexts('descriptions.home', language),
    status: 404,
  };
}
