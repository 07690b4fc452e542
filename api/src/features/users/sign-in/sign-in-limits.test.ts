import { expect, it } from 'vitest';
import { demoAccounts } from '#seed/demo-callers.ts';
import { demoPassword } from '#seed/seed.ts';
import { openTestApp, useTestApp, type TestApp } from '#testing/test-app.ts';
import { complainant, complaintOf } from '#testing/well-formed/complaints.ts';
import { findComplaint, sendComplaint } from '@diwan/contract/content/complaints';
import { checkReferralCodeValidity } from '@diwan/contract/payments/referral-codes';
import { findPerson } from '@diwan/contract/people/acting';
import { changeUserPassword, login } from '@diwan/contract/people/users';
import { checkRequestIsPaid } from '@diwan/contract/requests/payments';
import { getRequestByRequestNoOrMobileNo } from '@diwan/contract/requests/request-lists';
import { readStaffInvitation } from '@diwan/contract/staff/staff-invitations';

const app = useTestApp({
  LOGIN_ATTEMPTS_PER_MINUTE: '30',
  INQUIRIES_PER_MINUTE: '5',
  SIGN_IN_FREE_TRIES: '5',
});
const wrong = 'Wrong&password2026';

async function trySignIn(
  username: string,
  password: string,
  { at, cookie, on = app }: { at: string; cookie?: string; on?: Pick<TestApp, 'server'> },
) {
  const response = await on.server.inject({
    method: 'POST',
    url: login.path,
    payload: { username, password },
    remoteAddress: at,
    headers: { 'accept-language': 'en-US', ...(cookie ? { cookie } : {}) },
  });
  return {
    status: response.statusCode,
    cookie: String(response.headers['set-cookie'] ?? '').split(';')[0] ?? '',
    body: response.json<{ error?: string; message?: string; token?: string }>(),
    retryAfter: Number(response.headers['retry-after']),
  };
}

it('right sign-ins of an office are not refused for the wrong ones of another account', async () => {
  const at = '203.0.113.10';
  const statuses = { right: [] as number[], wrong: [] as number[] };
  for (let round = 0; round < 60; round += 1) {
    if (round % 3 === 0) statuses.wrong.push((await trySignIn('tenth', wrong, { at })).status);
    const name = demoAccounts[round % demoAccounts.length] ?? '';
    statuses.right.push((await trySignIn(name, demoPassword, { at })).status);
  }
  expect(statuses.right).toEqual(Array(60).fill(200));
  // The guessed account has its waits.
  expect(statuses.wrong.slice(0, 5)).toEqual(Array(5).fill(400));
  expect(statuses.wrong).toContain(429);
}, 60_000);

it('at the same time neither', async () => {
  const at = '203.0.113.11';
  const right = await Promise.all(
    demoAccounts.map((name) => trySignIn(name, demoPassword, { at })),
  );
  expect(right.map(({ status }) => status)).toEqual(demoAccounts.map(() => 200));
});

it('a network that guesses at many accounts is stopped, and known browsers in it are not', async () => {
  const at = '203.0.113.12';
  const { cookie } = await trySignIn('individual', demoPassword, { at });
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, index) => trySignIn(`person${index}`, wrong, { at })),
  );
  // At most 30 guesses a minute, however many accounts are guessed at, and whatever comes at the same time.
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(30);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(270);
  const refused = await trySignIn('employee', demoPassword, { at });
  expect(refused.status).toBe(429);
  expect(refused.body.message).toMatch(
    new RegExp(`Try again in ${refused.retryAfter} seconds?\\.`),
  );
  // The browser that has signed in before passes, for its account only.
  expect((await trySignIn('individual', demoPassword, { at, cookie })).status).toBe(200);
  expect((await trySignIn(' Individual ', demoPassword, { at, cookie })).status).toBe(200);
  expect((await trySignIn('employee', demoPassword, { at, cookie })).status).toBe(429);
  for (const forged of ['diwan-device=a.b', 'diwan-device=', `${cookie}x`])
    expect((await trySignIn('individual', demoPassword, { at, cookie: forged })).status).toBe(429);
  // Its own wrong passwords have the waits of the account.
  const own = [];
  for (let round = 0; round < 7; round += 1)
    own.push((await trySignIn('individual', wrong, { at, cookie })).status);
  expect(own).toEqual([400, 400, 400, 400, 400, 429, 429]);
  // Another network is not affected.
  expect((await trySignIn('employee', demoPassword, { at: '203.0.113.13' })).status).toBe(200);
}, 60_000);

it('a sign-in on a shared computer leaves no mark in its browser, and removes an earlier one', async () => {
  const signIn = (payload: object) =>
    app.server.inject({
      method: 'POST',
      url: login.path,
      payload: { username: 'individual', password: demoPassword, ...payload },
      remoteAddress: '203.0.113.16',
    });
  const own = await signIn({});
  expect(own.headers['set-cookie']).toMatch(/^diwan-device=[\w-]+\.[\w-]+; .*Max-Age=7776000;/);
  const shared = await signIn({ isSharedComputer: true });
  expect([shared.statusCode, shared.headers['set-cookie']]).toEqual([
    200,
    'diwan-device=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
  ]);
});

it('the attempts of a network a minute are 200 by default', async () => {
  const usual = await openTestApp({ LOGIN_ATTEMPTS_PER_MINUTE: '200', SIGN_IN_FREE_TRIES: '5' });
  const answers = await Promise.all(
    Array.from({ length: 250 }, (_, index) =>
      trySignIn(`person${index}`, wrong, { at: '203.0.113.14', on: usual }),
    ),
  );
  await usual.close();
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(200);
}, 60_000);

it('wrong passwords of signed-in clerks count by person, and others by network', async () => {
  const remoteAddress = '203.0.113.15';
  const tokens = new Map<string, string>();
  for (const name of ['employee', 'employee2', 'individual', 'individual2'])
    tokens.set(name, await app.signIn(name));
  const call = async (name: string, url: string, payload: object) =>
    (
      await app.server.inject({
        method: 'POST',
        url,
        payload,
        remoteAddress,
        headers: { authorization: `Bearer ${tokens.get(name)}` },
      })
    ).statusCode;
  const find = (name: string) => call(name, findPerson.path, { name: 'nobody-of-this-name' });
  const clerks = [];
  for (let round = 0; round < 31; round += 1) clerks.push(await find('employee'));
  expect(clerks.indexOf(429)).toBe(30);
  expect(await find('employee2')).not.toBe(429);
  const change = (name: string) =>
    call(name, changeUserPassword.path, {
      oldPassword: wrong,
      newPassword: 'x',
      confirmNewPassword: 'y',
    });
  const clients = [];
  for (let round = 0; round < 31; round += 1)
    clients.push(await change(round % 2 === 0 ? 'individual' : 'individual2'));
  expect(clients.indexOf(429)).toBe(30);
});

it('inquiries and referral codes count where nothing is found', async () => {
  const row = await app.database
    .selectFrom('requests')
    .select('number')
    .limit(1)
    .executeTakeFirstOrThrow();
  const code = await app.database
    .selectFrom('referral_codes')
    .select('code')
    .where('valid_until', 'is', null)
    .where('most_uses', 'is', null)
    .limit(1)
    .executeTakeFirst();
  const ask = async (url: string, query: Record<string, string>) =>
    (await app.server.inject({ url, query, remoteAddress: '203.0.113.16' })).statusCode;
  const inquire = (SearchKeyword: string) =>
    ask(getRequestByRequestNoOrMobileNo.path, { SearchKeyword });
  for (let round = 0; round < 60; round += 1) expect(await inquire(row.number)).toBe(200);
  const unknown = [];
  for (let round = 0; round < 7; round += 1) unknown.push(await inquire('DW26-00000-00000'));
  expect(unknown).toEqual([200, 200, 200, 200, 200, 429, 429]);
  expect(await inquire(row.number)).toBe(429);
  const refer = (refferalCode: string) => ask(checkReferralCodeValidity.path, { refferalCode });
  if (code) for (let round = 0; round < 10; round += 1) expect(await refer(code.code)).toBe(200);
  const guessed = [];
  for (let round = 0; round < 6; round += 1) guessed.push(await refer(`GUESS${round}`));
  expect(guessed).toEqual([200, 200, 200, 200, 200, 429]);
});

it('complaints by number and invitations count where nothing is found', async () => {
  const ask = async (
    { method, path: url }: typeof findComplaint | typeof readStaffInvitation,
    payload: object,
  ) =>
    (await app.server.inject({ method, url, payload, remoteAddress: '203.0.113.17' })).statusCode;
  const { reference } = (await app.call(sendComplaint, { body: complaintOf('other') })).body;
  const { email } = complainant;
  for (let round = 0; round < 40; round += 1)
    expect(await ask(findComplaint, { reference, email })).toBe(200);
  const guessed = [];
  for (let round = 0; round < 31; round += 1)
    guessed.push(await ask(findComplaint, { reference: `CP-${round}`, email }));
  expect(guessed.indexOf(429)).toBe(30);
  const tokens = [];
  for (let round = 0; round < 61; round += 1)
    tokens.push(await ask(readStaffInvitation, { token: 'a'.repeat(43) }));
  expect(tokens.indexOf(429)).toBe(60);
});

it('questions about payments count by person', async () => {
  const ask = async (name: string) =>
    (
      await app.server.inject({
        url: checkRequestIsPaid.path,
        query: { RequestNumber: 'DW26-00000-00000' },
        remoteAddress: '203.0.113.18',
        headers: { authorization: `Bearer ${await app.signIn(name)}` },
      })
    ).statusCode;
  const statuses = [];
  for (let round = 0; round < 6; round += 1) statuses.push(await ask('individual'));
  expect([...statuses, await ask('individual2')]).toEqual([404, 404, 404, 404, 404, 429, 404]);
});
