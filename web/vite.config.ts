import { join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { codeSplitting, filesToPreload } from './build/chunks.ts';
import { compress } from './build/compress.ts';
import { excludeFolder } from './build/exclude-folder.ts';
import { pdfAssets } from './build/pdf-assets.ts';
import { stripSchemas } from './build/strip-schemas.ts';
import { textPlaces } from './build/text-places.ts';
import { textsVersion } from './build/texts-version.ts';

const root = import.meta.dirname;
const server = 'http://localhost:3000';
// Another folder builds a second portal beside the one that is being served.
const dist = process.env['PORTAL_DIR'] ?? join(root, 'dist');

export default defineConfig({
  root,
  plugins: [
    react(),
    tailwindcss(),
    stripSchemas(),
    textsVersion(join(root, 'public/locales')),
    textPlaces(join(root, 'src'), join(root, 'public/locales')),
    pdfAssets(),
    compress(dist),
    excludeFolder(join(root, 'src/gallery')),
  ],
  build: {
    outDir: dist,
    emptyOutDir: true,
    // The server names the files of a page by it.
    manifest: true,
    // The content policy allows no `data:` fonts in style sheets.
    assetsInlineLimit: 0,
    sourcemap: false,
    modulePreload: { polyfill: false, resolveDependencies: filesToPreload },
    rolldownOptions: {
      // The first page names most chunks, and each letter of a hash costs it a byte.
      output: { codeSplitting, chunkFileNames: 'assets/[name]-[hash:7].js' },
    },
  },
  server: {
    port: 5173,
    proxy: {
      '/api': server,
      '/health': server,
      // The server adds the details of the portal. Component tests have no server.
      ...(process.env['VITEST'] ? {} : { '/configuration.json': server }),
      '/logos/uploaded': server,
      '/openapi.json': server,
      '/hubs': { target: server, ws: true },
    },
  },
});
