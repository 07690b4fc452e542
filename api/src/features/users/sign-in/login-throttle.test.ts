import { describe, expect, inject, it } from 'vitest';
import { Refusal } from '#platform/core/refusals.ts';
import { findDatabaseFailure, openDatabase } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import { demoPassword } from '#seed/seed.ts';
import { addressThrough, openTcpProxy } from '#testing/programs/tcp-proxy.ts';
import { openTestApp, useTestApp } from '#testing/test-app.ts';
import { getAuditEvents } from '@diwan/contract/people/audit';
import {
  confirmSecondFactor,
  newRecoveryCodes,
  removeSecondFactor,
} from '@diwan/contract/people/second-factor';
import { changeUserPassword, login } from '@diwan/contract/people/users';
import { countAttempt, getWaitSeconds, uncountAttempt } from './login-throttle.store.ts';
import { openLoginThrottle } from './login-throttle.ts';

const app = useTestApp({ SIGN_IN_FREE_TRIES: '5' });

async function tryOnce(
  username: string,
  password: string,
  from: { address?: string; cookie?: string } = {},
) {
  const response = await app.server.inject({
    method: 'POST',
    url: login.path,
    payload: { username, password },
    remoteAddress: from.address ?? '203.0.113.7',
    headers: { 'accept-language': 'en-US', ...(from.cookie ? { cookie: from.cookie } : {}) },
  });
  return {
    status: response.statusCode,
    error: (response.json() as { error?: string }).error,
    retryAfter: Number(response.headers['retry-after']),
    cookie: String(response.headers['set-cookie'] ?? '').split(';')[0] ?? '',
  };
}

const wrong = 'Wrong&password2026';
/** Moves the end of every current wait into the past, or further ahead. */
const letPass = (milliseconds = 1000) =>
  app.database
    .updateTable('sign_in_tries')
    .set({ wait_until: new Date(Date.now() - milliseconds) })
    .where('tries', '>', 4)
    .execute();
const countOf = (answers: { status: number }[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

it('a thousand parallel wrong passwords are throttled, and the owner is not locked out', async () => {
  const known = await tryOnce('individual', demoPassword);
  expect(known.cookie).toMatch(/^diwan-device=/);
  const flood = await Promise.all(Array.from({ length: 1000 }, () => tryOnce('individual', wrong)));
  // Five passwords are verified, however many arrive in parallel. On a slow machine one or two
  // waits end during the test.
  expect(countOf(flood, 400)).toBeGreaterThanOrEqual(5);
  expect(countOf(flood, 400)).toBeLessThan(12);
  expect(countOf(flood, 400) + countOf(flood, 429)).toBe(1000);
  const slowed = flood.find(({ status }) => status === 429);
  expect(slowed).toMatchObject({ error: 'TooManyRequests' });
  expect(slowed?.retryAfter).toBeGreaterThan(0);
  await letPass(-60_000);

  // A correct password from the same network waits too; otherwise the reply would reveal it.
  expect((await tryOnce('individual', demoPassword)).status).toBe(429);
  // A known browser can sign in even from the network of the attack, and so can other networks.
  expect((await tryOnce('individual', demoPassword, { cookie: known.cookie })).status).toBe(200);
  expect((await tryOnce('individual', demoPassword, { address: '198.51.100.20' })).status).toBe(
    200,
  );
  // Other users of that network are not affected.
  expect((await tryOnce('individual2', demoPassword)).status).toBe(200);

  await letPass();
  expect((await tryOnce('individual', demoPassword)).status).toBe(200);
  expect((await tryOnce('individual', wrong)).status).toBe(400);
});

it('lets one person sign in from many windows in parallel', async () => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => tryOnce('employee', demoPassword, { address: '192.0.2.77' })),
  );
  expect(countOf(answers, 200)).toBe(40);
});

it('does the same for an unknown username', async () => {
  const flood = await Promise.all(
    Array.from({ length: 50 }, () => tryOnce('nobody-at-all', wrong)),
  );
  expect(countOf(flood, 400) + countOf(flood, 429)).toBe(50);
  expect(countOf(flood, 400)).toBeLessThan(8);
  expect(new Set(flood.map(({ error }) => error))).toEqual(
    new Set(['WrongUsernameOrPassword', 'TooManyRequests']),
  );
});

it('counts all spellings of a username together, and an IPv6 /64 network as one', async () => {
  const names = ['company', 'COMPANY', ' Company ', 'cOmpany', 'company', 'compANY'];
  const answers = [];
  for (const [index, name] of names.entries()) {
    // Extends a wait of one second, which could end on a slow machine.
    if (index === 5) await letPass(-60_000);
    answers.push(await tryOnce(name, wrong, { address: `2001:db8:1:2::${index + 1}` }));
  }
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 429]);
});

it('does not accept a device cookie of another account or a forged one', async () => {
  const { cookie } = await tryOnce('company2', demoPassword, { address: '192.0.2.1' });
  const at = { address: '192.0.2.99' };
  for (let round = 0; round < 5; round++) await tryOnce('supervisor', wrong, at);
  await letPass(-60_000);
  for (const other of [cookie, 'diwan-device=a.b', 'diwan-device=', `${cookie}x`])
    expect((await tryOnce('supervisor', wrong, { ...at, cookie: other })).status, other).toBe(429);
});

it('gives unknown browsers one free attempt instead of five under a distributed attack', async () => {
  const { cookie } = await tryOnce('supervisor2', demoPassword, { address: '192.0.2.200' });
  for (let host = 1; host <= 51; host++)
    for (let round = 0; round < 2; round++)
      await tryOnce('supervisor2', wrong, { address: `198.18.0.${host}` });
  const fresh = { address: '198.18.1.1' };
  expect((await tryOnce('supervisor2', wrong, fresh)).status).toBe(400);
  // The wait is a minute, because a hundred networks could make hundreds of attempts within short
  // waits.
  const next = await tryOnce('supervisor2', wrong, fresh);
  expect([next.status, next.retryAfter > 55, next.retryAfter <= 64]).toEqual([429, true, true]);
  expect((await tryOnce('supervisor2', demoPassword, { address: '198.18.1.2' })).status).toBe(200);
  for (let round = 0; round < 4; round++)
    expect((await tryOnce('supervisor2', wrong, { cookie })).status).toBe(400);
}, 60_000);

describe('countAttempt', () => {
  it('doubles the wait up to a quarter of an hour, and resets after a day', async () => {
    const waits = [];
    for (let round = 0; round < 18; round++) {
      await letPass();
      expect(await countAttempt(app.database, 'doubling', 5)).toBe(round + 1);
      waits.push(round < 4 ? 0 : await getWaitSeconds(app.database, 'doubling'));
      if (round >= 4) expect(await countAttempt(app.database, 'doubling', 5)).toBe(false);
    }
    expect(waits).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900]);
    await letPass();
    await app.database
      .updateTable('sign_in_tries')
      .set({ last_at: new Date(Date.now() - 90_000_000) })
      .where('key', '=', 'doubling')
      .execute();
    for (let round = 0; round < 5; round++)
      expect(await countAttempt(app.database, 'doubling', 5)).toBe(round + 1);
    expect(await countAttempt(app.database, 'doubling', 5)).toBe(false);
  });
});

it('stores no typed username, neither with the attempts nor in the audit log', async () => {
  await tryOnce('MySecret&passw0rd-in-the-wrong-box', 'x');
  await tryOnce('employee2', wrong);
  const tries = await app.database.selectFrom('sign_in_tries').selectAll().execute();
  const { body } = await app.callAs('admin', getAuditEvents, {
    query: { Kind: 'signInFailed', Take: 100 },
  });
  expect(JSON.stringify([tries, body]).toLowerCase()).not.toContain('mysecret');
  expect(JSON.stringify(tries)).not.toContain('employee2');
  expect(body.items[0]).toMatchObject({
    kind: 'signInFailed',
    username: 'employee2',
    fullName: 'Khalid Al Demo',
    address: '203.0.113.7',
  });
  expect(body.items[1]).not.toHaveProperty('username');
});

it('limits the wrong passwords and codes of signed-in callers by address', async () => {
  const strict = await openTestApp({ LOGIN_ATTEMPTS_PER_MINUTE: '3' });
  const token = await strict.signIn('individual');
  const change = {
    oldPassword: demoPassword,
    newPassword: 'Quiet-Lanterns-7042!',
    confirmNewPassword: 'other',
  };
  for (const [call, body] of [
    [confirmSecondFactor, { code: '123456' }],
    [newRecoveryCodes, { code: '123456' }],
    [removeSecondFactor, { code: '123456' }],
    [changeUserPassword, change],
  ] as const) {
    const statuses: number[] = [];
    for (let round = 0; round < 4; round += 1)
      statuses.push((await strict.call(call as never, { token, body } as never)).status);
    expect([call.name, statuses.indexOf(429)]).toEqual([call.name, 3]);
  }
  await strict.close();
});

describe('an attempt that cannot be verified', () => {
  const origin = { address: '192.0.2.55' };
  const stored = (key = '%') =>
    sql<{ tries: number }>`select tries from sign_in_tries where key like ${key}`.execute(
      app.database,
    );

  it('is not counted, however often the database fails', async () => {
    const throttle = openLoginThrottle(app.database, () => ['secret'], 3);
    for (const failure of [new Error('Connection terminated'), new Refusal('ServerBusy')])
      for (let round = 0; round < 10; round += 1)
        await expect(
          throttle.tryPassword('unlucky', origin, () => Promise.reject(failure)),
        ).rejects.toBe(failure);
    expect(await throttle.tryPassword('unlucky', origin, async () => true)).toBe(true);
  });

  it('is counted when the password or the code is refused', async () => {
    const throttle = openLoginThrottle(app.database, () => ['secret'], 3);
    const refuse = () => Promise.reject(new Refusal('SecondFactorWrong'));
    for (let round = 0; round < 3; round += 1)
      await expect(throttle.tryPassword('wrong', origin, refuse)).rejects.toMatchObject({
        refusal: 'SecondFactorWrong',
      });
    await expect(throttle.tryPassword('wrong', origin, refuse)).rejects.toMatchObject({
      refusal: 'TooManyRequests',
    });
  });

  it('ends only its own wait, and never counts below the other attempts', async () => {
    for (let round = 0; round < 6; round += 1) {
      await letPass();
      await countAttempt(app.database, 'taken back', 5);
    }
    // An attempt was counted after number 5, so that its wait stays.
    await uncountAttempt(app.database, 'taken back', 5);
    expect((await stored('taken back')).rows).toEqual([{ tries: 5 }]);
    expect(await countAttempt(app.database, 'taken back', 5)).toBe(false);
    await uncountAttempt(app.database, 'taken back', 5);
    expect((await stored('taken back')).rows).toEqual([{ tries: 4 }]);
    expect(await countAttempt(app.database, 'taken back', 5)).toBe(5);
  });

  it('is taken back later when the database does not accept it immediately', async () => {
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(
      app.database,
    );
    const url = new URL(inject('databaseServer'));
    url.pathname = `/${rows[0]?.name}`;
    const proxy = await openTcpProxy(url.toString());
    const database = openDatabase(addressThrough(proxy, url.toString()), () => undefined);
    const throttle = openLoginThrottle(database, () => ['secret'], 3);
    for (let round = 0; round < 5; round += 1) {
      await expect(
        throttle.tryPassword('cut off', origin, async () => {
          await proxy.setMode('refuse');
          await sql`select 1`.execute(database);
          return true;
        }),
      ).rejects.toMatchObject({ refusal: 'ServerBusy' });
      await proxy.setMode('pass');
      await expect.poll(() => findDatabaseFailure(database)).toBe(undefined);
    }
    expect(await throttle.tryPassword('cut off', origin, async () => true)).toBe(true);
    await database.destroy();
    await proxy.close();
  });
});
