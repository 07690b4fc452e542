import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import { freePort } from '#platform/embedded-postgres/free-port.ts';
import { cloneProgramData } from '#testing/programs/clone-program-data.ts';
import type { ProgramData } from '#testing/programs/running-program.ts';
import { openRedis } from '#testing/programs/running-redis.ts';
import { describeFindings, examine } from './doctor.ts';
import type { CheckName, Finding } from './finding.ts';

let data: ProgramData & { close(): Promise<void> };
let database: Database;
let settings: Record<string, string>;
let folder: string;
const closers: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  data = await cloneProgramData();
  database = data.open();
  settings = data.settings;
  folder = await mkdtemp(join(tmpdir(), 'diwan-doctor-'));
});
afterAll(async () => {
  for (const close of closers) await close();
  await database.destroy();
  await data.close();
  await rm(folder, { recursive: true });
});

type Given = Parameters<typeof examine>[1];
/** What one check says with these settings beside those of a right deployment. */
async function ask(check: CheckName, changed = {}, given: Given = {}): Promise<Finding> {
  const findings = await examine({ ...settings, ...changed }, given);
  const found = findings.find((each) => each.check === check && each.state !== 'skipped');
  const { state, advice } = found ?? {};
  // What is wrong always comes with what to do.
  expect(advice !== undefined).toBe(state === 'warning' || state === 'problem');
  return found ?? { check, state: 'skipped', detail: '' };
}

/** A server that answers each line of a client. */
async function serveLines(greeting: string, answer: (line: string) => string): Promise<number> {
  const server: Server = createServer((socket: Socket) => {
    socket.write(greeting);
    socket.on('error', () => undefined);
    socket.on('data', (text) => {
      const reply = answer(text.toString());
      if (reply) socket.write(reply);
      if (reply.startsWith('stream')) socket.end();
    });
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  closers.push(() => new Promise((resolve) => server.close(resolve)));
  return port;
}

it('finds nothing wrong with a right deployment but what the demonstration lacks', async () => {
  const findings = await examine(settings, { nodeVersion: '22.20.0' });
  expect(findings.filter(({ state }) => state === 'problem')).toEqual([]);
  expect(findings.filter(({ state }) => state === 'warning').map(({ check }) => check)).toEqual([
    'scanner',
  ]);
  expect(describeFindings(findings).at(-1)).toBe('0 problems, 1 warnings');
});

it('says first which setting is wrong', async () => {
  const [first, ...others] = await examine({ ...settings, PORT: 'abc' });
  expect(first).toMatchObject({ state: 'problem', detail: expect.stringContaining('PORT') });
  expect(new Set(others.map(({ state }) => state))).toEqual(new Set(['skipped']));
});

it('judges the version of Node and the space of the disk', async () => {
  expect((await ask('node', {}, { nodeVersion: '20.18.0' })).state).toBe('problem');
  expect((await ask('node', {}, { nodeVersion: '20.19.0' })).state).toBe('warning');
  const space = (free: number) => ({ readSpace: async () => ({ free, all: 100e9 }) });
  expect((await ask('disk', {}, space(50e9))).state).toBe('ok');
  expect((await ask('disk', {}, space(4e9))).state).toBe('warning');
  expect((await ask('disk', {}, space(1e8))).state).toBe('problem');
  expect((await ask('disk', { DATA_DIR: join(folder, 'none') })).state).toBe('problem');
});

describe('the database', () => {
  it('does not answer, or refuses the user', async () => {
    const nowhere = `postgres://a:hidden-word@127.0.0.1:${await freePort()}/x`;
    const missing = await ask('database', { DATABASE_URL: nowhere, MIGRATIONS_DATABASE_URL: '' });
    expect(missing).toMatchObject({
      state: 'problem',
      detail: expect.stringMatching(/ECONNREFUSED/),
    });
    expect(JSON.stringify(missing)).not.toContain('hidden-word');
    const owner = await ask('roles', { MIGRATIONS_DATABASE_URL: nowhere });
    expect(owner).toMatchObject({ state: 'problem', detail: expect.stringMatching(/owner/) });
  });

  it('is of another version', async () => {
    await sql`insert into kysely_migration values ('9999-later.sql', '')`.execute(database);
    expect((await ask('migrations')).detail).toContain('9999-later.sql');
    await sql`delete from kysely_migration where name = '9999-later.sql'`.execute(database);
    expect((await ask('migrations')).state).toBe('ok');
    await sql`
      with last as (delete from kysely_migration where name like '0001%' returning *)
      select from last`.execute(database);
    expect(await ask('migrations')).toMatchObject({
      state: 'warning',
      detail: '1 are not applied',
    });
  });

  it('gives the role of the server more or less than it needs', async () => {
    const role = sql.id(decodeURIComponent(new URL(settings.DATABASE_URL ?? '').username));
    const state = async () => (await ask('roles')).state;
    expect(await state()).toBe('ok');
    await sql`grant update on audit_events to ${role}`.execute(database);
    expect((await ask('roles')).detail).toContain('audit_events');
    await sql`revoke update on audit_events from ${role}`.execute(database);
    await sql`revoke insert on requests from ${role}`.execute(database);
    expect((await ask('roles')).detail).toContain('requests');
    await sql`grant insert on requests to ${role}`.execute(database);
    await sql`grant create on schema public to ${role}`.execute(database);
    expect(await state()).toBe('warning');
    await sql`revoke create on schema public from ${role}`.execute(database);
    expect(await state()).toBe('ok');
    const asOwner = { DATABASE_URL: settings.MIGRATIONS_DATABASE_URL };
    expect(['problem', 'warning']).toContain((await ask('roles', asOwner)).state);
  });

  it('was restored, until nothing waits for anybody', async () => {
    expect((await ask('restore')).state).toBe('ok');
    await sql`insert into restores (restored_to) values (now() - interval '1 hour')`.execute(
      database,
    );
    expect((await ask('restore')).detail).toContain('providers are still asked');
    await sql`update restores set reconciled_at = now()`.execute(database);
    await sql`
      insert into messages (kind, channel, recipient, language, body, state)
      values ('request', 'email', 'paused@example.com', 'en-US', 'A text', 'paused')`.execute(
      database,
    );
    expect(await ask('restore')).toMatchObject({
      state: 'warning',
      detail: expect.stringContaining('1 messages are paused'),
    });
    await sql`delete from messages where state = 'paused'`.execute(database);
    expect((await ask('restore')).detail).toContain('is reconciled');
  });

  it('has another time', async () => {
    const late = (ms: number) => ask('clock', {}, { now: () => Date.now() + ms });
    expect((await late(0)).state).toBe('ok');
    expect((await late(10_000)).state).toBe('warning');
    expect((await late(-10_000)).state).toBe('warning');
    expect((await late(60_000)).state).toBe('problem');
  });
});

it('asks Redis', async () => {
  const redis = await openRedis();
  closers.push(() => redis.stop());
  await redis.start();
  expect((await ask('redis', { REDIS_URL: redis.url })).state).toBe('ok');
  const nowhere = `redis://:hidden-word@127.0.0.1:${await freePort()}`;
  const found = await ask('redis', { REDIS_URL: nowhere });
  expect(found.state).toBe('problem');
  expect(JSON.stringify(found)).not.toContain('hidden-word');
});

it('writes into each store of documents', async () => {
  await writeFile(join(folder, 'file'), '');
  expect((await ask('store', { DATA_DIR: join(folder, 'file') })).state).toBe('problem');
  const s3 = {
    FILE_STORE: 'folder',
    SECOND_FILE_STORE: 's3',
    S3_BUCKET: 'documents',
    S3_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'hidden-word',
  };
  const findings = await examine({ ...settings, ...s3 });
  const stores = findings.filter(({ check }) => check === 'store');
  expect(stores.map(({ state }) => state)).toEqual(['ok', 'problem']);
  expect(stores[1]?.detail).toMatch(/S3_ENDPOINT/);
  expect(JSON.stringify(stores)).not.toContain('hidden-word');
});

it('signs in at the mail server', async () => {
  const mail = (accepts: boolean) =>
    serveLines('220 mail\r\n', (line) => {
      if (/^(EHLO|HELO)/i.test(line)) return '250-mail\r\n250 AUTH PLAIN\r\n';
      if (/^AUTH/i.test(line)) return accepts ? '235 welcome\r\n' : '535 wrong\r\n';
      return '250 fine\r\n';
    });
  const at = (port: number) => ({ SMTP_URL: `smtp://user:hidden-word@127.0.0.1:${port}` });
  expect((await ask('mail', at(await mail(true)))).state).toBe('ok');
  const refused = await ask('mail', at(await mail(false)));
  expect(refused).toMatchObject({ state: 'problem', detail: expect.stringContaining('535') });
  expect(JSON.stringify(refused)).not.toContain('hidden-word');
  expect((await ask('mail', at(await freePort()))).state).toBe('problem');
});

it('has the scanner find the test file', async () => {
  const clamd = (answer: string) =>
    serveLines('', (text) => (text.includes('EICAR') ? `stream: ${answer}\0` : ''));
  const at = (port: number) => ({ CLAMD: `127.0.0.1:${port}` });
  expect((await ask('scanner', at(await clamd('Eicar FOUND')))).state).toBe('ok');
  expect((await ask('scanner', at(await clamd('OK')))).detail).toContain('does not find');
  expect((await ask('scanner', at(await freePort()))).state).toBe('problem');
});

it('counts the days of certificates', async () => {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const made = spawnSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '100',
      '-subj',
      '/CN=localhost',
    ].concat(['-keyout', key, '-out', certificate]),
    { encoding: 'utf8' },
  );
  expect(made.status, made.stderr).toBe(0);
  const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(certificate) });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  closers.push(() => new Promise((resolve) => server.close(resolve)));
  const inDays = (days: number) => ({ now: () => Date.now() + days * 86_400_000 });
  const asked: [CheckName, Record<string, string>][] = [
    ['seal', { SEAL_CERTIFICATE_FILE: certificate, SEAL_KEY_FILE: key }],
    ['certificate', { PUBLIC_URL: `https://localhost:${port}`, SANDBOX: 'on', SEED: 'demo' }],
  ];
  for (const [check, changed] of asked) {
    expect((await ask(check, changed)).state, check).toBe('ok');
    expect((await ask(check, changed, inDays(80))).state, check).toBe('warning');
    expect((await ask(check, changed, inDays(101))).state, check).toBe('problem');
  }
  expect((await ask('seal', { SEAL_KEY_FILE: key })).detail).toContain('SEAL_CERTIFICATE_FILE');
  const nowhere = { PUBLIC_URL: `https://localhost:${await freePort()}` };
  expect((await ask('certificate', nowhere)).state).toBe('warning');
});

it('prints lines or JSON, and exits with 1 for a problem only', async () => {
  const run = (changed: Record<string, string>, ...options: string[]) => {
    const { status, stdout } = spawnSync(
      process.execPath,
      ['scripts/diwan.mjs', 'doctor', ...options],
      { env: { ...process.env, ...settings, ...changed }, encoding: 'utf8' },
    );
    return [status, stdout] as const;
  };
  const [code, text] = run({});
  expect(code, text).toBe(0);
  expect(text).toMatch(/^ok +settings: each can be used$/m);
  const [wrongCode, wrongText] = run({ CLAMD: `127.0.0.1:${await freePort()}` });
  expect(wrongCode).toBe(1);
  expect(wrongText).toMatch(/^PROBLEM scanner: .*\n +-> Start clamd/m);
  const [jsonCode, json] = run({ PORT: 'abc' }, '--json');
  expect(jsonCode).toBe(1);
  expect(JSON.parse(json)[0]).toMatchObject({ check: 'settings', state: 'problem' });
});
