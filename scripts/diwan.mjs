// npm run diwan -- <command>: docs/operations/install.md, "Commands". It reads the settings of the product.
import { ensureInstalled, ensureServerBuilt } from './install.mjs';

await ensureInstalled();
await ensureServerBuilt();
await import('../api/dist/diwan.js');
