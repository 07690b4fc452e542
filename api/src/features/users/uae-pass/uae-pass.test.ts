import { decodeJwt } from 'jose';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openTestApp, type TestApp, useTestApp } from '#testing/test-app.ts';
import { getAuditEvents } from '@diwan/contract/people/audit';
import {
  beginUAEPass,
  changeUserPassword,
  checkUAEPassEnabled,
  getProfile,
  login,
  refreshToken,
  uaePassIntegration,
} from '@diwan/contract/people/users';

const app = useTestApp();

interface Attempt {
  cookie: string;
  address: URL;
}

/** Starts a sign-in as the browser does. Returns the link, its cookie and its target. */
async function begin(on = app, uiLocales = 'ar', cookie?: string): Promise<Attempt> {
  const response = await on.server.inject({
    method: 'GET',
    url: `${beginUAEPass.path}?ui_locales=${uiLocales}`,
    headers: cookie ? { cookie } : {},
  });
  expect(response.statusCode).toBe(302);
  return {
    cookie: String(response.headers['set-cookie']).split(';')[0] ?? '',
    address: new URL(String(response.headers.location)),
  };
}

/** The person's choice at the provider. Returns the address of the redirect. */
async function decide(
  on: TestApp,
  { address }: Attempt,
  persona: string,
  decision = 'approve',
): Promise<URL> {
  const response = await fetch(`${on.sandboxUrl}${address.pathname}${address.search}`, {
    method: 'POST',
    body: new URLSearchParams({ decision, persona }),
    redirect: 'manual',
  });
  expect(response.status).toBe(303);
  return new URL(response.headers.get('location') ?? '');
}

async function end(
  on: TestApp,
  cookie: string | undefined,
  query: { code: string; state: string },
) {
  const response = await on.server.inject({
    method: 'GET',
    url: uaePassIntegration.path,
    query,
    headers: { 'accept-language': 'en-US', ...(cookie ? { cookie } : {}) },
  });
  return {
    status: response.statusCode,
    ...(response.json() as { token?: string; error?: string }),
  };
}

async function arrive(persona: string, on = app) {
  const attempt = await begin(on);
  const back = await decide(on, attempt, persona);
  const query = {
    code: back.searchParams.get('code') ?? '',
    state: back.searchParams.get('state') ?? '',
  };
  return { attempt, query };
}

async function signIn(persona: string, on = app) {
  const { attempt, query } = await arrive(persona, on);
  return end(on, attempt.cookie, query);
}

const userOf = (token = '') =>
  app.database
    .selectFrom('users')
    .selectAll()
    .where('id', '=', String(decodeJwt(token).sub))
    .executeTakeFirstOrThrow();
const countSessions = async (on = app) =>
  Number(
    (
      await on.database
        .selectFrom('sessions')
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
    ).count,
  );

describe('the redirect to UAE PASS', () => {
  it('has the parameters of UAE PASS and binds the browser', async () => {
    const { address } = await begin(app, 'en');
    expect(`${address.origin}${address.pathname}`).toMatch(
      /^http:\/\/localhost:\d+\/idshub\/authorize$/,
    );
    const { state, code_challenge, ...asked } = Object.fromEntries(address.searchParams);
    expect(asked).toEqual({
      response_type: 'code',
      client_id: 'diwan-sandbox',
      redirect_uri: 'http://localhost:3000',
      scope: 'urn:uae:digitalid:profile:general',
      acr_values: 'urn:safelayer:tws:policies:authentication:level:low',
      ui_locales: 'en',
      code_challenge_method: 'S256',
    });
    expect([state?.length, code_challenge?.length]).toEqual([43, 43]);
    const { headers } = await app.server.inject({ method: 'GET', url: beginUAEPass.path });
    expect(headers['set-cookie']).toMatch(
      /^diwan-identity=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
    expect(new URL(String(headers.location)).searchParams.get('ui_locales')).toBe('ar');
  });

  it('stores no credential', async () => {
    const { cookie, address } = await begin();
    const rows = JSON.stringify(
      await app.database.selectFrom('identity_attempts').selectAll().execute(),
    );
    for (const secret of [cookie.split('=')[1] ?? '', address.searchParams.get('state') ?? ''])
      expect(rows).not.toContain(secret);
  });

  it('refuses other languages, and is missing without a provider', async () => {
    expect((await app.call(beginUAEPass, { query: { ui_locales: 'ur' as never } })).status).toBe(
      400,
    );
    expect((await app.call(checkUAEPassEnabled)).body).toEqual({ isEnabled: true });
    const without = await openTestApp({ UAE_PASS: 'off' });
    expect((await without.call(checkUAEPassEnabled)).body).toEqual({ isEnabled: false });
    expect((await without.call(beginUAEPass)).refused.error).toBe('NotFound');
    expect(
      (await without.call(uaePassIntegration, { query: { code: 'a', state: 'b' } })).refused.error,
    ).toBe('IdentityNotConfirmed');
    await without.close();
  });
});

describe('the return from UAE PASS', () => {
  it('links the account with the same Emirates ID, and marks the token as UAE PASS', async () => {
    const { status, token = '' } = await signIn('sara');
    expect(status).toBe(200);
    expect(decodeJwt(token)).toMatchObject({
      displayName: 'individual',
      fullName: 'Sara Al Demo',
      fullNameAr: 'سارة العرض',
      isUAEPass: true,
    });
    expect(decodeJwt((await app.call(refreshToken, { body: { token } })).body)).toMatchObject({
      isUAEPass: true,
    });
    expect(decodeJwt(await app.signIn('individual'))).not.toHaveProperty('isUAEPass');
    expect(await userOf(token)).toMatchObject({
      username: 'individual',
      full_name_ar: 'سارة العرض',
    });
    // The account is now found by the subject of UAE PASS, whatever its Emirates ID is.
    await app.database
      .updateTable('users')
      .set({ emirates_id: null })
      .where('username', '=', 'individual')
      .execute();
    expect(decodeJwt((await signIn('sara')).token ?? '').sub).toBe(decodeJwt(token).sub);
  });

  it('creates one client account for a new person, with the data of UAE PASS', async () => {
    const answers = await Promise.all([signIn('imran'), signIn('imran'), signIn('imran')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const tokens = answers.map(({ token = '' }) => token);
    expect(new Set(tokens.map((token) => decodeJwt(token).sub)).size).toBe(1);
    expect(decodeJwt(tokens[0] ?? '')).toMatchObject({
      displayName: 'Imran Ahmed Demo Siddiqui',
      phoneNumber: '+971500000101',
      email: 'imran@example.com',
    });
    expect(decodeJwt(tokens[0] ?? '')).not.toHaveProperty('role');
    expect(await userOf(tokens[0])).toMatchObject({
      full_name_ar: 'عمران أحمد صديقي العرض',
      emirates_id: '784-1900-0000101-7',
      password_hash: null,
      roles: [],
    });
    expect((await app.call(getProfile, { token: tokens[0] ?? '' })).body).toMatchObject({
      fullName: 'Imran Ahmed Demo Siddiqui',
      hasPassword: false,
      roles: ['Client'],
    });
  });

  it('gives a staff account its roles', async () => {
    expect(decodeJwt((await signIn('mariam')).token ?? '')).toMatchObject({
      displayName: 'employee',
      role: 'Employee',
      isUAEPass: true,
    });
  });

  it('does not allow a password sign-in to an account without a password', async () => {
    const { username } = await userOf((await signIn('hessa')).token);
    for (const password of ['', ' ', 'null', 'undefined'])
      expect((await app.call(login, { body: { username, password } })).status).toBe(400);
    const token = (await signIn('hessa')).token ?? '';
    const body = {
      oldPassword: 'whatever',
      newPassword: 'Kite&harbour7-Moss',
      confirmNewPassword: 'Kite&harbour7-Moss',
    };
    expect((await app.call(changeUserPassword, { token, body })).refused.error).toBe(
      'IncorrectPassword',
    );
  });

  it('refuses a basic account where the setting requires a verified one', async () => {
    const before = await countSessions();
    expect(await signIn('john')).toMatchObject({ status: 400, error: 'IdentityNotVerified' });
    expect(await countSessions()).toBe(before);
    expect(
      await app.database
        .selectFrom('users')
        .select('id')
        .where('email', '=', 'john@example.com')
        .execute(),
    ).toEqual([]);
    const open = await openTestApp({ UAE_PASS_MINIMUM_LEVEL: 'SOP1' });
    expect(decodeJwt((await signIn('john', open)).token ?? '')).toMatchObject({
      fullName: 'John Demo',
    });
    await open.close();
    const strict = await openTestApp({ UAE_PASS_MINIMUM_LEVEL: 'SOP3' });
    expect(await signIn('sara', strict)).toMatchObject({ error: 'IdentityNotVerified' });
    await strict.close();
  });

  it('opens no session for a suspended user', async () => {
    const { token = '' } = await signIn('hessa');
    const suspend = (at: Date | null) =>
      app.database
        .updateTable('users')
        .set({ suspended_at: at })
        .where('id', '=', String(decodeJwt(token).sub))
        .execute();
    onTestFinished(async () => {
      await suspend(null);
    });
    await suspend(new Date());
    const before = await countSessions();
    expect(await signIn('hessa')).toMatchObject({ status: 400, error: 'AccountSuspended' });
    expect(await countSessions()).toBe(before);
    expect((await app.call(getProfile, { token })).status).toBe(401);
    expect((await app.call(refreshToken, { body: { token } })).refused.error).toBe('SessionEnded');
    await suspend(null);
    expect((await app.call(getProfile, { token })).status).toBe(200);
    const events = (
      await app.callAs('admin', getAuditEvents, { query: { Take: 100 } })
    ).body.items.map(({ kind }) => kind);
    for (const kind of [
      'accountCreated',
      'accountLinked',
      'signedInByUAEPass',
      'signInByUAEPassRefused',
      'accountSuspended',
      'accountRestored',
    ])
      expect(events).toContain(kind);
  });
});

describe('an invalid state or code', () => {
  const refused = { status: 400, error: 'IdentityNotConfirmed' };

  it('is refused when it is replayed, also fifty times in parallel', async () => {
    const { attempt, query } = await arrive('sara');
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => end(app, attempt.cookie, query)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(
      new Set(answers.filter(({ status }) => status !== 200).map(({ error }) => error)),
    ).toEqual(new Set(['IdentityNotConfirmed']));
    expect(await end(app, attempt.cookie, query)).toMatchObject(refused);
  });

  it('is refused with a new code for a sign-in that was completed', async () => {
    const { attempt, query } = await arrive('sara');
    expect((await end(app, attempt.cookie, query)).status).toBe(200);
    // The provider issues another code for the same address, bound to the same PKCE challenge.
    const second = await decide(app, attempt, 'sara');
    const code = second.searchParams.get('code') ?? '';
    expect(code).not.toBe(query.code);
    expect(await end(app, attempt.cookie, { ...query, code })).toMatchObject(refused);
  });

  it('is refused in another browser, and stays valid in its own', async () => {
    const { attempt, query } = await arrive('sara');
    const other = await begin();
    for (const cookie of [
      undefined,
      other.cookie,
      'diwan-identity=',
      `diwan-identity=${'A'.repeat(43)}`,
    ])
      expect(await end(app, cookie, query), cookie).toMatchObject(refused);
    expect((await end(app, attempt.cookie, query)).status).toBe(200);
  });

  it('is refused when codes are swapped, forged or expired', async () => {
    const mine = await arrive('sara');
    const theirs = await arrive('imran');
    // Another person's code with this state: PKCE binds the code to another attempt.
    expect(
      await end(app, mine.attempt.cookie, { state: mine.query.state, code: theirs.query.code }),
    ).toMatchObject(refused);
    expect(
      await end(app, mine.attempt.cookie, { state: 'forged', code: mine.query.code }),
    ).toMatchObject(refused);
    const forged = await arrive('sara');
    expect(
      await end(app, forged.attempt.cookie, { state: forged.query.state, code: '<script>' }),
    ).toMatchObject(refused);
    const late = await arrive('sara');
    await app.database
      .updateTable('identity_attempts')
      .set({ created_at: new Date(Date.now() - 601_000) })
      .where('used_at', 'is', null)
      .execute();
    expect(await end(app, late.attempt.cookie, late.query)).toMatchObject(refused);
    expect(
      (await app.call(uaePassIntegration, { query: { code: 'x'.repeat(3000), state: '' } })).status,
    ).toBe(400);
  });

  it('does not affect an existing session', async () => {
    const token = await app.signIn('individual2');
    const before = await countSessions();
    const attempt = await begin();
    await end(app, attempt.cookie, {
      code: 'forged',
      state: attempt.address.searchParams.get('state') ?? '',
    });
    expect(await countSessions()).toBe(before);
    expect((await app.call(getProfile, { token })).status).toBe(200);
  });

  it('two tabs of one browser complete their own sign-ins', async () => {
    const first = await begin();
    const second = await begin(app, 'ar', first.cookie);
    expect(second.cookie).toBe(first.cookie);
    for (const attempt of [second, first]) {
      const back = await decide(app, attempt, 'sara');
      expect(
        (await end(app, first.cookie, Object.fromEntries(back.searchParams) as never)).status,
      ).toBe(200);
    }
  });
});

it('an unreachable UAE PASS is reported', async () => {
  const lonely = await openTestApp();
  const { attempt, query } = await arrive('sara', lonely);
  await lonely.stopSandbox();
  expect(await end(lonely, attempt.cookie, query)).toMatchObject({
    status: 503,
    error: 'IdentityProviderUnreachable',
  });
  await lonely.close();
});
