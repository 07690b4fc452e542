import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { build, type Plugin } from 'vite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { compress } from './compress.ts';
import { excludeFolder } from './exclude-folder.ts';
import { listFiles } from './list-files.ts';
import { pdfAssets } from './pdf-assets.ts';
import { portalFiles, readPortalFiles } from './portal-files.ts';
import { hashTexts, textsVersion } from './texts-version.ts';

let root: string;
let outDir: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'diwan-build-'));
  outDir = join(root, 'dist');
  await write('index.html', '<head></head><script type="module" src="/main.ts"></script>');
  await write('main.ts', `import('./portal.ts'); console.log(import.meta.env);`);
  await write('portal.ts', `import './library.ts'; console.log('portal');`);
  await write('library.ts', `console.log('library');`);
  await write('public/configuration.json', '{}');
  await write('public/locales/en-US/shell.json', '{"menu":"Menu"}');
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(name: string, content: string): Promise<void> {
  await mkdir(join(root, name, '..'), { recursive: true });
  await writeFile(join(root, name), content);
}

/** Builds the small portal above; returns the names of what was built. */
async function buildWith(...plugins: readonly Plugin[]): Promise<readonly string[]> {
  const groups = [
    { name: 'portal', test: /portal\.tsx?$/, includeDependenciesRecursively: false },
    { name: 'library', test: /library\.ts$/ },
  ];
  await build({
    configFile: false,
    root,
    logLevel: 'silent',
    plugins: [...plugins],
    build: { outDir, manifest: true, rolldownOptions: { output: { codeSplitting: { groups } } } },
  });
  return listFiles(outDir).map((path) => path.slice(outDir.length + 1));
}
const read = (name: string) => readFile(join(outDir, name));

it('compress writes copies of texts, but not of what changes after the build', async () => {
  const files = await buildWith(compress(outDir));
  const texts = files.filter((name) => /\.(js|json)$/.test(name) && name !== 'configuration.json');
  expect(texts).toContain('locales/en-US/shell.json');
  for (const name of texts) {
    expect(gunzipSync(await read(`${name}.gz`))).toEqual(await read(name));
    expect(brotliDecompressSync(await read(`${name}.br`))).toEqual(await read(name));
  }
  expect(files.filter((name) => /^(configuration\.json|index\.html)\./.test(name))).toEqual([]);
});

it('portal-files names the entry, the portal with its imports, and the code of the home page', async () => {
  await write('index.html', '<head></head><script type="module" src="/src/main.tsx"></script>');
  await write('src/main.tsx', `import './main.css'; import('./portal.tsx');`);
  await write('src/main.css', `a { top: 0 }`);
  await write(
    'src/portal.tsx',
    `import '../library.ts'; import('./home-page.tsx'); console.log('portal');`,
  );
  await write('src/home-page.tsx', `console.log('home');`);
  const files = await buildWith();
  const { script, stylesheet, preloads, home } = readPortalFiles(outDir);
  expect(script).toMatch(/^\/assets\/index-[\w-]+\.js$/);
  expect(stylesheet).toMatch(/^\/assets\/index-[\w-]+\.css$/);
  expect(preloads).toEqual([
    expect.stringMatching(/^\/assets\/portal-/),
    expect.stringMatching(/^\/assets\/library-/),
  ]);
  expect(preloads).not.toContain(home);
  for (const file of [script, stylesheet, home, ...preloads])
    expect(files).toContain(file.slice(1));
  const module = (portalFiles(outDir).load as (id: string) => string)('\0virtual:portal-files');
  expect(module).toContain(home);
  expect(module).toContain('"text":"top:0"');
});

it('portal-files fails where another page loads the file of the home page', async () => {
  await write('portal.ts', `import('./home-page.ts'); import('./other-page.ts');`);
  await write('home-page.ts', `export const shared = 'shared'; console.log('home');`);
  await write('other-page.ts', `import { shared } from './home-page.ts'; console.log(shared);`);
  await write('main.ts', `import './style.css'; import('./portal.ts');`);
  await write('style.css', 'a{top:0}');
  await buildWith();
  expect(() => readPortalFiles(outDir)).toThrow(
    /^assets\/other-page-[\w-]+\.js load the home page's file$/,
  );
});

it('portal-files fails where the build has no portal', async () => {
  await write('main.ts', `console.log('no portal');`);
  await buildWith();
  expect(() => readPortalFiles(outDir)).toThrow('has no chunk');
});

it('exclude-folder fails for a module of the folder, also in a chunk that loads lazily', async () => {
  await write('gallery/page.ts', `console.log('gallery');`);
  await write(
    'portal.ts',
    `if (import.meta.env.MODE === 'development') import('./gallery/page.ts');`,
  );
  await buildWith(excludeFolder(join(root, 'gallery')));
  await write('portal.ts', `import('./gallery/page.ts');`);
  await expect(buildWith(excludeFolder(join(root, 'gallery')))).rejects.toThrow('gallery/page.ts');
});

it('pdf-assets adds what pdf.js fetches by name, and sets its address', async () => {
  const files = await buildWith(pdfAssets());
  const folder = /assets\/pdf-[\d-]+\//.exec(files.join('\n'))?.[0] ?? '';
  expect(folder).not.toBe('');
  const assets = files.filter((name) => name.startsWith(folder));
  expect(assets).toContain(`${folder}wasm/openjpeg_nowasm_fallback.js`);
  for (const kind of [/cmaps\/.*\.bcmap$/, /standard_fonts\/.*\.pfb$/, /standard_fonts\/.*\.ttf$/])
    expect(assets.some((name) => kind.test(name))).toBe(true);
  const main = files.find((name) => /^assets\/(index|main)-.*\.js$/.test(name)) ?? '';
  expect(String(await read(main))).toContain(`/${folder}`);
});

it('texts-version changes with a text and with the name of a file', async () => {
  const folder = join(root, 'public/locales');
  const first = hashTexts(folder);
  expect(first).toMatch(/^[\da-f]{10}$/);
  await write('public/locales/en-US/shell.json', '{"menu":"Contents"}');
  const second = hashTexts(folder);
  await write('public/locales/en-US/errors.json', '{}');
  expect(new Set([first, second, hashTexts(folder)]).size).toBe(3);
  const files = await buildWith(textsVersion(folder));
  const main = files.find((name) => /^assets\/(index|main)-.*\.js$/.test(name)) ?? '';
  expect(String(await read(main))).toContain(hashTexts(folder));
});
