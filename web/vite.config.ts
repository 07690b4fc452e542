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
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/**
 * Texts are compressed once, here, and the server hands the compressed files out as they are. The
 * configuration is changed after the build, and the page for each address, so they have no copies.
 */
function compress(): Plugin {
  return {
    name: 'compress',
    apply: 'build',
    closeBundle() {
      for (const path of filesOf(dist)) {
        if (
          !/\.(m?js|css|json|svg|html)$/.test(path) ||
          /(configuration\.json|index\.html)$/.test(path)
        )
          continue;
        const content = readFileSync(path);
        writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
        writeFileSync(`${path}.br`, brotliCompressSync(content));
      }
    },
  };
}

/**
 * What the first script will ask for is named in the page already, so that it comes with it and not
 * after it.
 */
function preloadPortal(): Plugin {
  return {
    name: 'preload-portal',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const portal = chunks.find((chunk) => chunk.moduleIds.includes(join(source, 'portal.tsx')));
        const names = portal
          ? [portal.fileName, ...portal.imports].filter(
              (name) => !chunks.some((chunk) => chunk.fileName === name && chunk.isEntry),
            )
          : [];
        return names.map((name) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/${name}` },
          injectTo: 'head' as const,
        }));
      },
    },
  };
}

interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  [part: string]: unknown;
}

/** What of a call only the server and its description read. */
const unread = /^(summary|who|params|query|body|refusals)$/;
// What several calls share is spread into them and has no key of its own.
const isOfServer = ({ key, value }: { key?: { name: string }; value: SyntaxNode }) =>
  key !== undefined &&
  (unread.test(key.name) || (key.name === 'reply' && value.type !== 'Literal'));

/**
 * The calls of one file of the contract without that, and its schemas marked as free of effects, so
 * that they leave the portal.
 */
function shorten(code: string, declarations: readonly SyntaxNode[]): string {
  const edits: { start: number; end: number; text: string }[] = [];
  for (const { id, init } of declarations as unknown as {
    id: SyntaxNode;
    init: SyntaxNode | null;
  }[]) {
    if (init?.type !== 'CallExpression' || id.type !== 'Identifier') continue;
    const {
      callee,
      arguments: [call],
    } = init as unknown as {
      callee: { name?: string };
      arguments: { properties: (SyntaxNode & { key: { name: string }; value: SyntaxNode })[] }[];
    };
    if (callee.name !== 'defineCall')
      edits.push({
        start: init.start,
        end: init.end,
        text: `/* @__PURE__ */ (() => ${code.slice(init.start, init.end)})()`,
      });
    else
      for (const part of call?.properties ?? [])
        if (isOfServer(part))
          edits.push({
            start: part.start,
            end: code.slice(part.end).match(/^\s*,/) ? code.indexOf(',', part.end) + 1 : part.end,
            text: '',
          });
  }
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce(
      (text, { start, end, text: put }) => text.slice(0, start) + put + text.slice(end),
      code,
    );
}

/**
 * The browser sends calls and runs no schema: decision 0008. In development too, so that both are
 * one program.
 */
function shortCalls(): Plugin {
  return {
    name: 'short-calls',
    transform: {
      filter: { id: /contract\/src\/[\w/-]+\.ts$/ },
      handler(code) {
        const statements = this.parse(code).body as unknown as (SyntaxNode & {
          declaration?: SyntaxNode | null;
          declarations?: SyntaxNode[];
        })[];
        return {
          code: shorten(
            code,
            statements.flatMap(
              (one) => ((one.declaration ?? one).declarations as SyntaxNode[] | undefined) ?? [],
            ),
          ),
          map: null,
        };
      },
    },
  };
}

const pdfLibrary = join(import.meta.dirname, '../node_modules/pdfjs-dist');

/**
 * What pdf.js asks for by name while it reads a document: character maps, the standard fonts, and
 * its decoder without WebAssembly, which the content policy does not let run.
 */
function pdfParts(): Plugin {
  const { version } = JSON.parse(readFileSync(join(pdfLibrary, 'package.json'), 'utf8')) as {
    version: string;
  };
  const place = `assets/pdf-${version.replaceAll('.', '-')}/`;
  const isPart =
    /(cmaps|standard_fonts)\/[\w-]+\.(bcmap|pfb|ttf)$|wasm\/openjpeg_nowasm_fallback\.js$/;
  return {
    name: 'pdf-parts',
    config: (_config, { command }) => ({
      define: {
        'import.meta.env.VITE_PDF_PARTS': JSON.stringify(
          command === 'build' ? `/${place}` : `/@fs${pdfLibrary}/`,
        ),
      },
    }),
    generateBundle() {
      for (const path of filesOf(pdfLibrary)) {
        if (isPart.test(path))
          this.emitFile({
            type: 'asset',
            fileName: place + path.slice(pdfLibrary.length + 1).replaceAll('\\', '/'),
            source: readFileSync(path),
          });
      }
    },
  };
}

/**
 * Small parts that pages share come in one file, not in twenty; what needs react-aria stays with
 * the pages that use it.
 */
function isSmallPart(path: string): boolean {
  return (
    /lucide-react|(contract|web\/src\/(ui|lib|shell|features\/services))\/.*\.tsx?$/.test(path) &&
    !readFileSync(path, 'utf8').includes('react-aria-components')
  );
}

/**
 * The first page in three files: what starts it, the libraries, which change rarely, and the portal
 * with its home page.
 */
const codeSplitting = {
  groups: [
    { name: 'start', tags: ['$initial' as const], priority: 3 },
    {
      name: 'libraries',
      test: /node_modules\/(react|react-dom|scheduler|react-router|@tanstack)\//,
      priority: 2,
    },
    {
      name: 'portal',
      test: /web\/src\/(portal\.tsx|lib\/browser\/browser-memory\.ts)$/,
      priority: 1,
    },
    // What moves on the home page comes in one small file and must not bring the kit with it.
    {
      name: 'motion',
      test: /web\/src\/(features\/home\/(home-motion|background-video|intro-video|find-video|motion-button)|lib\/browser\/url-exists)\.tsx?$|lucide-react\/.*\/(pause|play)\.m?js$/,
      priority: 1,
      includeDependenciesRecursively: false,
    },
    { name: 'kit', test: isSmallPart, minShareCount: 2, includeDependenciesRecursively: false },
  ],
};

/** Named in the page already. */
const alwaysHere = /(rolldown-runtime|libraries|portal)-[\w-]+\.js$/;

const textsVersion = createHash('sha256');
for (const path of filesOf(join(import.meta.dirname, 'public/locales')))
  textsVersion.update(path.slice(import.meta.dirname.length)).update(readFileSync(path));

// The strict content policy allows no `data:` fonts, so nothing is inlined into the style sheets.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), shortCalls(), pdfParts(), compress(), preloadPortal()],
  // No schema runs in the browser, and texts need little: decisions 0008 and 0011.
  resolve: {
    alias: [
      { find: /^zod$/, replacement: join(source, 'lib/api/zod-in-browser.ts') },
      { find: /^(react-)?i18next$/, replacement: join(source, 'lib/i18n/i18next-in-browser.ts') },
    ],
  },
  define: {
    'import.meta.env.VITE_TEXTS_VERSION': JSON.stringify(textsVersion.digest('hex').slice(0, 10)),
  },
  build: {
    outDir: dist,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    sourcemap: false,
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_name, files) => files.filter((file) => !alwaysHere.test(file)),
    },
    rolldownOptions: { output: { codeSplitting } },
  },
  server: {
    port: 5173,
    proxy: {
      '/api': server,
      '/health': server,
      '/openapi.json': server,
      '/hubs': { target: server, ws: true },
    },
  },
});
