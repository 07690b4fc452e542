// npm run diwan -- <command>: docs/operations/install.md, "Commands". It reads the settings of the product.
import { ensureInstalled } from './install.mjs';

ensureInstalled();
const { register } = await import('tsx/esm/api');
register();
await import('../api/src/commands/main.ts');
