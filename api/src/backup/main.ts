import { resolve } from 'node:path';
import { ConfigError, readConfig } from '../config.ts';
import { restoreBackup, takeBackup } from './backup.ts';

// The arguments are `backup` or `restore` and a folder; scripts/backup.mjs checks them.
const [command, folder = ''] = process.argv.slice(2);
try {
  const run = command === 'backup' ? takeBackup : restoreBackup;
  const { tables, files, takenAt } = await run(readConfig(process.env), resolve(folder));
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  console.log(
    `${command === 'backup' ? 'Backed up' : `Restored the backup of ${takenAt}:`} ` +
      `${rows} rows of ${tables.length} tables, ` +
      (files === null ? 'without documents, which are in an object storage' : `${files} documents`),
  );
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exitCode = 1;
}
