import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { hubLimits } from '#platform/hubs/hub-connection.ts';
import { demoPassword } from '#seed/seed.ts';
import { listenTo } from '#testing/hub-client.ts';
import { useTestApp } from '#testing/test-app.ts';
import { getSessions } from '@diwan/contract/people/accounts';
import { login, refreshToken } from '@diwan/contract/people/users';
import { getAllStatuses } from '@diwan/contract/requests/request-lists';
import { backgroundHeader } from '@diwan/contract/wire/call';
import { openSessions } from './sessions.ts';

const app = useTestApp({ SESSION_IDLE_MINUTES: '60', SESSION_IDLE_MINUTES_STAFF: '30' });
let hub: string;
beforeAll(async () => {
  Object.assign(hubLimits, { pingMs: 100 });
  const address = await app.server.listen({ port: 0, host: '127.0.0.1' });
  hub = `${address}/hubs/request`;
});

const idOf = (token: string) => String(decodeJwt(token).sid);
const signIn = async (username: string) =>
  (await app.call(login, { body: { username, password: demoPassword } })).body.token;
const lastUse = async (token: string) =>
  (
    await app.database
      .selectFrom('sessions')
      .select('used_at')
      .where('id', '=', idOf(token))
      .executeTakeFirstOrThrow()
  ).used_at.getTime();
/** Moves the last use of a session into the past. */
async function beIdle(token: string, minutes: number): Promise<void> {
  await app.database
    .updateTable('sessions')
    .set({ used_at: new Date(Date.now() - minutes * 60_000) })
    .where('id', '=', idOf(token))
    .execute();
}
async function use(token: string, isBackground = false): Promise<number> {
  const { statusCode } = await app.server.inject({
    url: getAllStatuses.path,
    headers: {
      authorization: `Bearer ${token}`,
      ...(isBackground ? { [backgroundHeader]: '1' } : {}),
    },
  });
  return statusCode;
}
async function refresh(token: string, isBackground = false): Promise<[number, string]> {
  const answer = await app.server.inject({
    method: 'POST',
    url: refreshToken.path,
    payload: { token },
    headers: isBackground ? { [backgroundHeader]: '1' } : {},
  });
  const body = answer.json<string | { error: string }>();
  return [answer.statusCode, typeof body === 'string' ? body : body.error];
}

describe.each([
  ['individual', 60],
  ['company', 60],
  ['employee', 30],
  ['admin', 30],
  ['supervisor', 30],
])('a session of %s', (username, minutes) => {
  it(`is over after ${minutes} minutes without use, for calls and for refreshing`, async () => {
    const token = await signIn(username);
    await beIdle(token, minutes - 1);
    expect(await use(token)).toBe(200);
    await beIdle(token, minutes);
    expect(await use(token)).toBe(401);
    expect(await refresh(token)).toEqual([401, 'SessionEnded']);
  });
});

describe('the use of a session', () => {
  it('is recorded for each of several calls that come at the same time', async () => {
    const tokens = await Promise.all(['individual', 'company', 'admin'].map(signIn));
    for (const token of tokens) await beIdle(token, 5);
    const now = Date.now();
    await Promise.all([...tokens, ...tokens].map((token) => use(token)));
    for (const token of tokens) expect(await lastUse(token)).toBeGreaterThanOrEqual(now);
  });

  it('is recorded by calls and refreshes of the user, at most once a minute', async () => {
    const token = await signIn('individual');
    const start = await lastUse(token);
    expect(await use(token)).toBe(200);
    expect(await lastUse(token)).toBe(start);
    await beIdle(token, 2);
    expect(await use(token)).toBe(200);
    expect(await lastUse(token)).toBeGreaterThanOrEqual(start);
    await beIdle(token, 2);
    expect((await refresh(token))[0]).toBe(200);
    expect(await lastUse(token)).toBeGreaterThanOrEqual(start);
  });

  it('is not recorded by background calls and refreshes', async () => {
    const token = await signIn('employee');
    await beIdle(token, 20);
    const before = await lastUse(token);
    expect(await use(token, true)).toBe(200);
    const [status, next] = await refresh(token, true);
    expect([status, await use(next, true)]).toEqual([200, 200]);
    expect(await lastUse(token)).toBe(before);
    await beIdle(token, 30);
    expect(await use(next, true)).toBe(401);
    expect(await refresh(next, true)).toEqual([401, 'SessionEnded']);
  });

  it('is not recorded by a hub, which closes when the session is over', async () => {
    const token = await signIn('employee');
    await beIdle(token, 20);
    const before = await lastUse(token);
    const { connection, closed } = await listenTo({ url: hub, token });
    expect([connection.state, await lastUse(token)]).toEqual(['Connected', before]);
    await beIdle(token, 30);
    await closed;
    await expect(listenTo({ url: hub, token })).rejects.toThrow();
  });

  it('of an employee who acts counts for both sessions, and both limits are those of staff', async () => {
    const sessions = await openSessions(app.database, app.config, 'http://localhost:3000');
    const own = await signIn('employee');
    const clerk = await sessions.findCaller(own);
    const id = await app.idOf('individual');
    const acting = await inTransaction(app.database, (transaction) =>
      sessions.createActingSession(transaction, clerk as never, id),
    ).then((sign) => sign());
    await beIdle(own, 20);
    await beIdle(acting, 20);
    expect(await use(acting)).toBe(200);
    const minuteAgo = Date.now() - 60_000;
    expect([(await lastUse(own)) > minuteAgo, (await lastUse(acting)) > minuteAgo]).toEqual([
      true,
      true,
    ]);
    await beIdle(acting, 30);
    expect(await use(acting)).toBe(401);
    await beIdle(acting, 1);
    expect(await use(acting)).toBe(200);
    await beIdle(own, 30);
    expect(await use(acting)).toBe(401);
  });
});

it('the list of own sessions leaves out idle ones', async () => {
  const [idle, current] = [await signIn('individual2'), await signIn('individual2')];
  await beIdle(idle, 60);
  const { body } = await app.call(getSessions, { token: current });
  const ids = body.map(({ sessionId }) => sessionId);
  expect([ids.includes(idOf(current)), ids.includes(idOf(idle))]).toEqual([true, false]);
});
