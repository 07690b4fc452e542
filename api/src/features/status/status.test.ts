import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it, vi } from 'vitest';
import { Refusal } from '#platform/core/refusals.ts';
import { sql } from '#platform/database/sql.ts';
import { buildPortal } from '#testing/build-portal.ts';
import { openTestApp, type TestApp } from '#testing/test-app.ts';
import { getStatus, statusParts } from '@diwan/contract/content/status';
import { getReadiness } from '@diwan/contract/wire/health';
import { observeParts } from './observe-parts.ts';
import { openStatus, type Observation } from './status.actions.ts';

let app: TestApp;
let folder: string;
// The job of the page, which no test waits for.
let check: (() => unknown) | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'diwan-status-'));
  // A page that consists of its replies.
  const screens = `{
    loadTexts: async () => undefined,
    queryOf: (path) => (path === '/status' ? '' : undefined),
    renderScreen: ({ replies }) => {
      const reply = replies.get('/api/Status/GetStatus');
      return {
        html: '<p>' + (reply ? reply.parts.map((each) => each.part + ' ' + each.state).join(', ') : '') + '</p>',
        queries: [],
        missing: reply ? [] : ['/api/Status/GetStatus'],
      };
    },
  }`;
  await buildPortal(folder, { screens });
  app = await openTestApp({ PORTAL_DIR: folder }, () => (seconds, run) => {
    if (String(run).includes('status.check')) check = run;
    return () => void seconds;
  });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => sql`delete from incidents`.execute(app.database));
afterEach(() => vi.restoreAllMocks());

const minute = 60_000;
let clock = Date.parse('2026-11-28T08:00:00Z');
const at = (minutes: number) => new Date(Date.parse('2026-11-28T08:00:00Z') + minutes * minute);
const open = (observe: () => Observation, database = app.serverDatabase) =>
  openStatus({
    database,
    parts: statusParts,
    observe: async () => observe(),
    now: () => new Date(clock),
  });
const rows = async () =>
  (
    await sql<{ part: string; state: string; began_at: Date; ended_at: Date | null }>`
      select part, state, began_at, ended_at
      from incidents
      order by id`.execute(app.database)
  ).rows;

it('is one incident for two processes, from its first sight until nobody sees it', async () => {
  clock = at(0).getTime();
  let seen: Observation = new Map([['payments', 'limited']]);
  const first = await open(() => seen);
  const second = await open(() => seen);
  const both = async () => void (await Promise.all([first.check(), second.check()]));
  await both();
  // One lost answer is no incident.
  expect(await rows()).toEqual([]);
  expect(first.read().parts.every(({ state }) => state === 'works')).toBe(true);

  const before = first.version();
  clock = at(0.25).getTime();
  await both();
  await both();
  expect(await rows()).toEqual([
    { part: 'payments', state: 'limited', began_at: at(0), ended_at: null },
  ]);
  expect(first.version()).toBeGreaterThan(before);
  expect(first.read().parts.find(({ part }) => part === 'payments')).toEqual({
    part: 'payments',
    state: 'limited',
    since: at(0).toISOString(),
  });

  // The worst is what the history tells.
  seen = new Map([['payments', 'down']]);
  clock = at(5).getTime();
  await both();
  seen = new Map([['payments', 'limited']]);
  clock = at(6).getTime();
  await both();
  seen = new Map();
  clock = at(6.5).getTime();
  await both();
  expect((await rows())[0]?.ended_at).toBeNull();
  clock = at(8).getTime();
  await both();
  expect(await rows()).toEqual([
    { part: 'payments', state: 'down', began_at: at(0), ended_at: at(6) },
  ]);
  await both();
  for (const each of [first, second])
    expect(each.read()).toMatchObject({
      isComplete: true,
      incidents: [{ part: 'payments', from: at(0).toISOString(), until: at(6).toISOString() }],
    });
  expect(first.read().parts.find(({ part }) => part === 'payments')).toEqual({
    part: 'payments',
    state: 'works',
    since: at(6).toISOString(),
  });
});

it('is one incident when a part fails again and again, and another one hours later', async () => {
  let seen: Observation = new Map();
  const status = await open(() => seen);
  for (let turn = 0; turn < 100; turn += 1) {
    seen = turn % 10 < 4 ? new Map([['messages', 'limited']]) : new Map();
    clock = at(turn).getTime();
    await status.check();
  }
  expect(await rows()).toEqual([
    { part: 'messages', state: 'limited', began_at: at(0), ended_at: at(93) },
  ]);
  seen = new Map([['messages', 'limited']]);
  for (const later of [200, 200.25]) {
    clock = at(later).getTime();
    await status.check();
  }
  expect(await rows()).toHaveLength(2);
  // After 90 days the page has only the second one.
  clock = at(90 * 24 * 60 + 100).getTime();
  await status.check();
  expect(status.read().incidents).toHaveLength(1);
});

it('looks at documents, payments, messages, UAE PASS and refused calls', async () => {
  let refused = 0;
  const { paymentProviders } = { paymentProviders: new Map() as never };
  const files = {
    sizeOf: async (): Promise<number | undefined> => undefined,
    isFull: async () => false,
  };
  const context = {
    config: app.config,
    database: app.serverDatabase,
    documents: { files },
    integrations: { paymentProviders, identityProvider: { origin: app.sandboxUrl } },
    refusedCalls: () => refused,
  };
  const providers = (...origins: string[]) =>
    new Map(['paypro', 'reserve'].map((name, index) => [name, { origin: origins[index] }]));
  context.integrations.paymentProviders = providers(app.paymentsUrl, app.paymentsUrl) as never;
  const observe = observeParts(context as never);
  expect(await observe()).toEqual(new Map());

  refused = 7;
  expect(await observe()).toEqual(new Map([['portal', 'limited']]));
  expect(await observe()).toEqual(new Map());

  const nobody = 'http://127.0.0.1:9';
  context.integrations.paymentProviders = providers(app.paymentsUrl, nobody) as never;
  expect(await observe()).toEqual(new Map([['payments', 'limited']]));
  // A provider that payments may not use does not count.
  await sql`update payment_providers set is_enabled = false where name = 'reserve'`.execute(
    app.database,
  );
  expect(await observe()).toEqual(new Map());
  context.integrations.paymentProviders = providers(nobody) as never;
  context.integrations.identityProvider = { origin: nobody };
  expect(await observe()).toEqual(
    new Map([
      ['payments', 'down'],
      ['uaePass', 'down'],
    ]),
  );
  context.integrations.paymentProviders = providers(app.paymentsUrl) as never;
  context.integrations.identityProvider = { origin: app.sandboxUrl };
  await sql`update payment_providers set is_enabled = true`.execute(app.database);

  files.isFull = async () => true;
  expect(await observe()).toEqual(new Map([['documents', 'down']]));
  files.isFull = async () => false;
  files.sizeOf = () => Promise.reject(new Refusal('ServerBusy'));
  expect(await observe()).toEqual(new Map([['documents', 'down']]));
  files.sizeOf = async () => undefined;

  await sql`
    insert into attachments (user_id, service_id, name, file_name, media_type, size, uploaded_at, scan_state)
    select id, (select min(id) from services), 'a', 'a.pdf', 'application/pdf', 1, now() - interval '11 minutes', 'waiting'
    from users
    limit 1`.execute(app.database);
  expect(await observe()).toEqual(new Map([['documents', 'limited']]));
  await sql`update attachments set scan_state = 'clean'`.execute(app.database);

  const sms = (count: number, tries: number, dueMinutes: number, state = 'waiting') =>
    sql`
    insert into messages (kind, channel, recipient, language, body, tries, due_at, state, ended_at)
    select 'verificationCode', 'sms', '+971500000000', 'ar-EG', 'x', ${tries},
      now() + make_interval(mins => ${dueMinutes}), ${state},
      case when ${state} = 'sent' then now() end
    from generate_series(1, ${count})`.execute(app.database);
  await sms(2, 1, 5);
  expect(await observe()).toEqual(new Map());
  await sms(1, 1, 5);
  expect(await observe()).toEqual(new Map([['messages', 'limited']]));
  // Most of them leave: a few addresses are the fault.
  await sms(4, 1, 0, 'sent');
  expect(await observe()).toEqual(new Map());
  await sms(1, 0, -11);
  expect(await observe()).toEqual(new Map([['messages', 'limited']]));
  await sql`delete from messages`.execute(app.database);
});

it('is readable while the database does not serve, and tells of it afterwards', async () => {
  expect(check).toBeDefined();
  await check?.();
  const name = (
    await sql<{ name: string }>`select current_database() as name`.execute(app.database)
  ).rows[0]?.name;
  const admin = new pg.Client({ connectionString: inject('databaseServer') });
  await admin.connect();
  await admin.query(`alter database ${name} with connection limit 0`);
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
    name,
  ]);
  try {
    await expect
      .poll(async () => (await app.call(getReadiness)).status, { timeout: 10_000 })
      .toBe(503);
    await check?.();
    await check?.();
    const { status, body } = await app.call(getStatus);
    expect(status).toBe(200);
    expect(body.isComplete).toBe(false);
    expect(body.parts.map(({ part, state }) => `${part} ${state}`)).toEqual([
      'portal limited',
      'requests down',
      'documents down',
      'payments down',
      'messages down',
      'uaePass down',
    ]);
    const page = await app.server.inject({ url: '/status', headers: { accept: 'text/html' } });
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('<p>portal limited, requests down, documents down');
  } finally {
    await admin.query(`alter database ${name} with connection limit -1`);
    await admin.end();
  }
  await expect
    .poll(async () => (await app.call(getReadiness)).status, { timeout: 20_000 })
    .toBe(200);
  await check?.();
  expect((await rows()).map(({ part, ended_at: end }) => [part, end])).toEqual(
    expect.arrayContaining([
      ['requests', null],
      ['portal', null],
    ]),
  );
  expect((await app.call(getStatus)).body.isComplete).toBe(true);
});
