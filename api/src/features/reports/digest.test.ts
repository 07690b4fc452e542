import { beforeAll, expect, it } from 'vitest';
import { openCalendars } from '#features/calendars/calendars.actions.ts';
import { sql, type Sql } from '#platform/database/sql.ts';
import { freeService, openRequestStage } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { saveNotificationSetting } from '@diwan/contract/staff/notifications';
import { dayAfter } from '@diwan/contract/wire/days';
import { openWorkflows } from '../workflow/workflows.actions.ts';
import { digestDay, sendDigests, type DigestContext } from './digest.actions.ts';

const app = useTestApp();
const stage = openRequestStage(app);
// Tuesday, 7:30 in Asia/Dubai.
const now = new Date('2027-01-05T03:30:00Z');
const day = '2027-01-05';
let context: DigestContext;

beforeAll(async () => {
  context = {
    database: app.database,
    config: { ...app.config, STAFF_DIGEST_HOUR: 7 },
    publicUrl: 'http://localhost:3000',
    workflow: await openWorkflows(app.database, app.config),
    calendars: await openCalendars(app.database),
  };
  await sql`
    update users
    set email_verified_at = now()
    where cardinality(roles) > 0`.execute(app.database);
});

const digests = async () => {
  const { rows } = await sql<{ username: string; subject: string; body: string }>`
    select username, subject, body
    from messages
    join users on users.id = user_id
    where subject like ${`%${day}%`}
    order by username`.execute(app.database);
  return rows;
};
const bodyOf = async (username: string) =>
  (await digests()).find((each) => each.username === username)?.body ?? '';
const startAgain = () =>
  sql`with gone as (delete from staff_digests) delete from messages`.execute(app.database);

it('is due on working days from the hour of the setting, for four hours', () => {
  const { time } = context.calendars.current(null);
  expect(digestDay(now, 7, time)).toBe(day);
  for (const at of ['2027-01-05T02:59:00Z', '2027-01-05T07:00:00Z'])
    expect(digestDay(new Date(at), 7, time)).toBeUndefined();
  // Saturday and Sunday in Asia/Dubai; Monday begins there while UTC has Sunday.
  for (const at of ['2027-01-09T03:30:00Z', '2027-01-10T03:30:00Z'])
    expect(digestDay(new Date(at), 7, time)).toBeUndefined();
  expect(digestDay(new Date('2027-01-10T20:30:00Z'), 0, time)).toBe('2027-01-11');
  // New Year, a Friday, and the Friday after it.
  expect(digestDay(new Date('2027-01-01T03:30:00Z'), 7, time)).toBeUndefined();
  expect(digestDay(new Date('2027-01-08T03:30:00Z'), 7, time)).toBe('2027-01-08');
  expect(digestDay(now, 'off', time)).toBeUndefined();
});

it('says what waits, is due, late and held, once a day, with any number of processes', async () => {
  const late = await stage.sendAndReceive('individual', freeService);
  await sql`
    update requests
    set due_on = ${dayAfter(day, -1)}::date
    where id = ${late.requestId}`.execute(app.database);
  await sql`update users set language = 'en-US' where username = 'employee'`.execute(app.database);
  await Promise.all([1, 2, 3, 4].map(() => sendDigests(context, now)));
  await sendDigests(context, new Date(now.getTime() + 3_600_000));
  const names = (await digests()).map(({ username }) => username);
  expect(names).toEqual([...new Set(names)]);
  expect(names).toEqual(expect.arrayContaining(['admin', 'employee', 'employee2']));
  expect(names).not.toContain('company');
  const body = await bodyOf('employee');
  const open = [...context.workflow.openStatuses()];
  const { rows } = await sql<{ held: number; late: number }>`
    select
      count(*) filter (where holder_id = users.id and status_id = any(${open}::int[]))::int as held,
      count(*) filter (where due_on < ${day}::date)::int as late
    from requests
    cross join users
    where username = 'employee'`.execute(app.database);
  expect(body).toContain(`Assigned to you: ${rows[0]?.held}`);
  expect(body).toContain(`Late: ${rows[0]?.late}`);
  expect(body).toMatch(/Waiting longest: DW[\d-]+ \(\d{4}-\d\d-\d\d\)/);
  expect(body).toContain('http://localhost:3000/requests/all?due=late');
  expect(body).toContain('http://localhost:3000/requests/processing?mine=1');
});

it('counts for an employee of some agencies what these have, and nothing of others', async () => {
  const held = await stage.sendAndReceive('individual', freeService);
  const userId = await app.idOf('employee-moi');
  await sql`
    update requests
    set holder_id = ${userId}, due_on = ${dayAfter(day, -1)}::date
    where id = ${held.requestId}`.execute(app.database);
  const digestOf = async (agencyId: Sql<unknown>) => {
    await startAgain();
    await sql`delete from staff_agencies where user_id = ${userId}`.execute(app.database);
    await sql`
      insert into staff_agencies (user_id, agency_id)
      select ${userId}, (${agencyId})`.execute(app.database);
    await sendDigests(context, now);
    return bodyOf('employee-moi');
  };
  const own = sql`select agency_id from requests where id = ${held.requestId}`;
  expect(await digestOf(own)).toMatch(/: 1\n/);
  const empty = sql`
    select min(id)
    from agencies
    where not exists (select from requests where agency_id = agencies.id)`;
  expect(await digestOf(empty)).toBe('');
});

it('is not sent where nothing waits, to who turned it off, or to a suspended provider', async () => {
  await startAgain();
  await app.callAs('employee', saveNotificationSetting, {
    body: { kind: 'digest', inPortal: false, byMail: false, bySms: false, byPush: false },
  });
  expect(await sendDigests(context, now)).toBe(true);
  const names = (await digests()).map(({ username }) => username);
  expect(names).toContain('employee2');
  expect(names).not.toContain('employee');
  expect(names).not.toContain('provider-suspended');

  await startAgain();
  await sql`update requests set due_on = null, holder_id = null`.execute(app.database);
  const nothing = { ...context.workflow, openStatuses: () => [], known: () => [] };
  expect(await sendDigests({ ...context, workflow: nothing as never }, now)).toBe(false);
  expect(await digests()).toEqual([]);
});

it('is sent by another process when one dies before it has finished, and stored for a month', async () => {
  await startAgain();
  // The transaction ends like that of a process that is killed while it stores the messages.
  await sql`
    create function interrupt() returns trigger language plpgsql as $$
    begin
      raise exception 'killed';
    end $$`.execute(app.database);
  await sql`
    create trigger interrupt before insert on messages
      for each row execute function interrupt()`.execute(app.database);
  await sql`
    insert into staff_digests (user_id, day)
    select id, ${dayAfter(day, -40)}::date
    from users
    where username = 'admin'`.execute(app.database);
  await expect(sendDigests(context, now)).rejects.toThrow('killed');
  await sql`drop function interrupt cascade`.execute(app.database);
  expect(await digests()).toEqual([]);
  await sendDigests(context, now);
  expect((await digests()).map(({ username }) => username)).toContain('admin');
  const { rows } = await sql<{ first: string }>`
    select min(day)::text as first
    from staff_digests`.execute(app.database);
  expect(rows[0]?.first).toBe(day);
});
