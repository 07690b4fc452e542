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
import { preloadPortal } from './preload-portal.ts';
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
    { name: 'portal', test: /portal\.ts$/, includeDependenciesRecursively: false },
    { name: 'library', test: /library\.ts$/ },
  ];
  await build({
    configFile: false,
    root,
    logLevel: 'silent',
    plugins: [...plugins],
    build: { outDir, rolldownOptions: { output: { codeSplitting: { groups } } } },
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

it('preload-portal names the portal and its imports in the page', async () => {
  const files = await buildWith(preloadPortal(join(root, 'portal.ts')));
  const page = String(await read('index.html'));
  for (const name of ['portal', 'library']) {
    const file = files.find((one) => one.startsWith(`assets/${name}-`));
    expect(page).toContain(`<link rel="modulepreload" crossorigin href="/${file}">`);
  }
});

it('preload-portal names the chunk of a page in its opening only', async () => {
  await write('page.ts', `console.log('page');`);
  await write('portal.ts', `import './library.ts'; import('./page.ts');`);
  await write(
    'index.html',
    '<head></head><template><!-- opening home --><p></p><!-- opening page --><p></p></template>' +
      '<script type="module" src="/main.ts"></script>',
  );
  const files = await buildWith(
    preloadPortal(join(root, 'portal.ts'), { home: join(root, 'page.ts') }),
  );
  const file = files.find((one) => one.startsWith('assets/page-'));
  const [head = '', home = '', other = ''] = String(await read('index.html')).split(/<!-- opening/);
  expect(home).toContain(`<link rel="modulepreload" crossorigin href="/${file}">`);
  expect(head + other).not.toContain(`/${file}`);
});

it('preload-portal fails where no chunk holds the portal, and where a page has no opening', async () => {
  await expect(
    buildWith(preloadPortal(join(root, 'portal.ts'), { home: join(root, 'portal.ts') })),
  ).rejects.toThrow('opening home');
  await expect(buildWith(preloadPortal(join(root, 'gone.ts')))).rejects.toThrow('No chunk holds');
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
