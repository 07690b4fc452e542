import { createHash } from 'node:crypto';
import {
  directionOf,
  languages,
  storedLanguages,
  type Language,
} from '@diwan/contract/wire/languages';

/**
 * The head of a page, for search engines, link previews and browsers without JavaScript. Its texts
 * are plain, not escaped.
 */
export interface PageHead {
  title: string;
  description: string;
  /**
   * The canonical path, without language and query. A page without one is not indexed.
   */
  path?: string;
  /** 404 for an unknown address. */
  status: 200 | 404;
  /** Structured data (schema.org). The content security policy allows it, because it is not a script. */
  data?: Record<string, unknown>;
  /** Content that is shown before the code is loaded. Without it only the header is shown. */
  opening?: PageOpening;
}

/**
 * `kind` is one of the openings in `index.html`. `texts` are the plain texts of its placeholders by
 * name.
 */
export interface PageOpening {
  kind: 'home' | 'page' | 'service' | 'form' | 'work';
  texts: Readonly<Record<string, string>>;
}

/** The properties of the whole site. `publicUrl` has no slash at its end. */
export interface Site {
  publicUrl: string;
  name: Record<Language, string>;
  mayBeIndexed: boolean;
  /** Shown above every page where others can reach a demonstration. */
  warning?: Record<Language, SiteWarning> | undefined;
}

/** The plain texts of a warning: a name for assistive software, a heading and sentences. */
export interface SiteWarning {
  label: string;
  title: string;
  text: string;
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text and quoted attribute values for HTML and XML. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');
}

/**
 * The address of a page in a language. Arabic is the default and has no query (specification §1).
 */
export function addressIn(publicUrl: string, path: string, language: Language): string {
  return `${publicUrl}${path}${language === 'ar-EG' ? '' : `?ln=${language}`}`;
}

function findLanguage(name: string | null | undefined): Language | undefined {
  return languages.find((language) =>
    [language, storedLanguages[language]].some(
      (value) => value.toLowerCase() === name?.toLowerCase(),
    ),
  );
}

/** The language of the query, else of the cookie, else Arabic. */
export function languageOfPage(query: URLSearchParams, cookies: string | undefined): Language {
  return (
    findLanguage(query.get('ln')) ??
    findLanguage(/(?:^|;\s*)language=([\w-]+)/.exec(cookies ?? '')?.[1]) ??
    'ar-EG'
  );
}

/** What the person chose, from the cookie that `theme.ts` of the portal writes. */
export type Theme = 'light' | 'dark';

/**
 * The marks of announcements that this browser has dismissed, out of `known`, sorted. The cookie is
 * written by `announcements.tsx` of the portal.
 */
export function dismissedOfPage(cookies: string | undefined, known: readonly string[]): string[] {
  const marks = /(?:^|;\s*)dismissed=([\d.~]*)/.exec(cookies ?? '')?.[1]?.split('~') ?? [];
  return known.filter((mark) => marks.includes(mark)).toSorted();
}

/** The theme of the cookie; `undefined` follows the device. */
export function themeOfPage(cookies: string | undefined): Theme | undefined {
  return /(?:^|;\s*)theme=(light|dark)(?:;|$)/.exec(cookies ?? '')?.[1] as Theme | undefined;
}

/** Whether the browser has kept the fonts of a language, by the cookie of `fonts.ts` of the portal. */
export const hasFontsOf = (language: Language, cookies: string | undefined): boolean =>
  /(?:^|;\s*)fonts=([\w-]+)/.exec(cookies ?? '')?.[1] === language;

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

/**
 * JSON for a data block of a page: `</script>` and `<!--` within a text would end the block or change
 * its parsing.
 */
export const escapeJson = (data: unknown): string =>
  JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const writeData = (data: Record<string, unknown>) =>
  `<script type="application/ld+json" id="page-data">${escapeJson(data)}</script>`;

/** The address of the web app manifest; the query `ln` names its language. */
export const manifestPath = '/manifest.webmanifest';

/**
 * What a device needs to put the portal on its home screen, which iPhones need for messages to
 * browsers. It opens at the services: the home page ends the session (specification §2).
 */
export const writeManifest = (language: Language, { name }: Site, description: string): string =>
  JSON.stringify({
    id: '/',
    name: name[language],
    short_name: name[language],
    description,
    lang: language,
    dir: directionOf(language),
    start_url: '/home/services',
    scope: '/',
    display: 'standalone',
    background_color: '#ffffff',
    theme_color: '#ffffff',
    icons: [
      { src: '/app-icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
      { src: '/app-icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
      { src: '/app-icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
      { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
    ],
  });

/** The escaped lines of the `<head>` that depend on the page and its language. */
export function writeHead(head: PageHead, language: Language, site: Site): string {
  const title = `${head.title} | ${site.name[language]}`;
  const isIndexed = head.path !== undefined && head.status === 200 && site.mayBeIndexed;
  return [
    `<title>${escapeMarkup(title)}</title>`,
    meta('description', head.description),
    ...(isIndexed ? [] : [meta('robots', 'noindex')]),
    ...(head.path === undefined ? [] : linksOf(head.path, language, site)),
    ...sharingOf(head, title, language, site),
    `<link rel="manifest" href="${manifestPath}?ln=${language}" />`,
    ...(head.data ? [writeData(head.data)] : []),
  ].join('\n    ');
}

const fillTexts = (markup: string, texts: Readonly<Record<string, string>>) =>
  markup.replace(/\{\{(\w+)\}\}/g, (_, name: string) => escapeMarkup(texts[name] ?? ''));

function writeWarning(markup: string, warning: Site['warning']): string {
  if (!warning) return '';
  return languages
    .map((language) =>
      fillTexts(markup, { ...warning[language], language, direction: directionOf(language) }),
    )
    .join('');
}

function writeOpening(openings: string, opening: PageOpening | undefined): string {
  const [, text = ''] = openings.split(`<!-- opening ${opening?.kind ?? 'none'} -->`);
  return fillTexts(text.split(/<!--|<\/template>/)[0] ?? '', opening?.texts ?? {}).trim();
}

/** The source expression of an inline style or script for the content security policy. */
export const sourceHash = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

// Loads what makes a page work when the browser says that its texts are on the screen, which it would
// delay. A page in the background has no frames; a second call adds nothing.
const loadLater =
  '{const load=()=>document.body.append(document.getElementById("later").content);' +
  'if(document.hidden)load();else{setTimeout(load,1e3);' +
  'new PerformanceObserver(load).observe({type:"paint",buffered:true})}}';
/** The script that pages which load later contain. */
export const loadLaterHash: string = sourceHash(loadLater);

/** A first screen. `html` is the content of `#root`. */
export interface RenderedPage {
  html: string;
  styles: string;
  fontFiles: readonly string[];
  /** Escaped JSON for hydration, with texts in the language of the page alone. */
  state: string;
}

/** What a page has of its own: the lines of its head, its opening, and the warning of the site. */
interface PageParts {
  head: string;
  opening: PageOpening | undefined;
  warning: Site['warning'];
  /** Shown in place of the opening. */
  rendered?: RenderedPage | undefined;
  /** Without one the page follows the device. */
  theme?: Theme | undefined;
  /** The announcements that the page begins with, and their language. */
  announcements: unknown;
  /** Of the overridden texts, for the addresses of texts; empty where nothing is corrected. */
  textsVersion: string;
}

/**
 * The text comes first, then what makes it beautiful, and then what makes it work. Chromium waits for
 * a font that is named in the head before it paints anything.
 */
function insertRendered(page: string, rendered: RenderedPage): string {
  const portal =
    /\s*<(?:link rel="(?:stylesheet|modulepreload)"|script type="module")[^>]*>(?:<\/script>)?/g;
  const files = [...(page.match(portal) ?? [])].map((tag) => tag.trim());
  const [styles = '', ...scripts] = ['stylesheet', 'modulepreload', 'script'].flatMap((kind) =>
    files.filter((tag) => tag.includes(kind)),
  );
  const later = [
    ...rendered.fontFiles.map(
      (file) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="${file}">`,
    ),
    styles,
    ...scripts,
  ].join('\n    ');
  const state = `<script type="application/json" id="rendered-state">${rendered.state}</script>`;
  const end =
    `${state}\n    <template id="later">${later}</template>\n    ` +
    `<script>${loadLater}</script><noscript>${styles}</noscript>`;
  return page
    .replace(/\s*<link rel="preload" href="\/configuration.json"[^>]*>/, '')
    .replaceAll(/\s*<!-- [A-Z][^]*?-->/g, '')
    .replaceAll(portal, '')
    .replace(/<noscript>[^]*<\/noscript>/, '')
    .replace(
      /<div id="root">[^]*<\/div>/,
      () => `<div id="root" data-rendered>${rendered.html}</div>\n    ${end}`,
    )
    .replace('</head>', () => `  <style>${rendered.styles}</style>\n  </head>`);
}

/**
 * Inserts the parts of a page into the built page, between the markers of `index.html`, and sets
 * language and theme of the document.
 */
export function fillPage(
  template: string,
  { head, opening, warning, rendered, theme, textsVersion, announcements }: PageParts,
  language: Language,
): string {
  const opened = template.replace(/<template>[^]*<\/template>/, (openings) =>
    writeOpening(openings, opening),
  );
  return (rendered ? insertRendered(opened, rendered) : opened)
    .replace(/<template id="demo-warning">([^]*?)<\/template>/, (_, markup: string) =>
      writeWarning(markup, warning),
    )
    .replace(
      /<html lang="[^"]*" dir="[^"]*">/,
      () =>
        `<html lang="${language}" dir="${directionOf(language)}"` +
        `${theme ? ` data-theme="${theme}"` : ''}${textsVersion ? ` data-texts="${textsVersion}"` : ''}>`,
    )
    .replace(/<!-- head -->[^]*<!-- \/head -->/, () => head)
    .replace(
      '</body>',
      () =>
        `<script type="application/json" id="announcements">${escapeJson(announcements)}</script></body>`,
    );
}
