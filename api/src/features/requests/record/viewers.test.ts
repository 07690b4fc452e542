import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { buildApp } from '#app.ts';
import { sql } from '#platform/database/sql.ts';
import { listenTo, type Listener } from '#testing/hub-client.ts';
import { freeService, openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { getColleagues, reassignRequest } from '@diwan/contract/processing/assignments';
import { approveRequest } from '@diwan/contract/requests/request-actions';
import { getRequestState, getRequestViewers } from '@diwan/contract/requests/requests';
import { followMethod } from '@diwan/contract/wire/hubs';

const app = useTestApp();
const stage = openRequestStage(app);
let here: string;
let other: Awaited<ReturnType<typeof buildApp>>;
let there: string;
const open: Listener[] = [];
// Events arrive immediately unless the machine is busy.
const waiting = { timeout: 20_000, interval: 10 };

beforeAll(async () => {
  here = await app.server.listen({ port: 0, host: '127.0.0.1' });
  const unused = {} as never;
  const integrations = { paymentProviders: new Map(), sms: unused, mail: unused };
  other = await buildApp(app.config, app.database, 'http://localhost:3000', integrations);
  there = await other.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => other.close());
afterEach(() => Promise.all(open.splice(0).map(({ connection }) => connection.stop())));

async function listen(username: string, hub: string, at = here): Promise<Listener> {
  const listener = await listenTo({
    url: `${at}/hubs/${hub}`,
    token: await app.signIn(username),
    skipNegotiation: true,
    hearsTopics: true,
  });
  open.push(listener);
  return listener;
}

const follow = ({ connection }: Listener, ...ids: number[]) => connection.invoke(followMethod, ids);
const viewers = async (username: string, RequestId: number) =>
  (await app.callAs(username, getRequestViewers, { query: { RequestId } })).body.map(
    ({ name }) => name,
  );
const nameOf = async (username: string) =>
  (
    await app.database
      .selectFrom('users')
      .select('full_name')
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
  ).full_name;

it('staff see who else has a request open, in all processes, until the connection ends', async () => {
  const { requestId } = await stage.send('individual', freeService);
  const second = await stage.send('individual', freeService);
  const [clerk, colleague] = [
    await listen('employee', 'request'),
    await listen('employee2', 'request', there),
  ];
  await follow(clerk, requestId, second.requestId);
  await follow(colleague, requestId);
  expect(await viewers('employee', requestId)).toEqual([await nameOf('employee2')]);
  expect(await viewers('employee2', requestId)).toEqual([await nameOf('employee')]);
  expect(await viewers('employee2', second.requestId)).toEqual([await nameOf('employee')]);
  expect(await viewers('admin', requestId)).toHaveLength(2);
  await expect
    .poll(() => clerk.events().filter((name) => name === 'viewersChanged').length, waiting)
    .toBe(3);

  // Two windows of one person are one person.
  const again = await listen('employee', 'request');
  await follow(again, requestId);
  expect(await viewers('employee2', requestId)).toHaveLength(1);
  await again.connection.stop();
  await follow(clerk, second.requestId);
  await expect.poll(() => viewers('employee2', requestId), waiting).toEqual([]);
  await colleague.connection.stop();
  await expect.poll(() => viewers('admin', requestId), waiting).toEqual([]);
});

it('a process that died leaves nobody, and the rows of a living one come back', async () => {
  const { requestId } = await stage.send('individual', freeService);
  const clerk = await listen('employee', 'request');
  await follow(clerk, requestId);
  await sql`update request_viewers set seen_at = now() - interval '1 hour'`.execute(app.database);
  expect(await viewers('admin', requestId)).toEqual([]);
  // The job of this process renews its rows; those of another one expire.
  await expect.poll(() => viewers('admin', requestId), waiting).toEqual([await nameOf('employee')]);
  await sql`
    insert into request_viewers (connection_id, request_id, user_id, seen_at)
    select gen_random_uuid(), ${requestId}, id, now() - interval '1 hour'
    from users
    where username = 'employee2'`.execute(app.database);
  const seen = clerk.events().length;
  await expect.poll(() => clerk.events().slice(seen), waiting).toEqual(['viewersChanged']);
});

it('nobody follows a request that they may not see, and providers see their own people only', async () => {
  // The free service belongs to the partner of supervisor2.
  const { requestId } = await stage.sendAndReceive('individual', freeService);
  const clerk = await listen('employee', 'request');
  const supervisors = {
    own: await listen('supervisor2', 'request'),
    other: await listen('supervisor', 'request'),
  };
  await follow(clerk, requestId);
  for (const each of Object.values(supervisors)) await follow(each, requestId);
  expect(await viewers('admin', requestId)).toEqual([await nameOf('employee')]);
  await stage.performAction('employee', approveRequest, { requestId });
  await expect.poll(() => clerk.events(), waiting).toContain('requestChanged');
  for (const { received } of Object.values(supervisors))
    expect(received.map(({ event }) => event)).not.toContain('requestChanged');

  // It has come to the provider now.
  await follow(supervisors.own, requestId);
  await follow(supervisors.other, requestId);
  expect(await viewers('employee', requestId)).toEqual([await nameOf('supervisor2')]);
  expect(await viewers('supervisor2', requestId)).toEqual([]);
  const { status } = await app.callAs('supervisor', getRequestViewers, {
    query: { RequestId: requestId },
  });
  expect(status).toBe(404);
});

it('applicants get changes to their own requests, and what staff do with it too', async () => {
  const [owner, stranger] = [
    await listen('individual', 'account'),
    await listen('individual2', 'account'),
  ];
  const company = await listen('company', 'account');
  const { requestId } = await stage.send('individual', paidService);
  await expect.poll(() => owner.events(), waiting).toEqual(['requestChanged']);
  await stage.pay(requestId);
  await expect.poll(() => owner.events(), waiting).toHaveLength(2);
  await stage.receive('employee', requestId);
  await expect.poll(() => owner.events(), waiting).toHaveLength(3);
  const [colleague] = (await app.callAs('employee', getColleagues)).body;
  const { version } = (
    await app.callAs('employee', getRequestState, { query: { RequestId: requestId } })
  ).body;
  await app.callAs('employee', reassignRequest, {
    body: { requestId, version, holderId: colleague?.userId ?? '' },
  });
  await expect.poll(() => owner.events(), waiting).toHaveLength(4);
  expect([stranger.events(), company.events()]).toEqual([[], []]);
  // Applicants cannot follow, and nobody sees them.
  await follow(owner, requestId);
  expect(await viewers('admin', requestId)).toEqual([]);
});

it.each([
  ['no list', ['1']],
  ['another argument', [[1], 2]],
  ['a text', [['1']]],
  ['zero', [[0]]],
  ['too many', [Array.from({ length: 51 }, (_, index) => index + 1)]],
])('a call with %s ends the connection with a reason', async (_name, args) => {
  const { connection, closed } = await listen('employee', 'request');
  connection.invoke(followMethod, ...args).catch(() => undefined);
  expect(String(await closed)).toContain('followRequests takes a list');
});
