import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import staticFiles from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Language } from '@diwan/contract/wire/languages';
import {
  createCachedBody,
  sendCachedBody,
  varyBy,
  type CachedBody,
} from '../http/response-cache.ts';
import { fillPage, languageOfPage, writeHead, type PageHead, type Site } from './page-head.ts';
import { Refusal } from '../core/refusals.ts';

/**
 * `folder` contains the built portal. `headOf` returns the head of a path, which comes as the browser
 * sent it.
 */
export interface Portal {
  folder: string;
  site: Site;
  headOf: (path: string, language: Language) => PageHead;
}

// How long browsers may cache a file: a year for names with a hash, a day for logos, videos and texts
// (whose addresses have the hash of the build). The page and the configuration are revalidated every
// time.
function cacheControlOf(path: string): string {
  if (path.startsWith('assets/')) return 'public, max-age=31536000, immutable';
  return /^(logos|locales|videos)\/|\.(svg|png)(\.|$)/.test(path)
    ? 'public, max-age=86400'
    : 'no-cache';
}

// Reads the built page. A new build is read at the next request.
function openTemplate(path: string): () => Promise<{ text: string; version: string }> {
  let template = { text: '', version: '' };
  return async () => {
    const { mtimeMs, size } = await stat(path);
    const version = `${mtimeMs} ${size}`;
    if (version !== template.version) template = { text: await readFile(path, 'utf8'), version };
    return template;
  };
}

// More than the pages of a thousand services in three languages. A page takes about 8 kB.
const maximumPages = 4000;

// Every page is the same file with another head. Each is rendered and compressed once.
function openPages({
  folder,
  site,
  headOf,
}: Portal): (path: string, language: Language) => Promise<{ status: number; page: CachedBody }> {
  const readTemplate = openTemplate(join(folder, 'index.html'));
  const pages = new Map<string, { source: string; page: CachedBody }>();
  return async (path, language) => {
    const { text, version } = await readTemplate();
    const found = headOf(path, language);
    const head = writeHead(found, language, site);
    // Pages without a path share an entry by title, so that invented addresses take no memory.
    const key = `${language} ${found.status} ${found.path ?? found.title}`;
    const source = `${version} ${head} ${JSON.stringify(found.opening)}`;
    const known = pages.get(key);
    if (known?.source === source) return { status: found.status, page: known.page };
    if (pages.size >= maximumPages) pages.clear();
    const page = createCachedBody(
      fillPage(text, { head, opening: found.opening, warning: site.warning }, language),
    );
    pages.set(key, { source, page });
    return { status: found.status, page };
  };
}

// The possible names of built files, which no page has. The built page itself is never sent as a file.
const fileName = /^\/(?!index\.html)([\w-]+\/)*[\w-]+(\.[\w-]+)+$/;
const pathOf = (request: FastifyRequest) => request.url.split('?')[0] ?? '';

const noPage = /^\/(api|hubs|health|assets|locales|logos|videos)(\/|$)/;

// A browser accepts HTML by name. A program that accepts anything, such as one that makes link
// previews, gets a page only where one exists.
function wantsPage(request: FastifyRequest): 'yes' | 'ifExists' | 'no' {
  if (request.method !== 'GET' && request.method !== 'HEAD') return 'no';
  const accept = request.headers.accept ?? '*/*';
  if (accept.includes('text/html')) return 'yes';
  return accept.includes('*/*') ? 'ifExists' : 'no';
}

/** Serves the built portal. Every address that is no file is a page with a head of its own. */
export async function servePortal(server: FastifyInstance, portal: Portal): Promise<void> {
  const isBuilt = existsSync(portal.folder);
  if (isBuilt) {
    await server.register(async (files) => {
      files.addHook('onRequest', async (request, reply) =>
        fileName.test(pathOf(request)) ? undefined : reply.callNotFound(),
      );
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
            cacheControlOf(relative(portal.folder, path).replaceAll('\\', '/')),
          );
        },
      });
    });
  }
  const pageAt = openPages(portal);
  server.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request);
    const wants = isBuilt && !noPage.test(path) ? wantsPage(request) : 'no';
    if (wants === 'no') throw new Refusal('NotFound');
    const { status, page } = await pageAt(
      path,
      languageOfPage(new URLSearchParams(request.url.slice(path.length)), request.headers.cookie),
    );
    if (wants === 'ifExists' && status === 404) throw new Refusal('NotFound');
    return sendCachedBody(
      request,
      varyBy(reply, 'cookie').status(status).type('text/html; charset=utf-8'),
      page,
    );
  });
}
