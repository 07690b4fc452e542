// npm start: installs, builds and serves the whole product from a fresh clone.
import { ensureBuilt, ensureInstalled } from './install.mjs';

await ensureInstalled();
await ensureBuilt();
process.setSourceMapsEnabled(true);
await import('../api/dist/main.js');
