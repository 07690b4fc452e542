import { importJWK, jwtVerify } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { renewKeys, replaceKey } from '#platform/auth/secrets.ts';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { freePort } from '#platform/embedded-postgres/free-port.ts';
import { openPush } from '#platform/messages/push.ts';
import { demoPassword } from '#seed/seed.ts';
import { openPushBrowser, openPushService } from '#testing/push-browser.ts';
import { freeService, openRequestStage } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { endSessions } from '@diwan/contract/people/accounts';
import {
  getPushState,
  removePushSubscription,
  savePushSubscription,
} from '@diwan/contract/people/communication-types';
import { login, logout } from '@diwan/contract/people/users';
import { reassignRequest } from '@diwan/contract/processing/assignments';
import { getRequestMessages, getMessages } from '@diwan/contract/requests/messages';
import { getRequestState } from '@diwan/contract/requests/requests';
import { suspendUser } from '@diwan/contract/staff/user-administration';

const port = await freePort();
const origin = `http://127.0.0.1:${port}`;
let service: Awaited<ReturnType<typeof openPushService>>;
const app = useTestApp({
  WEB_PUSH_SERVICES: origin,
  WEB_PUSH_CONTACT: 'mailto:desk@diwan.example',
});
const stage = openRequestStage(app);
beforeAll(async () => {
  service = await openPushService(port);
});
afterAll(() => service.close());
// Deliveries take as long as the machine is busy.
const waiting = { timeout: 20_000, interval: 20 };

const openBrowser = (path: string) => ({
  ...openPushBrowser(origin + path),
  received: () => service.received(path),
});

const turnOn = async (username: string, browser: ReturnType<typeof openBrowser>) =>
  app.callAs(username, savePushSubscription, { body: browser.body });
const owners = async (...paths: string[]) =>
  (
    await app.database
      .selectFrom('push_subscriptions')
      .innerJoin('users', 'users.id', 'user_id')
      .select('username')
      .where(
        'endpoint',
        'in',
        paths.map((path) => origin + path),
      )
      .orderBy('username')
      .execute()
  ).map(({ username }) => username);
const pushes = (path: string) =>
  app.database
    .selectFrom('messages')
    .innerJoin('push_subscriptions', (join) =>
      join.on(sql<boolean>`messages.recipient = push_subscriptions.id::text`),
    )
    .select(['messages.id', 'state', 'tries'])
    .where('endpoint', '=', origin + path)
    .execute();

it('sends an applicant what the mail says, signed and readable by the browser alone', async () => {
  const browser = openBrowser('/applicant');
  const { status, body } = await turnOn('individual', browser);
  expect([status, body.isOn]).toEqual([200, true]);
  const { requestId, requestNumber } = await stage.send('individual', freeService);
  await expect.poll(() => browser.received().length, waiting).toBe(1);
  const [message] = browser.received();
  const { headers } = message!;
  expect(browser.read(message!)).toMatchObject({
    title: expect.stringContaining(requestNumber) as string,
    lang: expect.stringMatching(/^(ar|en|ur)$/) as string,
    url: expect.stringMatching(/^\/requests\?request=/) as string,
    tag: expect.stringMatching(/^[\da-f-]{36}$/) as string,
  });
  expect(headers).toMatchObject({ ttl: '86400', 'content-encoding': 'aes128gcm' });
  expect(headers.topic).toMatch(/^[\w-]{22}$/);
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(
    headers.authorization ?? '',
  )!;
  expect(key).toBe(body.key);
  const point = Buffer.from(key, 'base64url');
  const verified = await jwtVerify(
    token,
    await importJWK(
      {
        kty: 'EC',
        crv: 'P-256',
        x: point.subarray(1, 33).toString('base64url'),
        y: point.subarray(33).toString('base64url'),
      },
      'ES256',
    ),
    { audience: origin, algorithms: ['ES256'] },
  );
  expect(verified.payload.sub).toBe('mailto:desk@diwan.example');
  // RFC 8292: at most a day.
  expect((verified.payload.exp ?? 0) - Date.now() / 1000).toBeLessThan(86_400);

  // The address of the browser is shown to nobody.
  const { body: sent } = await app.callAs('individual', getRequestMessages, {
    query: { RequestId: requestId },
  });
  expect(sent.find(({ channel }) => channel === 'push')).toMatchObject({ recipient: '' });
  const { body: all } = await app.callAs('admin', getMessages, {
    query: { State: 'all', Channel: 'push' },
  });
  expect(all.items).toMatchObject([{ recipient: '', requestNumber }]);
});

it('sends a clerk a notification, and none of a kind that they have turned off', async () => {
  const browser = openBrowser('/clerk');
  await turnOn('employee2', browser);
  const { requestId, requestNumber } = await stage.sendAndReceive('individual2', freeService);
  const { body } = await app.callAs('employee', getRequestState, {
    query: { RequestId: requestId },
  });
  const holderId = await app.idOf('employee2');
  await app.callAs('employee', reassignRequest, {
    body: { requestId, version: body.version, holderId },
  });
  await expect.poll(() => browser.received().length, waiting).toBe(1);
  expect(browser.read(browser.received()[0]!).title).toContain(requestNumber);
});

it('tries again after an error, and removes a browser that is gone', async () => {
  const [busy, gone] = [openBrowser('/busy'), openBrowser('/gone')];
  await turnOn('company', busy);
  await turnOn('company', gone);
  service.answers.set('/busy', [503]);
  service.answers.set('/gone', [410]);
  await stage.send('company', freeService);
  await expect.poll(() => owners('/busy', '/gone'), waiting).toEqual(['company']);
  await expect.poll(async () => (await pushes('/busy'))[0]?.tries, waiting).toBe(1);
  // The outbox forgets the browser first, then ends its message.
  const ended = () =>
    app.database
      .selectFrom('messages')
      .select('id')
      .where('channel', '=', 'push')
      .where('state', '=', 'givenUp')
      .execute();
  await expect.poll(ended, waiting).toHaveLength(1);
  const [first] = busy.received();
  await sql`update messages set due_at = now() where state = 'waiting'`.execute(app.database);
  await expect
    .poll(
      async () => {
        // Any message wakes the outbox.
        await stage.send('company2', freeService);
        return (await pushes('/busy'))[0]?.state;
      },
      { timeout: 20_000, interval: 200 },
    )
    .toBe('sent');
  // The browser replaces the first one.
  expect(busy.read(busy.received()[1]!).tag).toBe(busy.read(first!).tag);
  expect(busy.received()[1]?.headers.topic).toBe(first?.headers.topic);
});

it.each([
  'https://fcm.googleapis.com.attacker.example/x',
  'http://127.0.0.1:5432/x',
  'https://169.254.169.254/latest/meta-data',
  `${origin.replace('127.0.0.1', 'localhost')}/x`,
])('refuses the endpoint %s', async (endpoint) => {
  const { refused } = await app.callAs('individual', savePushSubscription, {
    body: { ...openBrowser('/x').body, endpoint },
  });
  expect(refused.error).toBe('PushServiceUnknown');
});

it('refuses a key that is not on the curve', async () => {
  const { body } = openBrowser('/curve');
  const { status } = await app.callAs('individual', savePushSubscription, {
    body: { ...body, publicKey: `BA${'A'.repeat(85)}` },
  });
  expect(status).toBe(400);
});

it('belongs to the user who is signed in, and keeps ten browsers of each', async () => {
  const shared = openBrowser('/shared');
  const stateOf = async (username: string) =>
    (await app.callAs(username, getPushState, { body: { endpoint: shared.body.endpoint } })).body
      .isOn;
  await turnOn('individual', shared);
  expect(await stateOf('individual')).toBe(true);
  // Nobody turns off the messages of another user, but who uses the browser does not get them.
  await app.callAs('individual2', removePushSubscription, {
    body: { endpoint: shared.body.endpoint },
  });
  expect(await owners('/shared')).toEqual(['individual']);
  expect(await stateOf('individual2')).toBe(false);
  expect(await owners('/shared')).toEqual([]);
  const paths = Array.from({ length: 12 }, (_, index) => `/many${index}`);
  for (const path of paths) await turnOn('supervisor', openBrowser(path));
  expect(await owners(...paths)).toHaveLength(10);
  expect(await owners('/many0', '/many1')).toEqual([]);
  await app.callAs('supervisor', removePushSubscription, { body: { endpoint: `${origin}/many5` } });
  expect(await owners(...paths)).toHaveLength(9);
});

it('ends with the session that somebody ended, and with the suspension of the user', async () => {
  const signIn = async () =>
    (await app.call(login, { body: { username: 'company2', password: demoPassword } })).body.token;
  const [one, other] = [await signIn(), await signIn()];
  const save = (token: string, path: string) =>
    app.call(savePushSubscription, { token, body: openBrowser(path).body });
  await save(one, '/one');
  await save(other, '/other');
  // The portal signs out at its home page too, where messages continue: web-push.ts ends them.
  await app.call(logout, { token: one });
  expect(await owners('/one', '/other')).toEqual(['company2', 'company2']);
  await app.call(endSessions, { token: other, body: {} });
  expect(await owners('/one', '/other')).toEqual([]);

  await save(await signIn(), '/suspended');
  const user = await app.database
    .selectFrom('users')
    .select(['id', 'version'])
    .where('username', '=', 'company2')
    .executeTakeFirstOrThrow();
  const { status } = await app.callAs('admin', suspendUser, {
    body: { userId: user.id, version: user.version, reason: 'Left the company' },
  });
  expect([status, await owners('/suspended')]).toEqual([200, []]);
});

it('has one key for all processes, which stays after a restart', async () => {
  const { body } = await app.callAs('individual', getPushState, { body: {} });
  const again = await Promise.all([1, 2, 3].map(() => openPush(app.database, app.config)));
  expect(new Set(again.map(({ publicKey }) => publicKey))).toEqual(new Set([body.key]));
});

it('reaches browsers of the former key, which ask for the new one at their next visit', async () => {
  const browser = openBrowser('/former-key');
  const { body: before } = await turnOn('individual2', browser);
  await inTransaction(app.database, (transaction) =>
    replaceKey(transaction, 'web-push', { isImmediate: true, endsOld: false }),
  );
  await renewKeys(app.serverDatabase, app.config);
  const { body: after } = await app.callAs('individual2', getPushState, { body: {} });
  expect(after.key).not.toBe(before.key);
  // The push service refuses what another key signs than that of the subscription.
  service.answers.set('/former-key', [403, 201]);
  await stage.send('individual2', freeService);
  await expect.poll(() => browser.received().length, waiting).toBe(2);
  const signedBy = browser
    .received()
    .map(({ headers }) => /k=([\w-]+)$/.exec(headers.authorization ?? '')?.[1]);
  expect(signedBy).toEqual([after.key, before.key]);
  const states = async () => (await pushes('/former-key')).map(({ state }) => state);
  await expect.poll(states, waiting).toEqual(['sent']);
});
