import { readFile, writeFile } from 'node:fs/promises';
import type { ParseArgsConfig } from 'node:util';
import { createTranslator } from '#platform/core/locale-texts.ts';
import { inSnapshot, inTransaction } from '#platform/database/unit-of-work.ts';
import { catalogueFormats, type CatalogueFormat } from '@diwan/contract/catalogue/transfer';
import { normalizeUsername } from '@diwan/contract/people/new-account';
import { readinessOf } from '@diwan/contract/portal/readiness';
import { checkFileStore, ConfigError, type Config, type FileStoreName } from '../config.ts';
import { readReadiness } from '../features/portal-details/readiness.actions.ts';
import { rebuildFigures } from '../features/reports/fold-figures.actions.ts';
import {
  exportCatalogueFile,
  writeJsonFile,
  writeWorkbook,
} from '../features/services/transfer/export.actions.ts';
import { importContent, problemText } from '../features/services/transfer/jobs.actions.ts';
import { secondFactorVault } from '../features/users/second-factor/second-factor-codes.ts';
import {
  deleteFactorOf,
  sealFactorsAgain,
} from '../features/users/second-factor/second-factor-policy.actions.ts';
import { createAdmin } from '../features/users/setup/setup.actions.ts';
import { findUserId } from '../features/users/users.actions.ts';
import { announceAccessChange } from '../platform/auth/access-changes.ts';
import {
  endFormerKeys,
  isProductKey,
  keysChannel,
  productKeys,
  replaceKey,
  secondFactorKeys,
  tokenKey,
} from '../platform/auth/secrets.ts';
import { openSessions } from '../platform/auth/sessions/sessions.ts';
import { replaceSigningKey } from '../platform/auth/sessions/signing-keys.ts';
import { Refusal } from '../platform/core/refusals.ts';
import type { Database } from '../platform/database/database.ts';
import { notifyListeners } from '../platform/database/notifications.ts';
import { openNamedStore } from '../platform/files/open-file-store.ts';
import { describeSummary, moveFiles } from '../platform/files/stores/move-files.ts';
import { fileStoreNames } from '../settings.ts';
import { describeFindings, examine } from './doctor/doctor.ts';
import { findIntegrityProblems } from './find-integrity-problems.ts';
import { describeMarked, markRestored } from './restored/mark-restored.ts';
import { ask, readPassword } from './terminal.ts';

export interface CommandInput {
  database: Database;
  config: Config;
  options: Readonly<Record<string, string | boolean | undefined>>;
  positionals: readonly string[];
  report: (line: string) => void;
}

interface Usage {
  /** Shown in the usage. */
  parameters: string;
  summary: string;
  positionals: number;
  options: NonNullable<ParseArgsConfig['options']>;
}

/** Returns the exit code. A command that runs alone needs neither right settings nor a database. */
type Command = Usage &
  (
    | { run: (input: CommandInput) => Promise<number>; runAlone?: undefined }
    | { runAlone: (input: Pick<CommandInput, 'options' | 'report'>) => Promise<number> }
  );

// The name of the author in logs, where no account acts.
const operator = 'npm run diwan';

async function runCreateAdmin({ database, options, report }: CommandInput): Promise<number> {
  const text = async (name: string, question: string) => {
    const given = options[name];
    return typeof given === 'string' ? given : ask(question);
  };
  const username = await text('username', 'Username');
  const fullName = await text('full-name', 'Full name');
  const email = await text('email', 'Email address');
  const phoneNumber = await text('phone', 'Mobile number');
  const password = await readPassword('Password (12 to 50 characters)');
  await inTransaction(database, (transaction) =>
    createAdmin(transaction, {
      username,
      fullName,
      email,
      phoneNumber,
      password,
      confirmPassword: password,
    }),
  );
  report(`Created the administrator ${normalizeUsername(username)}`);
  return 0;
}

async function runResetSecondFactor(input: CommandInput): Promise<number> {
  const { database, config, positionals, report } = input;
  const username = normalizeUsername(positionals[0] ?? '');
  const userId = await findUserId(database, username);
  if (userId === undefined) throw new Refusal('UsernameNotFound');
  const publicUrl = config.PUBLIC_URL ?? `http://localhost:${config.PORT}`;
  const sessions = await openSessions(database, config, publicUrl);
  await inTransaction(database, (transaction) =>
    deleteFactorOf({ sessions, publicUrl }, transaction, {
      userId,
      by: { fullName: operator, fullNameAr: null },
    }),
  );
  await announceAccessChange(database, userId);
  report(`Removed the second factor of ${username} and ended all sessions of this user`);
  return 0;
}

const formatOf = (path: string): CatalogueFormat => {
  const format = catalogueFormats.find((each) => path.toLowerCase().endsWith(`.${each}`));
  if (!format) throw new ConfigError(`${path} does not end in .json or .xlsx`);
  return format;
};

async function runExport({ database, positionals, report }: CommandInput): Promise<number> {
  const [path = ''] = positionals;
  const format = formatOf(path);
  const file = await inSnapshot(database, exportCatalogueFile);
  if (format === 'csv') throw new ConfigError('A CSV file holds one list: write .json or .xlsx');
  await writeFile(
    path,
    format === 'json' ? writeJsonFile(file) : await writeWorkbook(file, 'en-US'),
  );
  report(`Exported ${file.services.length} services of ${file.agencies.length} agencies`);
  return 0;
}

async function runImport({ database, options, positionals, report }: CommandInput) {
  const [path = ''] = positionals;
  const content = await readFile(path);
  const isDryRun = options['dry-run'] === true;
  const retiresMissing = options['retire-missing'] === true;
  const { problems, problemsCount, counts } = await importContent(database, content, {
    format: formatOf(path),
    retiresMissing,
    isDryRun,
    authorName: operator,
  });
  for (const problem of problems)
    report(`${problem.list} ${problem.row} ${problem.column}: ${problemText(problem, 'en-US')}`);
  for (const [list, count] of Object.entries(counts))
    report(
      `${list}: ${Object.entries(count)
        .map(([action, number]) => `${number} ${action}`)
        .join(', ')}`,
    );
  if (problemsCount > 0) report(`${problemsCount} problems; nothing was changed`);
  else report(isDryRun ? 'Nothing was changed: a dry run' : 'Imported');
  return problemsCount > 0 ? 1 : 0;
}

async function runCheckIntegrity({ database, report }: CommandInput): Promise<number> {
  const problems = await findIntegrityProblems(database);
  for (const problem of problems) report(problem);
  report(problems.length === 0 ? 'No problems' : `${problems.length} problems`);
  return problems.length === 0 ? 0 : 1;
}

const portal = createTranslator('portal');

async function runCheckReadiness({ database, config, report }: CommandInput): Promise<number> {
  const { done } = await readReadiness(database, config);
  const missing = readinessOf('goingLive').filter(({ name }) => !done.includes(name));
  for (const { name, settings = [] } of missing)
    report(
      portal(`readiness.${name}`, 'en-US') +
        (settings.length > 0 ? ` (${settings.join(', ')})` : ''),
    );
  report(
    missing.length === 0 ? 'Nothing is missing' : `${missing.length} missing before going live`,
  );
  return missing.length === 0 ? 0 : 1;
}

async function runRebuildFigures({ database, report }: CommandInput): Promise<number> {
  report(`Made the figures of ${await rebuildFigures(database)} requests again`);
  return 0;
}

const isStoreName = (name: unknown): name is FileStoreName =>
  fileStoreNames.some((each) => each === name);

async function runMoveFiles({ config, options, report }: CommandInput): Promise<number> {
  const { from, to, verify, remove } = options;
  if (!isStoreName(from) || !isStoreName(to) || from === to)
    throw new ConfigError(`--from and --to are two of ${fileStoreNames.join(', ')}`);
  // New files would be stored in the source, and never be found after the move.
  if (config.FILE_STORE !== to)
    throw new ConfigError(
      `Setting FILE_STORE must be ${to} first, in this command and in the running product, ` +
        `with SECOND_FILE_STORE=${from}`,
    );
  checkFileStore(config, from);
  const source = await openNamedStore(config, from, report);
  const target = await openNamedStore(config, to, report);
  const summary = await moveFiles(source, target, {
    verifies: verify === true,
    removes: remove === true,
    report,
  });
  report(describeSummary(summary));
  return summary.problems === 0 ? 0 : 1;
}

async function runMarkRestored({ database, options, report }: CommandInput): Promise<number> {
  const { to, former } = options;
  if (typeof to !== 'string') throw new ConfigError('--to is the time of the restore');
  const known = typeof former === 'string' ? former : undefined;
  for (const line of describeMarked(await markRestored(database, new Date(to), known)))
    report(line);
  return 0;
}

async function runDoctor({
  options,
  report,
}: Pick<CommandInput, 'options' | 'report'>): Promise<number> {
  const findings = await examine(process.env);
  if (options.json === true) report(JSON.stringify(findings, undefined, 2));
  else for (const line of describeFindings(findings)) report(line);
  return findings.some(({ state }) => state === 'problem') ? 1 : 0;
}

async function runRotateKey({ database, options, positionals, report }: CommandInput) {
  const [name = ''] = positionals;
  const isImmediate = options.now === true;
  const endsOld = options['end-old'] === true;
  const isKnown = name === tokenKey || isProductKey(name);
  if (!isKnown)
    throw new ConfigError(
      `${name} is none of ${[tokenKey, ...Object.keys(productKeys)].join(', ')}`,
    );
  if (endsOld && !isImmediate) throw new ConfigError('--end-old needs --now');
  if (endsOld && name === 'second-factors')
    throw new ConfigError('What this key encrypts is stored: run seal-second-factors instead');
  const isMade = await inTransaction(database, async (transaction) => {
    const made =
      name === tokenKey
        ? await replaceSigningKey(transaction, { isImmediate, endsOld })
        : await replaceKey(transaction, name, { isImmediate, endsOld });
    if (made) await notifyListeners(transaction, keysChannel, '');
    return made;
  });
  if (isMade) report(`The new key of ${name} is used ${isImmediate ? 'now' : 'in 15 minutes'}`);
  else report(`Nothing was changed: a key of ${name} waits already, or none was made yet`);
  return isMade ? 0 : 1;
}

async function runSealSecondFactors({ database, config, options, report }: CommandInput) {
  const keys = await secondFactorKeys(database, config);
  const count = await sealFactorsAgain(database, secondFactorVault(keys));
  report(`Encrypted ${count} secrets with the newest key`);
  if (options['end-old'] === true) {
    await inTransaction(database, async (transaction) => {
      await endFormerKeys(transaction, 'second-factors');
      await notifyListeners(transaction, keysChannel, '');
    });
    report('Former keys are not accepted any more; recovery codes of their time are void');
  }
  return 0;
}

const text = { type: 'string' } as const;

/** The commands for operators, by name. docs/operations/install.md, "Commands". */
export const commands: Readonly<Record<string, Command>> = {
  'create-admin': {
    parameters: '[--username … --full-name … --email … --phone …]',
    summary: 'creates an administrator; asks for what is not given, and for the password',
    positionals: 0,
    options: { username: text, 'full-name': text, email: text, phone: text },
    run: runCreateAdmin,
  },
  'reset-second-factor': {
    parameters: '<username>',
    summary: 'removes the second factor of a user and ends all sessions of this user',
    positionals: 1,
    options: {},
    run: runResetSecondFactor,
  },
  'export-catalogue': {
    parameters: '<file.json or file.xlsx>',
    summary: 'writes the whole catalogue into a file',
    positionals: 1,
    options: {},
    run: runExport,
  },
  'import-catalogue': {
    parameters: '<file.json, file.xlsx or file.csv> [--dry-run] [--retire-missing]',
    summary: 'imports a catalogue file as one transaction; refuses a wrong one with row and column',
    positionals: 1,
    options: { 'dry-run': { type: 'boolean' }, 'retire-missing': { type: 'boolean' } },
    run: runImport,
  },
  'rotate-key': {
    parameters: '<key> [--now] [--end-old]',
    summary: 'replaces a key of the product while it runs; docs/operations/keys.md lists them',
    positionals: 1,
    options: { now: { type: 'boolean' }, 'end-old': { type: 'boolean' } },
    run: runRotateKey,
  },
  'seal-second-factors': {
    parameters: '[--end-old]',
    summary: 'encrypts second factors again with the newest key, so that older ones can go',
    positionals: 0,
    options: { 'end-old': { type: 'boolean' } },
    run: runSealSecondFactors,
  },
  'move-files': {
    parameters: '--from folder|azure|s3 --to folder|azure|s3 [--verify] [--remove]',
    summary: 'copies documents from one store to another while the product runs; can be repeated',
    positionals: 0,
    options: {
      from: text,
      to: text,
      verify: { type: 'boolean' },
      remove: { type: 'boolean' },
    },
    run: runMoveFiles,
  },
  'rebuild-figures': {
    parameters: '',
    summary: 'makes the figures of dashboards again from requests, histories and payments',
    positionals: 0,
    options: {},
    run: runRebuildFigures,
  },
  'mark-restored': {
    parameters: '--to time [--former postgres://… or folder]',
    summary:
      'after a restore and before the start: pauses messages, skips numbers that people may have',
    positionals: 0,
    options: { to: text, former: text },
    run: runMarkRestored,
  },
  'check-readiness': {
    parameters: '',
    summary: 'prints what is missing before the portal goes live, and exits with 1',
    positionals: 0,
    options: {},
    run: runCheckReadiness,
  },
  doctor: {
    parameters: '[--json]',
    summary:
      'checks settings, connections, versions, clocks, rights, disk and certificates; says what to do',
    positionals: 0,
    options: { json: { type: 'boolean' } },
    runAlone: runDoctor,
  },
  'check-integrity': {
    parameters: '',
    summary:
      'compares the catalogue, requests, counts and figures; prints problems and exits with 1',
    positionals: 0,
    options: {},
    run: runCheckIntegrity,
  },
};
