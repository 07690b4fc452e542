import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest, Plugin } from 'vite';
import { readStyleParts } from './style-parts.ts';

const id = 'virtual:portal-files';

/** The files that a page of the portal names, from the manifest of the build in `dist`. */
export function readPortalFiles(dist: string) {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest;
  // Chunks have the names that `chunks.ts` gives them, or those of their module.
  const find = (chunk: string) => {
    const found = Object.values(manifest).find(({ name }) => name === chunk);
    if (!found) throw new Error(`The build of the portal has no chunk ${chunk}`);
    return found;
  };
  const home = find('home-page');
  const loadHome = Object.values(manifest).filter(({ imports = [] }) =>
    imports.some((key) => manifest[key] === home),
  );
  // Specification §2: home is loaded on demand.
  if (loadHome.length > 0)
    throw new Error(`${loadHome.map(({ file }) => file).join(', ')} load the home page's file`);
  const entry = find('index');
  const portal = find('portal');
  const [stylesheet] = entry.css ?? [];
  if (stylesheet === undefined) throw new Error('The portal has no style sheet');
  const imported = (portal.imports ?? [])
    .flatMap((key) => manifest[key] ?? [])
    .filter(({ isEntry }) => !isEntry);
  return {
    script: `/${entry.file}`,
    stylesheet: `/${stylesheet}`,
    preloads: [portal, ...imported].map(({ file }) => `/${file}`),
    home: `/${home.file}`,
  };
}

/**
 * The module `virtual:portal-files`, for the part of the portal that makes pages: what a page names
 * (`files`) and the parts of the style sheet (`styleParts`). The browser's part is built before.
 */
export const portalFiles = (dist: string): Plugin => ({
  name: 'portal-files',
  resolveId: (source) => (source === id ? `\0${id}` : undefined),
  load(source) {
    if (source !== `\0${id}`) return undefined;
    const files = readPortalFiles(dist);
    const styleParts = readStyleParts(readFileSync(join(dist, files.stylesheet), 'utf8'));
    return `export const files=${JSON.stringify(files)},styleParts=${JSON.stringify(styleParts)};`;
  },
});
