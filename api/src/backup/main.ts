import { resolve } from 'node:path';
import { describeMarked } from '../commands/restored/mark-restored.ts';
import { ConfigError, readConfig } from '../config.ts';
import { restoreBackup, takeBackup } from './backup.ts';

const documentsOf = (files: number | null) =>
  files === null ? 'without documents, which are in an object storage' : `${files} documents`;

// The arguments are `backup` or `restore`, a folder and the former database; scripts/backup.mjs checks them.
const [command, folder = '', former] = process.argv.slice(2);
try {
  const config = readConfig(process.env);
  const restored =
    command === 'restore' ? await restoreBackup(config, resolve(folder), former) : undefined;
  const { tables, files, takenAt } = restored ?? (await takeBackup(config, resolve(folder)));
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  console.log(
    `${restored ? `Restored the backup of ${takenAt}:` : 'Backed up'} ` +
      `${rows} rows of ${tables.length} tables, ${documentsOf(files)}`,
  );
  if (restored) console.log(describeMarked(restored.marked).join('\n'));
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exitCode = 1;
}
