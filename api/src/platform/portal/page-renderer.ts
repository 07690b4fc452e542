import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { PageRequest, PortalRenderer, RenderedScreen } from '@diwan/contract/portal/document';
import { overridesVersion, findOverriddenTexts } from '../core/locale-texts.ts';

/** A screen to render. `search` is as `queryOf` writes it. */
export type RenderAddress = Omit<PageRequest, 'configuration' | 'replies'>;

/** Renders the pages of the portal: decisions 0048 and 0105. */
export interface PageRenderer extends Pick<PortalRenderer, 'queryOf' | 'renderDocument'> {
  /** Undefined where only browsers can render the screen now, and when too many pages wait. */
  render(address: RenderAddress): Promise<RenderedScreen | undefined>;
}

// A page waits for its lists, and lists for what is known of them.
const maximumRounds = 3;
// More pages are sent without their first screen, which the browser then renders.
const maximumWaiting = 8;

/** The server refused a call because of its load. */
class BusyServer extends Error {}

const readJson = async (path: string): Promise<unknown> => JSON.parse(await readFile(path, 'utf8'));

/** The code of the portal that makes pages. */
export const rendererFile = (folder: string): string => join(folder, 'server', 'entry-server.js');

/** The built portal in `folder`, and what browsers on a host read as its configuration. */
export interface BuiltPortal {
  folder: string;
  configurationOf: (host: string) => object;
}

/**
 * Opens the renderer of the built portal, of a version of its file. One screen is rendered at a time,
 * and then as much time is left to other work.
 */
export async function openPageRenderer(
  server: FastifyInstance,
  { folder, configurationOf }: BuiltPortal,
  version: string,
): Promise<PageRenderer> {
  const { href } = pathToFileURL(rendererFile(folder));
  const { portalRenderer: entry } = (await import(`${href}?${version}`)) as {
    portalRenderer: PortalRenderer;
  };
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

  async function call(address: string): Promise<unknown> {
    const { statusCode, body } = await server.inject({ url: address });
    // A busy server refuses its own calls as those of browsers, which then render the page.
    if (statusCode === 503) throw new BusyServer(`${address} was refused`);
    if (statusCode !== 200) throw new Error(`${address}: ${statusCode}`);
    return JSON.parse(body);
  }

  async function render(address: RenderAddress): Promise<RenderedScreen | undefined> {
    await loadTexts();
    const configuration = configurationOf(address.origin.host);
    const replies = new Map<string, unknown>();
    for (let round = 0; round < maximumRounds; round += 1) {
      const screen = entry.renderScreen({ ...address, configuration, replies });
      if (!screen || screen.missing.length === 0) return screen;
      const found = await Promise.all(
        screen.missing.map(async (each) => [each, await call(each)] as const),
      );
      for (const [each, reply] of found) replies.set(each, reply);
    }
    return undefined;
  }

  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  return {
    queryOf: entry.queryOf,
    renderDocument: entry.renderDocument,
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
        if (error instanceof BusyServer)
          server.log.info(`${address.path} was not rendered: ${error.message}`);
        else server.log.warn(error, `${address.path} was not rendered`);
        return undefined;
      } finally {
        waiting -= 1;
      }
    },
  };
}
