import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getAuditEvents } from '@diwan/contract/people/audit';
import {
  beginSecondFactor,
  confirmSecondFactor,
  newRecoveryCodes,
  removeSecondFactor,
} from '@diwan/contract/people/second-factor';
import { changeUserPassword, login } from '@diwan/contract/people/users';
import { demoPassword } from '../../../seed/seed.ts';
import { openTestApp, type TestApp } from '../../../testing/test-app.ts';
import { countTry, readWait } from './try-limits.store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ SIGN_IN_FREE_TRIES: '5' });
});
afterAll(() => app.close());

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
/** Moves the end of every wait that is under way: into the past, or further ahead. */
const letPass = (milliseconds = 1000) =>
  app.database
    .updateTable('sign_in_tries')
    .set({ wait_until: new Date(Date.now() - milliseconds) })
    .where('tries', '>', 4)
    .execute();
const countOf = (answers: { status: number }[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

it('a thousand wrong passwords at once are slowed down, and the real user is not locked out', async () => {
  const known = await tryOnce('individual', demoPassword);
  expect(known.cookie).toMatch(/^diwan-device=/);
  const flood = await Promise.all(Array.from({ length: 1000 }, () => tryOnce('individual', wrong)));
  // Five were looked at, however many came at the same moment; on a slow machine one or two waits
  // passed meanwhile.
  expect(countOf(flood, 400)).toBeGreaterThanOrEqual(5);
  expect(countOf(flood, 400)).toBeLessThan(12);
  expect(countOf(flood, 400) + countOf(flood, 429)).toBe(1000);
  const slowed = flood.find(({ status }) => status === 429);
  expect(slowed).toMatchObject({ error: 'TooManyRequests' });
  expect(slowed?.retryAfter).toBeGreaterThan(0);
  await letPass(-60_000);

  // The right password from the same place waits like the others, or it would tell itself apart.
  expect((await tryOnce('individual', demoPassword)).status).toBe(429);
  // From a browser that was signed in before, even at the place of the attack, and from anywhere
  // else it gets in.
  expect((await tryOnce('individual', demoPassword, { cookie: known.cookie })).status).toBe(200);
  expect((await tryOnce('individual', demoPassword, { address: '198.51.100.20' })).status).toBe(
    200,
  );
  // Others at that place are not held to account for it.
  expect((await tryOnce('individual2', demoPassword)).status).toBe(200);

  await letPass();
  expect((await tryOnce('individual', demoPassword)).status).toBe(200);
  expect((await tryOnce('individual', wrong)).status).toBe(400);
});

it('lets one person sign in from many windows at once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => tryOnce('employee', demoPassword, { address: '192.0.2.77' })),
  );
  expect(countOf(answers, 200)).toBe(40);
});

it('does the same for a name that nobody has', async () => {
  const flood = await Promise.all(
    Array.from({ length: 50 }, () => tryOnce('nobody-at-all', wrong)),
  );
  expect(countOf(flood, 400) + countOf(flood, 429)).toBe(50);
  expect(countOf(flood, 400)).toBeLessThan(8);
  expect(new Set(flood.map(({ error }) => error))).toEqual(
    new Set(['WrongUsernameOrPassword', 'TooManyRequests']),
  );
});

it('counts all spellings of a name as one, and an IPv6 neighbourhood as one place', async () => {
  const names = ['company', 'COMPANY', ' Company ', 'cOmpany', 'company', 'compANY'];
  const answers = [];
  for (const [index, name] of names.entries()) {
    // The second to wait lasts as long as this machine is busy.
    if (index === 5) await letPass(-60_000);
    answers.push(await tryOnce(name, wrong, { address: `2001:db8:1:2::${index + 1}` }));
  }
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 429]);
});

it('does not let a device of one account, or a made-up one, try another', async () => {
  const { cookie } = await tryOnce('company2', demoPassword, { address: '192.0.2.1' });
  const at = { address: '192.0.2.99' };
  for (let round = 0; round < 5; round++) await tryOnce('supervisor', wrong, at);
  await letPass(-60_000);
  for (const other of [cookie, 'diwan-device=a.b', 'diwan-device=', `${cookie}x`])
    expect((await tryOnce('supervisor', wrong, { ...at, cookie: other })).status, other).toBe(429);
});

it('gives strangers one try instead of five when the whole world guesses, and still the first', async () => {
  const { cookie } = await tryOnce('supervisor2', demoPassword, { address: '192.0.2.200' });
  for (let host = 1; host <= 51; host++)
    for (let round = 0; round < 2; round++)
      await tryOnce('supervisor2', wrong, { address: `198.18.0.${host}` });
  const fresh = { address: '198.18.1.1' };
  expect((await tryOnce('supervisor2', wrong, fresh)).status).toBe(400);
  // A minute and not a second, or a hundred networks would have hundreds of tries in it.
  const next = await tryOnce('supervisor2', wrong, fresh);
  expect([next.status, next.retryAfter > 55, next.retryAfter <= 64]).toEqual([429, true, true]);
  expect((await tryOnce('supervisor2', demoPassword, { address: '198.18.1.2' })).status).toBe(200);
  for (let round = 0; round < 4; round++)
    expect((await tryOnce('supervisor2', wrong, { cookie })).status).toBe(400);
}, 60_000);

describe('countTry', () => {
  it('doubles the wait up to a quarter of an hour, and begins again after a day', async () => {
    const waits = [];
    for (let round = 0; round < 18; round++) {
      await letPass();
      expect(await countTry(app.database, 'doubling', 5)).toBe(true);
      waits.push(round < 4 ? 0 : await readWait(app.database, 'doubling'));
      if (round >= 4) expect(await countTry(app.database, 'doubling', 5)).toBe(false);
    }
    expect(waits).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900]);
    await letPass();
    await app.database
      .updateTable('sign_in_tries')
      .set({ last_at: new Date(Date.now() - 90_000_000) })
      .where('key', '=', 'doubling')
      .execute();
    for (let round = 0; round < 4; round++)
      expect(await countTry(app.database, 'doubling', 5)).toBe(true);
    expect(await countTry(app.database, 'doubling', 5)).toBe(true);
    expect(await countTry(app.database, 'doubling', 5)).toBe(false);
  });
});

it('keeps no name that was typed, neither with the tries nor in the audit log', async () => {
  await tryOnce('MySecret&passw0rd-in-the-wrong-box', 'x');
  await tryOnce('employee2', wrong);
  const tries = await app.database.selectFrom('sign_in_tries').selectAll().execute();
  const { body } = await app.call(getAuditEvents, {
    token: await app.signIn('admin'),
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

it('lets no address ask for passwords and codes to be judged without end by who is signed in', async () => {
  const strict = await openTestApp({ LOGIN_ATTEMPTS_PER_MINUTE: '3' });
  const token = await strict.signIn('individual');
  const change = {
    oldPassword: demoPassword,
    newPassword: 'Quiet-Lanterns-7042!',
    confirmNewPassword: 'other',
  };
  for (const [call, body] of [
    [beginSecondFactor, { password: demoPassword }],
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
