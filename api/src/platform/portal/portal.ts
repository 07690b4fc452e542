import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { relative } from 'node:path';
import staticFiles from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import {
  manifestPath,
  type PageHead,
  type RenderedScreen,
  type Site,
  type Theme,
} from '@diwan/contract/portal/document';
import { directionOf, languages, type Language } from '@diwan/contract/wire/languages';
import { overridesVersion, findOverriddenTexts } from '../core/locale-texts.ts';
import { Refusal } from '../core/refusals.ts';
import type { PortalConfiguration } from '../http/portal-configuration.ts';
import {
  createCachedBody,
  sendCachedBody,
  varyBy,
  type CachedBody,
} from '../http/replies/response-cache.ts';
import type { InlineSources } from '../http/security-headers.ts';
import { dismissedOfPage, hasFontsOf, languageOfPage, themeOfPage } from './page-cookies.ts';
import {
  openPageRenderer,
  rendererFile,
  type BuiltPortal,
  type PageRenderer,
  type RenderAddress,
} from './page-renderer.ts';
import { portalDetailsVersion, writeConfiguration } from './portal-details.ts';

/** `headOf` returns the head of a path, which comes as the browser sent it. */
interface Portal {
  folder: string;
  configuration: PortalConfiguration;
  /** Whether pages say that they are a demonstration. */
  isDemonstration: boolean;
  site: () => Site;
  headOf: (path: string, language: Language) => PageHead;
  /** What pages announce, in the reader's language. */
  announcements: (language: Language) => readonly { mark: string; isDismissible: boolean }[];
  /** Changes with everything that a page shows. */
  contentVersion: () => string;
}

// How long browsers may cache a file: a year for names with a hash, a day for logos, videos and texts
// (whose addresses have the hash of the build and the version of the overrides). The page, the
// configuration, and texts at an address of another version are revalidated every time.
function cacheControlOf(path: string, address: string): string {
  if (path.startsWith('assets/')) return 'public, max-age=31536000, immutable';
  if (path.startsWith('locales/') && !hasTextsVersion(address)) return 'no-cache';
  return /^(logos|locales|videos)\/|\.(svg|png)(\.|$)/.test(path)
    ? 'public, max-age=86400'
    : 'no-cache';
}

/** Whether the address of a file of texts has the version of the overrides: `?v=<build>-<version>`. */
const hasTextsVersion = (address: string): boolean =>
  (/[?&]v=[^&-]*(?:-([^&]*))?/.exec(address)?.[1] ?? '') === overridesVersion();

// The files of texts with overrides, written and compressed once for each version.
function openOverriddenTexts(): (path: string) => CachedBody | undefined {
  const bodies = new Map<string, CachedBody>();
  let version = '';
  return (path) => {
    const [, language, noun = ''] = /^\/locales\/([\w-]+)\/([\w-]+)\.json$/.exec(path) ?? [];
    const known = languages.find((each) => each === language);
    const texts = known && findOverriddenTexts(known, noun);
    if (!texts) return undefined;
    if (version !== overridesVersion()) bodies.clear();
    version = overridesVersion();
    const body = bodies.get(path) ?? createCachedBody(JSON.stringify(texts));
    bodies.set(path, body);
    return body;
  };
}

// A page that fits into the first ten packets comes a round trip sooner. That takes 15 ms once.
const pageQuality = 7;

// The pages that are cached; their compressed copies come on top, about a quarter. A page without
// its first screen takes about 8 kB, one with it 40 kB.
const maximumBytes = 24_000_000;

interface PageAddress {
  path: string;
  /** With the question mark; empty when there is none. */
  search: string;
  language: Language;
  theme: Theme | undefined;
  host: string;
  /** The header with what this browser has dismissed and cached. */
  cookies: string | undefined;
  /** By the cookie, which is only a hint. */
  isSignedIn: boolean;
}

interface PageReply {
  status: number;
  page: CachedBody;
  /** The hashes of what the page contains, for the content security policy. */
  inline: InlineSources;
}

interface OpenedRenderer {
  renderer: PageRenderer;
  version: string;
}

// Each import of a broken build stays in the memory of the process.
const retryMs = 1000;

/**
 * Opens the renderer of the build, and again after a new build. When that one cannot be opened, the
 * pages stay those of the build before, if there was one; it is tried again later.
 */
function openRenderers(
  server: FastifyInstance,
  portal: BuiltPortal,
): () => Promise<OpenedRenderer> {
  let opened: OpenedRenderer | undefined;
  let opening: { version: string; result: Promise<OpenedRenderer> } | undefined;
  let retryAt = Infinity;
  let tries = 0;

  async function open(version: string): Promise<OpenedRenderer> {
    tries += 1;
    retryAt = Infinity;
    try {
      // A failed import is remembered by its address.
      const renderer = await openPageRenderer(server, portal, `${version}-${tries}`);
      opened = { renderer, version };
    } catch (error) {
      retryAt = Date.now() + retryMs;
      server.log.warn(error, 'The built portal cannot be opened');
      if (!opened) throw error;
    }
    return opened;
  }

  return async () => {
    // While a build is written, the pages are those of the one before.
    const found = await stat(rendererFile(portal.folder)).catch(() => undefined);
    const version = found ? `${found.mtimeMs}-${found.size}` : (opened?.version ?? '');
    if (opened?.version === version) return opened;
    if (opening?.version !== version || Date.now() >= retryAt)
      opening = { version, result: open(version) };
    return opening.result;
  };
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

// Each page is made and compressed once.
function openPages(
  server: FastifyInstance,
  { folder, configuration, isDemonstration, site, headOf, announcements, contentVersion }: Portal,
): (address: PageAddress) => Promise<PageReply> {
  const openRenderer = openRenderers(server, {
    folder,
    configurationOf: (host) =>
      writeConfiguration(configuration.content(host), { isDemonstration, now: new Date() }),
  });
  const pages = new LRUCache<string, PageReply & { source: string }>({
    maxSize: maximumBytes,
    sizeCalculation: ({ page }) => page.length,
  });
  const rendering = new Map<string, ReturnType<PageRenderer['render']>>();

  /** Renders a page once for all who ask for it meanwhile. */
  function renderOnce(renderer: PageRenderer, key: string, address: RenderAddress) {
    const started =
      rendering.get(key) ?? renderer.render(address).finally(() => rendering.delete(key));
    rendering.set(key, started);
    return started;
  }

  return async ({ path, search, language, theme, host, cookies, isSignedIn }) => {
    const { renderer, version } = await openRenderer();
    const head = headOf(path, language);
    const items = announcements(language);
    const textsVersion = overridesVersion();
    const hasFonts = hasFontsOf(language, cookies);
    const source = [
      version,
      configuration.version(),
      portalDetailsVersion(),
      contentVersion(),
      textsVersion,
      JSON.stringify(head),
    ].join(' ');
    const keep = (key: string, screen?: RenderedScreen): PageReply => {
      const { html, styles, scripts } = renderer.renderDocument({
        head,
        language,
        site: site(),
        theme,
        hasFonts,
        announcements: items,
        textsVersion,
        screen,
      });
      const reply = {
        status: head.status,
        page: createCachedBody(html, pageQuality),
        inline: { styles: styles.map(hashOf), scripts: scripts.map(hashOf) },
        source,
      };
      pages.set(key, reply);
      return reply;
    };
    const find = (key: string) => {
      const known = pages.get(key);
      return known?.source === source ? known : undefined;
    };

    // The same page at another address needs other replies in the browser.
    const shown = path === '/' ? '/home' : path;
    const isForVisitor = shown === head.path && !isSignedIn;
    const query = isForVisitor ? renderer.queryOf(shown, search) : undefined;
    if (query !== undefined) {
      const ownHost = configuration.hasHost(host) ? host : '';
      const dismissed = dismissedOfPage(
        cookies,
        items.filter(({ isDismissible }) => isDismissible).map(({ mark }) => mark),
      );
      const person = `${language} ${theme} ${hasFonts} ${dismissed.join('~')}`;
      const key = `${person} ${ownHost} ${shown}${query}`;
      const known = find(key);
      if (known) return known;
      const origin = {
        protocol: 'https:',
        host: ownHost,
        hostname: ownHost.replace(/:\d{1,5}$/, ''),
      };
      // A page that is being rendered from older content is not the one that is wanted.
      const rendered = await renderOnce(renderer, `${source} ${key}`, {
        path: shown,
        search: query,
        language,
        origin,
        dismissed,
      });
      if (rendered) return keep(key, rendered);
    }
    // Pages without a path share an entry by title, so that invented addresses take no memory.
    const key = `${language} ${theme} ${hasFonts} ${head.status} ${head.path ?? head.title}`;
    return find(key) ?? keep(key);
  };
}

// The possible names of built files, which no page has. The built page itself is never sent as a file.
const fileName = /^\/(?!index\.html|server\/)([\w-]+\/)*[\w-]+(\.[\w-]+)+$/;
const pathOf = (request: FastifyRequest) => request.url.split('?')[0] ?? '';

const noPage = /^\/(api|hubs|health|assets|server|locales|logos|videos)(\/|$)/;

// A browser accepts HTML by name. A program that accepts anything, such as one that makes link
// previews, gets a page only where one exists.
function wantsPage(request: FastifyRequest): 'yes' | 'ifExists' | 'no' {
  if (request.method !== 'GET' && request.method !== 'HEAD') return 'no';
  const accept = request.headers.accept ?? '*/*';
  if (accept.includes('text/html')) return 'yes';
  return accept.includes('*/*') ? 'ifExists' : 'no';
}

/**
 * What a device needs to put the portal on its home screen, which iPhones need for messages to
 * browsers. It opens at the services: the home page ends the session (specification §2).
 */
const writeManifest = (
  language: Language,
  { name, shortName, logo, isShippedLogo }: Site,
  description: string,
): string =>
  JSON.stringify({
    id: '/',
    name: name[language],
    short_name: shortName[language],
    description,
    lang: language,
    dir: directionOf(language),
    start_url: '/home/services',
    scope: '/',
    display: 'standalone',
    background_color: '#ffffff',
    theme_color: '#ffffff',
    icons: isShippedLogo
      ? [
          { src: '/app-icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
          { src: '/app-icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
          { src: '/app-icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
          { src: logo, sizes: 'any', type: 'image/svg+xml' },
        ]
      : [{ src: logo, sizes: 'any', type: logo.endsWith('.svg') ? 'image/svg+xml' : 'image/png' }],
  });

/** Serves the built portal. Every address that is not a file is a page with its own head. */
export async function servePortal(server: FastifyInstance, portal: Portal): Promise<void> {
  const isBuilt = existsSync(rendererFile(portal.folder));
  if (isBuilt) {
    await server.register(async (files) => {
      const findTexts = openOverriddenTexts();
      files.addHook('onRequest', async (request, reply) => {
        const path = pathOf(request);
        if (!fileName.test(path)) return reply.callNotFound();
        if (path === '/configuration.json')
          return sendCachedBody(
            request,
            varyBy(reply, 'host').type('application/json; charset=utf-8'),
            createCachedBody(
              JSON.stringify(
                writeConfiguration(portal.configuration.content(request.headers.host), {
                  isDemonstration: portal.isDemonstration,
                  now: new Date(),
                }),
              ),
            ),
          );
        const texts = findTexts(path);
        if (!texts) return undefined;
        const caching = cacheControlOf(path.slice(1), request.url);
        return sendCachedBody(
          request,
          reply.type('application/json; charset=utf-8'),
          texts,
          caching,
        );
      });
      await files.register(staticFiles, {
        root: portal.folder,
        index: false,
        preCompressed: true,
        cacheControl: false,
        etag: true,
        dotfiles: 'ignore',
        decorateReply: false,
        setHeaders: (reply, path) => {
          reply.header(
            'cache-control',
            cacheControlOf(relative(portal.folder, path).replaceAll('\\', '/'), reply.request.url),
          );
        },
      });
    });
  }
  const { site, headOf } = portal;
  server.get(manifestPath, (request, reply) => {
    const search = new URLSearchParams(request.url.slice(manifestPath.length));
    const language = languageOfPage(search, request.headers.cookie);
    const text = writeManifest(language, site(), headOf('/home', language).description);
    return sendCachedBody(
      request,
      varyBy(reply, 'cookie').type('application/manifest+json; charset=utf-8'),
      createCachedBody(text),
    );
  });
  const pageAt = openPages(server, portal);
  server.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request);
    const wants = isBuilt && !noPage.test(path) ? wantsPage(request) : 'no';
    if (wants === 'no') throw new Refusal('NotFound');
    const search = request.url.slice(path.length);
    const { status, page, inline } = await pageAt({
      path,
      search,
      language: languageOfPage(new URLSearchParams(search), request.headers.cookie),
      theme: themeOfPage(request.headers.cookie),
      host: request.headers.host ?? '',
      cookies: request.headers.cookie,
      // Written by `session.ts` of the portal.
      isSignedIn: /(?:^|;\s*)signed-in=1/.test(request.headers.cookie ?? ''),
    });
    if (wants === 'ifExists' && status === 404) throw new Refusal('NotFound');
    reply.header('content-security-policy', server.pagePolicy(request.raw, inline));
    return sendCachedBody(
      request,
      varyBy(reply, 'cookie').status(status).type('text/html; charset=utf-8'),
      page,
    );
  });
}
