import { beforeAll, expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { getChanges } from '@diwan/contract/people/changes';
import { exportAuditLog, getAuditLog, type LogEntry } from '@diwan/contract/portal/audit-log';
import type { QueryInputOf } from '@diwan/contract/wire/call';

const app = useTestApp();
const stage = openRequestStage(app);

const read = async (query: QueryInputOf<typeof getAuditLog> = {}) =>
  (await app.callAs('auditor', getAuditLog, { query: { Take: 100, ...query } })).body;
const keysOf = (items: readonly LogEntry[]) => items.map(({ key }) => key);
const sourcesOf = (items: readonly LogEntry[]) => new Set(items.map(({ source }) => source));

let number = '';
beforeAll(async () => {
  const { requestId } = await stage.sendAndApprove('individual', paidService);
  await stage.read('employee2', requestId);
  const row = await app.database
    .selectFrom('requests')
    .select('number')
    .where('id', '=', requestId)
    .executeTakeFirstOrThrow();
  number = row.number;
  await app.callAs('admin', exportAuditLog, { query: { Format: 'csv', Kind: 'read' } });
});

it('has the acts of a clerk on requests, and none of an applicant', async () => {
  const { items } = await read({ Username: 'employee', Thing: `request/${number}` });
  const acts = items.flatMap(({ act }) => act ?? []);
  expect(acts).toContainEqual({ requestNumber: number, action: 'approve' });
  expect((await read({ Username: 'individual', Kind: 'request' })).items).toEqual([]);
});

it('has who read a request, who exported what, and who signed in from where', async () => {
  const reads = await read({ Thing: `request/${number}`, Kind: 'read', Username: 'employee2' });
  expect(reads.items).toMatchObject([
    { fullName: 'Khalid Al Demo', read: { requestNumber: number } },
  ]);
  const [exported] = (await read({ Kind: 'export' })).items;
  expect(exported).toMatchObject({
    username: 'admin',
    address: '127.0.0.1',
    event: { call: 'exportAuditLog', filter: { Format: 'csv', Kind: 'read' } },
  });
  const { items } = await read({ Username: 'employee', Kind: 'account.signedIn' });
  expect(items[0]).toMatchObject({ address: '127.0.0.1', event: { kind: 'signedIn' } });
});

it('is filtered by thing: a refund by its request, a case by its payment, a service and a user', async () => {
  const id = await app.idOf('individual');
  await sql`
    insert into changes (entity, entity_id, name, action, actor_name)
    values
      ('refund', '7', to_jsonb(${number}::text), 'confirmed', 'Sara'),
      ('paymentCase', '8', '"PAY-77"', 'changed', 'Sara'),
      ('service', '12', '"A service"', 'changed', 'Sara'),
      ('user', ${id}, '"Person"', 'changed', 'Sara')`.execute(app.database);
  const entityOf = async (Thing: string) =>
    (await read({ Thing, Kind: 'change' })).items.map(({ change }) => change?.entity);
  expect(await entityOf(`request/${number}`)).toEqual(['refund']);
  expect(await entityOf('payment/PAY-77')).toEqual(['paymentCase']);
  expect(await entityOf('service/12')).toEqual(['service']);
  expect(await entityOf('user/individual')).toEqual(['user']);
  expect((await read({ Thing: 'request/DW-0000-000000' })).items).toEqual([]);
});

it('is filtered by days in Dubai, both included', async () => {
  await sql`
    insert into audit_events (at, kind)
    values
      ('2026-03-01T19:59:59Z', 'signInFailed'),
      ('2026-03-01T20:00:00Z', 'signInFailed'),
      ('2026-03-03T19:59:59Z', 'signInFailed'),
      ('2026-03-03T20:00:00Z', 'signInFailed')`.execute(app.database);
  const { items } = await read({ From: '2026-03-02', Until: '2026-03-03' });
  expect(items.map(({ at }) => at)).toEqual([
    '2026-03-03T19:59:59.000Z',
    '2026-03-01T20:00:00.000Z',
  ]);
});

it('has the order time, kind, id over all tables, and pages and the export have the same', async () => {
  await sql`
    insert into audit_events (at, kind)
    select '2026-02-01T10:00:00.123456Z', 'signInFailed'
    from generate_series(1, 1005)`.execute(app.database);
  await sql`
    insert into changes (at, entity, entity_id, action, actor_name)
    select '2026-02-01T10:00:00.123456Z', 'agency', '1', 'changed', 'Sara'
    from generate_series(1, 5)`.execute(app.database);
  const day = { From: '2026-02-01', Until: '2026-02-01' };
  const listed: string[] = [];
  for (let page = 1; page <= 11; page += 1)
    listed.push(...keysOf((await read({ ...day, PageNumber: page })).items));
  expect(listed).toHaveLength(1010);
  expect(listed.slice(1005).every((key) => key.startsWith('change '))).toBe(true);
  const { payload } = await app.server.inject({
    url: exportAuditLog.path,
    query: { ...day, Format: 'jsonl' },
    headers: { authorization: `Bearer ${await app.signIn('admin')}` },
  });
  const lines = payload.trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as LogEntry).key)).toEqual(listed);
});

it('refuses unknown kinds, things and days', async () => {
  const token = await app.signIn('admin');
  for (const query of [
    { Kind: 'all' },
    { Thing: 'agency/1' },
    { From: '2026-02-30' },
    { Take: 1000 },
  ])
    expect(
      (await app.call(getAuditLog, { token, query: query as never })).status,
      JSON.stringify(query),
    ).toBe(400);
});

it('refuses days that end before they begin, beside the second day', async () => {
  const token = await app.signIn('auditor');
  const query = { From: '2026-03-02', Until: '2026-03-01' };
  for (const reply of [
    await app.call(getAuditLog, { token, query }),
    await app.call(exportAuditLog, { token, query: { ...query, Format: 'csv' } }),
  ]) {
    expect(reply.status).toBe(400);
    expect(Object.keys((reply.body as unknown as { errors: object }).errors)).toEqual(['Until']);
  }
  expect((await read({ From: '2026-03-01', Until: '2026-03-01' })).items).toHaveLength(1);
});

it.each([
  ['en-US', 'Type', 'Work on requests,Request ', 'Request approved', 'Request opened'],
  ['ar-EG', 'النوع', 'العمل على الطلبات,طلب ', 'الموافقة على الطلب', 'فتح الطلب'],
  ['ur-PK', 'قسم', 'درخواستوں پر کام,درخواست ', 'درخواست منظور ہوئی', 'درخواست کھولی گئی'],
])('is exported in words of the language %s', async (ln, header, thing, approved, opened) => {
  const { payload } = await app.server.inject({
    url: exportAuditLog.path,
    query: { Format: 'csv', ln, From: '2026-04-01' },
    headers: { authorization: `Bearer ${await app.signIn('auditor')}` },
  });
  const [first = '', ...lines] = payload.replaceAll('"', '').trim().split('\r\n');
  expect(first).toContain(header);
  const ofRequest = lines.filter((line) => line.includes(number)).join('\n');
  for (const words of [thing, approved, opened]) expect(ofRequest).toContain(words);
  // Codes are for programs.
  expect(payload).not.toMatch(/,(signedIn|approve|exportAuditLog|request|change),/);
});

it('holds every source', async () => {
  expect(sourcesOf((await read({ From: '2026-04-01' })).items)).toEqual(
    new Set(['account', 'change', 'export', 'read', 'request']),
  );
});

it('has for an administrator of agencies what is theirs, and nothing of others', async () => {
  const agencyOf = async (slug: string) =>
    await app.database
      .selectFrom('services')
      .innerJoin('agencies', 'agencies.id', 'services.agency_id')
      .select(['services.id as serviceId', 'agencies.id as agencyId'])
      .where('agencies.slug', '=', slug)
      .limit(1)
      .executeTakeFirstOrThrow();
  const rta = await agencyOf('roads-and-transport-authority-dubai');
  const moi = await agencyOf('ministry-of-interior');
  const staff = async (username: string) => app.idOf(username);
  const things = async ({ serviceId, agencyId }: typeof rta, username: string) => [
    ['agency', String(agencyId)],
    ['calendar', String(agencyId)],
    ['certificateTemplate', String(serviceId)],
    ['service', String(serviceId)],
    ['user', await staff(username)],
  ];
  const own = await things(rta, 'employee-rta');
  for (const [entity, id] of [...own, ...(await things(moi, 'employee-moi')), ['text', 'a:b']])
    await sql`
      insert into changes (entity, entity_id, action, actor_name)
      values (${entity}, ${id}, 'changed', 'Of which agency')`.execute(app.database);
  await app.signIn('employee-rta');
  await app.signIn('employee-moi');
  const readOwn = async (query: QueryInputOf<typeof getAuditLog> = {}) =>
    (await app.callAs('agency-rta', getAuditLog, { query: { Take: 100, ...query } })).body.items;
  const entries = (await readOwn()).filter(
    ({ change }) => !change || change.fullName === 'Of which agency',
  );
  const changed = entries.flatMap(({ change }) =>
    change ? [[change.entity, change.entityId]] : [],
  );
  expect(changed.toSorted()).toEqual(own);
  // Neither acts on requests nor what of them was read.
  expect([...sourcesOf(entries)].toSorted()).toEqual(['account', 'change']);
  const usernames = new Set(
    entries.filter(({ source }) => source === 'account').map(({ username }) => username),
  );
  expect([usernames.has('employee-rta'), usernames.has('employee-moi')]).toEqual([true, false]);
  for (const Thing of [`request/${number}`, `service/${moi.serviceId}`, 'user/employee-moi'])
    expect(await readOwn({ Thing }), Thing).toEqual([]);
  const { body: lines } = await app.callAs('agency-rta', exportAuditLog, {
    query: { Format: 'jsonl' },
  });
  expect(String(lines)).toContain(own[4]?.[1]);
  expect(String(lines)).not.toContain(await staff('employee-moi'));
  const { body: history } = await app.callAs('agency-rta', getChanges, {
    query: { Entity: 'service', EntityId: String(moi.serviceId) },
  });
  expect(history.totalCount).toBe(0);
});
