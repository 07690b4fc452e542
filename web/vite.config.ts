import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const server = 'http://localhost:3000';

// The strict content policy allows no `data:` fonts or images, so nothing is inlined into the style sheets.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
  build: { outDir: 'dist', emptyOutDir: true, assetsInlineLimit: 0, sourcemap: false },
  server: { port: 5173, proxy: { '/api': server, '/health': server, '/openapi.json': server, '/hubs': { target: server, ws: true } } },
});
