import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import staticFiles from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Language } from '@diwan/contract/wire/languages';
import { keepBytes, sendKept, varyBy, type KeptBytes } from '../core/kept-bytes.ts';
import { fillPage, languageOfPage, writeHead, type PageHead, type Site } from './page-head.ts';
import { Refusal } from '../core/refusals.ts';

/**
 * `folder` holds the built portal; `headOf` knows what is at a path, which comes as the browser
 * sent it.
 */
export interface Portal {
  folder: string;
  site: Site;
  headOf: (path: string, language: Language) => PageHead;
}

/**
 * How long a browser may keep a file: those with a hash in their name for a year; logos, texts and
 * films for a day, and texts are asked for by the hash of
 * the build, so that a new build is seen at once; the page itself and the configuration are asked
 * for again every time.
 */
function keepingOf(place: string): string {
  if (place.startsWith('assets/')) return 'public, max-age=31536000, immutable';
  return /^(logos|locales|videos)\/|\.(svg|png)(\.|$)/.test(place)
    ? 'public, max-age=86400'
    : 'no-cache';
}

/** The page as it was built; a build made while the server runs is seen at the next request. */
function openTemplate(path: string): () => Promise<{ text: string; version: string }> {
  let template = { text: '', version: '' };
  return async () => {
    const { mtimeMs, size } = await stat(path);
    const version = `${mtimeMs} ${size}`;
    if (version !== template.version) template = { text: await readFile(path, 'utf8'), version };
    return template;
  };
}

// More pages than a catalogue of a thousand services has in three languages; one takes about 8 kB.
const mostKept = 4000;

/** Every page of the portal is one file with another head; each is written and compressed once. */
function openPages({
  folder,
  site,
  headOf,
}: Portal): (path: string, language: Language) => Promise<{ status: number; page: KeptBytes }> {
  const readTemplate = openTemplate(join(folder, 'index.html'));
  const kept = new Map<string, { made: string; page: KeptBytes }>();
  return async (path, language) => {
    const { text, version } = await readTemplate();
    const found = headOf(path, language);
    const head = writeHead(found, language, site);
    // Unlisted pages of one title share one place, so that made-up addresses take no memory.
    const name = `${language} ${found.status} ${found.path ?? found.title}`;
    const made = `${version} ${head} ${JSON.stringify(found.opening)}`;
    const known = kept.get(name);
    if (known?.made === made) return { status: found.status, page: known.page };
    if (kept.size >= mostKept) kept.clear();
    const page = keepBytes(fillPage(text, head, found.opening, language));
    kept.set(name, { made, page });
    return { status: found.status, page };
  };
}

/**
 * What a built file can be called, and no page is; the page itself is never sent as it was built.
 * Whoever asks for anything else looks for a page.
 */
const isFileName = /^\/(?!index\.html)([\w-]+\/)*[\w-]+(\.[\w-]+)+$/;
const pathOf = (request: FastifyRequest) => request.url.split('?')[0] ?? '';

const isNoPage = /^\/(api|hubs|health|assets|locales|logos|videos)(\/|$)/;

/**
 * A browser asks for HTML by name. What asks for anything, such as a program that draws the preview
 * of a link, gets a page where there is one.
 */
function wantsPage(request: FastifyRequest): 'surely' | 'perhaps' | 'no' {
  if (request.method !== 'GET' && request.method !== 'HEAD') return 'no';
  const accept = request.headers.accept ?? '*/*';
  if (accept.includes('text/html')) return 'surely';
  return accept.includes('*/*') ? 'perhaps' : 'no';
}

/**
 * Serves the built portal; every address that is no file is a page of it, with a head of its own.
 */
export async function servePortal(server: FastifyInstance, portal: Portal): Promise<void> {
  const isBuilt = existsSync(portal.folder);
  if (isBuilt) {
    await server.register(async (files) => {
      files.addHook('onRequest', async (request, reply) =>
        isFileName.test(pathOf(request)) ? undefined : reply.callNotFound(),
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
            keepingOf(relative(portal.folder, path).replaceAll('\\', '/')),
          );
        },
      });
    });
  }
  const pageAt = openPages(portal);
  server.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request);
    const wants = isBuilt && !isNoPage.test(path) ? wantsPage(request) : 'no';
    if (wants === 'no') throw new Refusal('NotFound');
    const { status, page } = await pageAt(
      path,
      languageOfPage(new URLSearchParams(request.url.slice(path.length)), request.headers.cookie),
    );
    if (wants === 'perhaps' && status === 404) throw new Refusal('NotFound');
    return sendKept(
      request,
      varyBy(reply, 'cookie').status(status).type('text/html; charset=utf-8'),
      page,
    );
  });
}
