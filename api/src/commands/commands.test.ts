import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verify } from '@node-rs/argon2';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { readConfig } from '../config.ts';
import { issueDueDocuments } from '../features/payments/invoices/invoices.actions.ts';
import { sellerOf } from '../features/payments/invoices/sellers.actions.ts';
import type { Database } from '../platform/database/database.ts';
import { ensureAccountTypes, seedDemo } from '../seed/seed.ts';
import { cloneProgramData } from '../testing/programs/clone-program-data.ts';
import { endPrograms, type ProgramData } from '../testing/programs/running-program.ts';
import { commands } from './commands.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let data: ProgramData & { close(): Promise<void> };
let database: Database;
beforeAll(async () => {
  data = await cloneProgramData();
  database = data.open();
});
afterAll(async () => {
  await database.destroy();
  await endPrograms();
  await data.close();
});

/** Runs `npm run diwan` on the cloned database; `input` is typed. */
async function run(args: string[], input = ''): Promise<[code: number, output: string]> {
  const child = spawn(process.execPath, ['scripts/diwan.mjs', ...args], {
    env: { ...process.env, ...data.settings },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number];
  return [code, output.trim()];
}

const password = 'Quiet-Lanterns-7042!';

it('creates an administrator from options and typed lines, and says what is wrong', async () => {
  const options = ['create-admin', '--username', 'Chief', '--full-name', 'Noora Salem'];
  const typed = `chief@ministry.example\n0501234567\n${password}\n`;
  const [[refusedCode, refused], [usageCode, usage]] = await Promise.all([
    run(options, typed.replace(password, 'weak')),
    run(['create-everything']),
  ]);
  expect([refusedCode, usageCode]).toEqual([1, 2]);
  expect(refused).toContain('password: ');
  expect(usage).toContain('check-integrity');
  expect(await run(options, typed)).toEqual([0, 'Created the administrator chief']);
  const user = await database
    .selectFrom('users')
    .select(['roles', 'password_hash'])
    .where('username', '=', 'chief')
    .executeTakeFirstOrThrow();
  expect(user.roles).toEqual(['Admin']);
  expect(await verify(user.password_hash ?? '', password)).toBe(true);
});

/** Runs one command in this process. */
async function runHere(name: string, ...positionals: string[]): Promise<[number, string[]]> {
  const lines: string[] = [];
  const config = readConfig(data.settings);
  const report = (line: string) => lines.push(line);
  const command = commands[name];
  const code = await (command && 'run' in command
    ? command.run({ database, config, options: {}, positionals, report })
    : undefined);
  return [code ?? -1, lines];
}

it('removes a second factor and ends the sessions', async () => {
  await sql`
    insert into second_factors (user_id, secret, confirmed_at)
    select id, 'sealed', now() from users where username = 'employee'`.execute(database);
  expect(await runHere('reset-second-factor', 'Employee')).toEqual([
    0,
    ['Removed the second factor of employee and ended all sessions of this user'],
  ]);
  expect((await database.selectFrom('second_factors').selectAll().execute()).length).toBe(0);
  await expect(runHere('reset-second-factor', 'nobody')).rejects.toThrow('UsernameNotFound');
});

it('exports the catalogue and imports it again; a wrong file is refused with its place', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'diwan-command-'));
  const file = join(folder, 'catalogue.json');
  expect((await runHere('export-catalogue', file))[1]).toEqual([
    'Exported 221 services of 30 agencies',
  ]);
  const text = (await readFile(file, 'utf8')).replace('"isRetired":true', '"isRetired":false');
  await writeFile(file, text.replace(/"workingDays":\d+/, '"workingDays":77'));
  const [code, lines] = await runHere('import-catalogue', file);
  expect([code, lines.at(-1)]).toEqual([0, 'Imported']);
  expect(lines).toContainEqual(expect.stringMatching(/^services: .*1 changed/));
  await writeFile(file, text.replace(/"workingDays":\d+/, '"workingDays":-1'));
  expect(await runHere('import-catalogue', file)).toEqual([
    1,
    [expect.stringMatching(/^services 1 workingDays: /), '1 problems; nothing was changed'],
  ]);
  await rm(folder, { recursive: true });
});

it('prints what is missing before the portal goes live', async () => {
  const [code, lines] = await runHere('check-readiness');
  expect(code).toBe(1);
  expect(lines).toContain('Upload the logo');
  expect(lines).toContain('Turn off the test systems (SANDBOX, SEED)');
  expect(lines).not.toContain('Name the portal');
  expect(lines.at(-1)).toBe(`${lines.length - 1} missing before going live`);
});

it('finds no problems in the demo, and each planted one', async () => {
  // The job of a server has not run yet.
  const [, uninvoiced] = await runHere('check-integrity');
  expect(uninvoiced.at(-2)).toMatch(/^payment \S+ is paid and has no receipt$/);
  const seller = sellerOf(readConfig(data.settings));
  const warnings: string[] = [];
  const now = () => new Date();
  const warn = (message: string) => void warnings.push(message);
  while ((await issueDueDocuments({ database, seller, now, warn })) > 0);
  expect(warnings).toEqual([]);
  expect(await runHere('check-integrity')).toEqual([0, ['No problems']]);
  await sql`
    update services set form = '{"steps": []}'
    where replaced_name = 'renew-vehicle-ownership'`.execute(database);
  await sql`
    delete from service_account_types
    where service_id = (select id from services where replaced_name = 'visa-extension')`.execute(
    database,
  );
  await sql`
    update request_counts set count = count + 1
    where ctid = (select ctid from request_counts limit 1)`.execute(database);
  const [code, lines] = await runHere('check-integrity');
  const output = lines.join('\n');
  expect(code).toBe(1);
  for (const problem of [
    /renew-vehicle-ownership: its form/,
    /visa-extension: it has no account type/,
    /requests, counted/,
    /\d+ problems$/,
  ])
    expect(output).toMatch(problem);
});

it('writes no demo outside a demonstration, and the account types everywhere', async () => {
  await sql`delete from service_account_types`.execute(database);
  await sql`delete from account_types`.execute(database);
  for (const config of [
    { SEED: 'none', SANDBOX: 'on' },
    { SEED: 'demo', SANDBOX: 'off' },
  ] as const)
    await expect(seedDemo(database, config, () => undefined)).rejects.toThrow('demonstration');
  await Promise.all([ensureAccountTypes(database), ensureAccountTypes(database)]);
  const types = await database.selectFrom('account_types').select(['id', 'slug']).execute();
  expect(types).toEqual([
    { id: 1, slug: 'individuals' },
    { id: 2, slug: 'companies' },
    { id: 3, slug: 'investors' },
  ]);
});
