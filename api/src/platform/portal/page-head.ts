import {
  directionOf,
  languages,
  storedLanguages,
  type Language,
} from '@diwan/contract/wire/languages';

/**
 * What the first bytes of a page say about it, for search engines, shared links and whoever has no
 * JavaScript. Plain text, not yet escaped.
 */
export interface PageHead {
  title: string;
  description: string;
  /**
   * The one address of a page that search engines may show, without language and query; a page
   * without one is not shown by them.
   */
  path?: string;
  /** 404 where the portal has nothing; the page then says so. */
  status: 200 | 404;
  /** Structured data (schema.org); data and no script, so the content policy allows it. */
  data?: Record<string, unknown>;
  /**
   * The page's first words, shown before its code is here; a page without them shows the header
   * alone.
   */
  opening?: PageOpening;
}

/**
 * `kind` is one of the openings in `index.html`, `words` what fills its places by name. Plain text.
 */
export interface PageOpening {
  kind: 'home' | 'page' | 'service';
  words: Readonly<Record<string, string>>;
}

/** What is the same on every page of the site. `publicUrl` has no slash at its end. */
export interface Site {
  publicUrl: string;
  name: Record<Language, string>;
  mayBeIndexed: boolean;
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text and for values in double or single quotes, in HTML and in XML. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');
}

/**
 * A page's address in a language. Arabic is the default, so its addresses are the plain ones
 * (specification §1).
 */
export function addressIn(publicUrl: string, path: string, language: Language): string {
  return `${publicUrl}${path}${language === 'ar-EG' ? '' : `?ln=${language}`}`;
}

function findLanguage(wanted: string | null | undefined): Language | undefined {
  return languages.find((language) =>
    [language, storedLanguages[language]].some(
      (value) => value.toLowerCase() === wanted?.toLowerCase(),
    ),
  );
}

/** The language that an address chooses, else the one that the browser remembers, else Arabic. */
export function languageOfPage(query: URLSearchParams, cookies: string | undefined): Language {
  return (
    findLanguage(query.get('ln')) ??
    findLanguage(/(?:^|;\s*)language=([\w-]+)/.exec(cookies ?? '')?.[1]) ??
    'ar-EG'
  );
}

const meta = (name: string, content: string) =>
  `<meta name="${name}" content="${escapeMarkup(content)}" />`;
const property = (name: string, content: string) =>
  `<meta property="${name}" content="${escapeMarkup(content)}" />`;
const openGraph = (language: Language) => language.replace('-', '_');

function linksOf(path: string, language: Language, { publicUrl }: Site): string[] {
  const link = (rest: string, at: Language) =>
    `<link ${rest} href="${escapeMarkup(addressIn(publicUrl, path, at))}" />`;
  return [
    link('rel="canonical"', language),
    ...languages.map((each) => link(`rel="alternate" hreflang="${each}"`, each)),
    link('rel="alternate" hreflang="x-default"', 'ar-EG'),
  ];
}

function sharingOf(
  head: PageHead,
  title: string,
  language: Language,
  { publicUrl, name }: Site,
): string[] {
  return [
    property('og:type', 'website'),
    property('og:site_name', name[language]),
    property('og:title', title),
    property('og:description', head.description),
    property('og:locale', openGraph(language)),
    ...languages
      .filter((each) => each !== language)
      .map((each) => property('og:locale:alternate', openGraph(each))),
    ...(head.path === undefined
      ? []
      : [property('og:url', addressIn(publicUrl, head.path, language))]),
    property('og:image', `${publicUrl}/og-image.png`),
    property('og:image:width', '1200'),
    property('og:image:height', '630'),
    property('og:image:alt', name[language]),
    meta('twitter:card', 'summary_large_image'),
  ];
}

// `</script>` and `<!--` in a text would end the data or change how it is read.
const writeData = (data: Record<string, unknown>) =>
  `<script type="application/ld+json" id="page-data">${JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}</script>`;

/** The lines of a page's `<head>` that depend on its address and language, escaped. */
export function writeHead(head: PageHead, language: Language, site: Site): string {
  const title = `${head.title} | ${site.name[language]}`;
  const isShown = head.path !== undefined && head.status === 200 && site.mayBeIndexed;
  return [
    `<title>${escapeMarkup(title)}</title>`,
    meta('description', head.description),
    ...(isShown ? [] : [meta('robots', 'noindex')]),
    ...(head.path === undefined ? [] : linksOf(head.path, language, site)),
    ...sharingOf(head, title, language, site),
    ...(head.data ? [writeData(head.data)] : []),
  ].join('\n    ');
}

function writeOpening(openings: string, opening: PageOpening | undefined): string {
  const [, text = ''] = openings.split(`<!-- opening ${opening?.kind ?? 'none'} -->`);
  return (text.split(/<!--|<\/template>/)[0] ?? '')
    .replace(/\{\{(\w+)\}\}/g, (_, name: string) => escapeMarkup(opening?.words[name] ?? ''))
    .trim();
}

/**
 * Puts a head and an opening into the built page: between the marks of `index.html`, and its
 * language on the document.
 */
export function fillPage(
  template: string,
  head: string,
  opening: PageOpening | undefined,
  language: Language,
): string {
  return template
    .replace(/<template>[^]*<\/template>/, (openings) => writeOpening(openings, opening))
    .replace(
      /<html lang="[^"]*" dir="[^"]*">/,
      () => `<html lang="${language}" dir="${directionOf(language)}">`,
    )
    .replace(/<!-- head -->[^]*<!-- \/head -->/, () => head);
}
