// npm start: installs, builds and serves the whole product from a fresh clone.
import { ensureBuilt, ensureInstalled } from './install.mjs';

ensureInstalled();
ensureBuilt();
const { register } = await import('tsx/esm/api');
register();
await import('../api/src/main.ts');
