import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Language } from '@diwan/contract/wire/languages';
import { overridesVersion, findOverriddenTexts } from '../core/locale-texts.ts';
import { escapeJson, type RenderedPage } from './page-head.ts';
import { usedStyles } from './used-styles.ts';

/** Where a page is, in the terms of `window.location`. */
interface PageOrigin {
  protocol: string;
  host: string;
  hostname: string;
}

/** What the portal exports for the server: `web/src/entry-server.tsx`. */
interface PortalEntry {
  loadTexts(read: (language: Language, namespace: string) => Promise<unknown>): Promise<void>;
  queryOf(path: string, search: string): string | undefined;
  renderPage(request: {
    path: string;
    search: string;
    language: Language;
    origin: PageOrigin;
    configuration: unknown;
    dismissed: readonly string[];
    hasFonts: boolean;
    replies: ReadonlyMap<string, unknown>;
  }):
    | {
        html: string;
        queries: readonly (readonly [key: readonly unknown[], reply: unknown])[];
        missing: readonly string[];
        fontFaces: string;
        fontFiles: readonly string[];
      }
    | undefined;
}

/** A page to render. */
export interface RenderAddress {
  path: string;
  /** As `queryOf` writes it. */
  search: string;
  language: Language;
  origin: PageOrigin;
  /** The marks of announcements that the page does not show. */
  dismissed: readonly string[];
  /** The browser has kept the fonts of the language. */
  hasFonts: boolean;
}

/** Renders the first screens of the portal for visitors: decision 0048. */
export interface PageRenderer {
  /** The part of a query that a page depends on; undefined for a page that only browsers render. */
  queryOf(path: string, search: string): string | undefined;
  /** Undefined where only browsers can render the page now, and when too many pages wait. */
  render(address: RenderAddress): Promise<RenderedPage | undefined>;
}

// A page waits for its lists, and lists for what is known of them.
const maximumRounds = 3;
// More pages are sent without their first screen, which the browser then renders.
const maximumWaiting = 8;

/** Keeps one language of texts that are in all of them; `rendered-page.ts` of the portal reads it. */
const inLanguage = (value: unknown, language: Language): unknown =>
  JSON.parse(JSON.stringify(value), (_, each: Record<string, unknown> | null) =>
    typeof each?.[language] === 'string' ? { [language]: each[language] } : each,
  );

/** The styles of a build, and the elements of its warning. */
async function readStyles(folder: string): Promise<{ css: string; warning: string }> {
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  const [, path] = /<link rel="stylesheet"[^>]* href="\/([^"]+)"/.exec(page) ?? [];
  const [, warning = ''] = /<template id="demo-warning">([^]*?)<\/template>/.exec(page) ?? [];
  return { css: path === undefined ? '' : await readFile(join(folder, path), 'utf8'), warning };
}

const readJson = async (path: string): Promise<unknown> => JSON.parse(await readFile(path, 'utf8'));

/**
 * Opens the renderer of the built portal in `folder`; undefined where the build has none. One page
 * is rendered at a time, and then as much time is left to other work. With `hasWarning` the pages
 * have the warning of a demonstration.
 */
export async function openPageRenderer(
  server: FastifyInstance,
  folder: string,
  hasWarning: boolean,
): Promise<PageRenderer | undefined> {
  const file = join(folder, 'server', 'entry-server.js');
  const found = await stat(file).catch(() => undefined);
  if (!found) return undefined;
  const { href } = pathToFileURL(file);
  const entry = (await import(`${href}?${found.mtimeMs}`)) as PortalEntry;
  let textsVersion: string | undefined;
  // All texts are of one version: pages are rendered one after the other.
  async function loadTexts(): Promise<void> {
    if (textsVersion === overridesVersion()) return;
    const version = overridesVersion();
    await entry.loadTexts(
      async (language, namespace) =>
        findOverriddenTexts(language, namespace) ??
        readJson(join(folder, 'locales', language, `${namespace}.json`)),
    );
    textsVersion = version;
  }
  await loadTexts();
  const { css, warning } = await readStyles(folder);
  const configurationFile = join(folder, 'configuration.json');

  async function call(address: string): Promise<unknown> {
    const { statusCode, body } = await server.inject({ url: address });
    if (statusCode !== 200) throw new Error(`${address}: ${statusCode}`);
    return JSON.parse(body);
  }

  async function render(address: RenderAddress): Promise<RenderedPage | undefined> {
    await loadTexts();
    const configuration = await readJson(configurationFile).catch(() => ({}));
    const replies = new Map<string, unknown>();
    for (let round = 0; round < maximumRounds; round += 1) {
      const page = entry.renderPage({ ...address, configuration, replies });
      if (!page) return undefined;
      if (page.missing.length === 0) {
        const { html, queries, fontFiles } = page;
        const styles =
          page.fontFaces + usedStyles(css, html + (hasWarning ? warning : ''), address.language);
        const { language } = address;
        const state = escapeJson(inLanguage({ language, queries }, language));
        return { html, styles, fontFiles, state };
      }
      const found = await Promise.all(
        page.missing.map(async (each) => [each, await call(each)] as const),
      );
      for (const [each, reply] of found) replies.set(each, reply);
    }
    return undefined;
  }

  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  return {
    queryOf: entry.queryOf,
    async render(address) {
      if (waiting >= maximumWaiting) return undefined;
      waiting += 1;
      const rendered = last.then(() => render(address));
      const began = last.then(() => performance.now());
      last = rendered
        .catch(() => undefined)
        .then(async () => sleep(performance.now() - (await began)));
      try {
        return await rendered;
      } catch (error) {
        server.log.warn(error, `${address.path} was not rendered`);
        return undefined;
      } finally {
        waiting -= 1;
      }
    },
  };
}
