import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const server = 'http://localhost:3000';
// A second build beside the one that is being served.
const dist = process.env['PORTAL_DIR'] ?? join(import.meta.dirname, 'dist');
const source = join(import.meta.dirname, 'src');

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)).sort();
}

/** Texts are compressed once, here, and the server hands the compressed files out as they are. The configuration is changed after the build, so it has no copies. */
function compress(): Plugin {
  return {
    name: 'compress',
    apply: 'build',
    closeBundle() {
      for (const path of filesOf(dist)) {
        if (!/\.(js|css|json|svg|html)$/.test(path) || path.endsWith('configuration.json')) continue;
        const content = readFileSync(path);
        writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
        writeFileSync(`${path}.br`, brotliCompressSync(content));
      }
    },
  };
}

/** What the first script will ask for is named in the page already, so that it comes with it and not after it. */
function preloadPortal(): Plugin {
  return {
    name: 'preload-portal',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const portal = chunks.find((chunk) => chunk.moduleIds.includes(join(source, 'portal.tsx')));
        const names = portal ? [portal.fileName, ...portal.imports].filter((name) => !chunks.some((chunk) => chunk.fileName === name && chunk.isEntry)) : [];
        return names.map((name) => ({ tag: 'link', attrs: { rel: 'modulepreload', crossorigin: true, href: `/${name}` }, injectTo: 'head' as const }));
      },
    },
  };
}

/** Small parts that pages share come in one file, not in twenty; what needs react-aria stays with the pages that use it. */
function isSmallPart(path: string): boolean {
  return /lucide-react|web\/src\/(ui|lib)\/.*\.tsx?$/.test(path) && !readFileSync(path, 'utf8').includes('react-aria-components');
}

/** The first page in three files: what starts it, the libraries, which change rarely, and the portal with its home page. */
const codeSplitting = {
  groups: [
    { name: 'start', tags: ['$initial' as const], priority: 3 },
    { name: 'libraries', test: /node_modules\/(react|react-dom|scheduler|react-router|i18next|react-i18next|@tanstack)\//, priority: 2 },
    { name: 'portal', test: /web\/src\/portal\.tsx$/, priority: 1 },
    { name: 'kit', test: isSmallPart, minShareCount: 2, includeDependenciesRecursively: false },
  ],
};

const textsVersion = createHash('sha256');
for (const path of filesOf(join(import.meta.dirname, 'public/locales'))) textsVersion.update(path.slice(import.meta.dirname.length)).update(readFileSync(path));

// The strict content policy allows no `data:` fonts, so nothing is inlined into the style sheets.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), compress(), preloadPortal()],
  // No schema runs in the browser: decision 0008.
  resolve: { alias: [{ find: /^zod$/, replacement: join(source, 'lib/zod-in-browser.ts') }] },
  define: { 'import.meta.env.VITE_TEXTS_VERSION': JSON.stringify(textsVersion.digest('hex').slice(0, 10)) },
  build: { outDir: dist, emptyOutDir: true, assetsInlineLimit: 0, sourcemap: false, modulePreload: { polyfill: false }, rolldownOptions: { output: { codeSplitting } } },
  server: { port: 5173, proxy: { '/api': server, '/health': server, '/openapi.json': server, '/hubs': { target: server, ws: true } } },
});
