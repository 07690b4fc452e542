import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '../config.ts';
import { validationText, refusalText } from '../platform/core/locale-texts.ts';
import { Refusal, ValidationRefusal } from '../platform/core/refusals.ts';
import { openDatabase, type Database } from '../platform/database/database.ts';
import { NewerDatabase } from '../platform/database/migrations.ts';
import { prepareTables } from '../platform/database/prepare-tables.ts';
import { withRunningDatabase } from '../platform/embedded-postgres/running-database.ts';
import { ensureAccountTypes } from '../seed/seed.ts';
import { commands, type CommandInput } from './commands.ts';

const usage = [
  'npm run diwan -- <command>',
  ...Object.entries(commands).map(
    ([name, { parameters, summary }]) => `  ${`${name} ${parameters}`.trim()}\n      ${summary}`,
  ),
].join('\n');

/** Runs one command on the database of the settings. Returns the exit code. */
async function run(given: string[]): Promise<number> {
  const [name = '', ...rest] = given;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    console.error(usage);
    return 2;
  }
  const { values, positionals } = parseArgs({
    args: rest,
    allowPositionals: true,
    options: command.options,
  });
  if (positionals.length !== command.positionals) {
    console.error(`npm run diwan -- ${name} ${command.parameters}`);
    return 2;
  }
  const options = values as CommandInput['options'];
  const report = (line: string) => console.log(line);
  if (command.runAlone) return command.runAlone({ options, report });
  const config = readConfig(process.env);
  return withRunningDatabase(config, async ({ url, ownerUrl, serverUrl }) => {
    const database: Database = openDatabase(url, (line) => console.error(line));
    try {
      await prepareTables(database, ownerUrl, serverUrl);
      await ensureAccountTypes(database);
      const input: CommandInput = {
        database,
        config,
        options,
        positionals,
        report,
      };
      return await command.run(input);
    } finally {
      await database.destroy();
    }
  });
}

function describe(error: unknown): string {
  if (error instanceof ValidationRefusal)
    return error.issues
      .map((issue) => `${issue.field}: ${validationText(issue, 'en-US')}`)
      .join('\n');
  if (error instanceof Refusal) return refusalText(error.refusal, 'en-US', error.params);
  if (error instanceof ConfigError || error instanceof NewerDatabase) return error.message;
  const { code, message, stack } = error as NodeJS.ErrnoException;
  return code?.startsWith('ERR_PARSE_ARGS') || code === 'ENOENT' ? message : (stack ?? message);
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  console.error(describe(error));
  process.exitCode = 1;
}
