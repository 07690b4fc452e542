import { listedPages } from '@diwan/contract/portal/page-list';
import { servicePath } from '@diwan/contract/portal/pages';
import { languages, type Language } from '@diwan/contract/wire/languages';
import { currentLanguage } from '../i18n/language.ts';
import { loadNamespaces, t } from '../i18n/translate.ts';

const find = (selector: string) => document.head.querySelector(selector);
const set = (selector: string, attribute: string, value: string) =>
  find(selector)?.setAttribute(attribute, value);

// The same addresses that the server writes: Arabic has the plain ones.
function addressIn(path: string, language: Language): string {
  const address = new URL(
    path,
    find('link[rel=canonical]')?.getAttribute('href') ?? window.location.origin,
  );
  if (language !== 'ar-EG') address.searchParams.set('ln', language);
  return address.href;
}

function setLink(selector: string, attributes: Record<string, string>): void {
  const link = find(selector) ?? document.head.appendChild(document.createElement('link'));
  for (const [name, value] of Object.entries(attributes)) link.setAttribute(name, value);
}

function setAddresses(path: string, language: Language): void {
  for (const [tag, at] of [
    ...languages.map((each) => [each, each] as const),
    ['x-default', 'ar-EG'] as const,
  ])
    setLink(`link[hreflang='${tag}']`, {
      rel: 'alternate',
      hreflang: tag,
      href: addressIn(path, at),
    });
  setLink('link[rel=canonical]', { rel: 'canonical', href: addressIn(path, language) });
  set('meta[property="og:url"]', 'content', addressIn(path, language));
}

let isTitleObserved = false;

// A page sets its title when its data is loaded.
function observeTitle(): void {
  const copy = () => set('meta[property="og:title"]', 'content', document.title);
  copy();
  const title = find('title');
  if (title && !isTitleObserved) new MutationObserver(copy).observe(title, { childList: true });
  isTitleObserved = true;
}

/**
 * Updates the metadata that the server wrote (decision 0014) for another page or language. Only
 * shared links and bookmarks read it, so it loads late. The page of a service sets its own
 * description.
 */
export async function updatePageMeta(): Promise<void> {
  const language = currentLanguage();
  const path = window.location.pathname;
  set('link[rel=manifest]', 'href', `/manifest.webmanifest?ln=${language}`);
  await loadNamespaces('pages');
  if (path !== window.location.pathname || language !== currentLanguage()) return;
  const page = listedPages.find((each) => each.address === path);
  const isService = path.startsWith(servicePath);
  const isForSearch = isService || (page !== undefined && page.listed.isForSearch !== false);
  const description = t(`descriptions.${page?.name ?? 'home'}`, { ns: 'pages' });
  for (const selector of isService
    ? []
    : ['meta[name=description]', 'meta[property="og:description"]'])
    set(selector, 'content', description);
  for (const element of document.head.querySelectorAll(
    isForSearch ? '#page-data' : '#page-data, link[rel=canonical], link[hreflang]',
  ))
    element.remove();
  if (isForSearch) setAddresses(path, language);
  set('meta[property="og:locale"]', 'content', language.replace('-', '_'));
  observeTitle();
}
