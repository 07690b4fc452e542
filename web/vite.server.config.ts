import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { portalFiles } from './build/portal-files.ts';
import { stripSchemas } from './build/strip-schemas.ts';
import { textsVersion } from './build/texts-version.ts';

const root = import.meta.dirname;
const dist = process.env['PORTAL_DIR'] ?? join(root, 'dist');

/** A page is rendered in one step, so nothing that loads on demand runs on the server. */
const leaveOutDynamicImports: Plugin = {
  name: 'leave-out-dynamic-imports',
  enforce: 'pre',
  resolveDynamicImport: () => ({ id: 'node:module', external: true }),
};

// The first screens for the API, beside the files of the browser: decision 0048.
export default defineConfig({
  root,
  plugins: [
    react(),
    stripSchemas(),
    textsVersion(join(root, 'public/locales')),
    leaveOutDynamicImports,
    portalFiles(dist),
  ],
  define: { 'process.env.NODE_ENV': '"production"' },
  ssr: { noExternal: true },
  build: {
    ssr: join(root, 'src/entry-server.tsx'),
    outDir: join(dist, 'server'),
    emptyOutDir: true,
    copyPublicDir: false,
    assetsInlineLimit: 0,
    minify: true,
  },
});
