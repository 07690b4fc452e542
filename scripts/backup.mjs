// npm run backup -- <folder>, npm run restore -- <folder> [<former database>]: docs/operations/backup.md.
// Both read the settings of the product.
import { ensureInstalled, ensureServerBuilt, giveUp } from './install.mjs';

const [command, folder] = process.argv.slice(2);
if (!['backup', 'restore'].includes(command) || !folder)
  giveUp('npm run backup -- <folder>, or npm run restore -- <folder> [<former database>]');
await ensureInstalled();
await ensureServerBuilt();
await import('../api/dist/backup.js');
