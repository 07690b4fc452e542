// npm start: installs, builds and serves the whole product from a fresh clone.
import { ensureBuilt, ensureInstalled } from './install.mjs';

ensureInstalled();
ensureBuilt();
process.setSourceMapsEnabled(true);
await import('../api/dist/main.js');
