import { randomUUID } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, importJWK, SignJWT, type JWTPayload } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getAllStatuses, getRequestsCount } from '@diwan/contract/requests/requests';
import { login, logout, refreshToken } from '@diwan/contract/people/users';
import { demoPassword } from '../../seed/seed.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { openSessions } from './session.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

async function begin(username: string, on = app): Promise<string> {
  return (await on.call(login, { body: { username, password: demoPassword } })).body.token;
}

async function refresh(token: string, on = app): Promise<string> {
  const { status, body } = await on.call(refreshToken, { body: { token } });
  expect(status).toBe(200);
  return body;
}

async function isCalling(token: string, on = app): Promise<boolean> {
  const { status, refused } = await on.call(getAllStatuses, { token });
  if (status !== 200) expect([status, refused.error]).toEqual([401, 'YouHaveToLoginFirst']);
  return status === 200;
}

async function expectSessionEnded(token: string, on = app): Promise<void> {
  const { status, refused } = await on.call(refreshToken, { body: { token } });
  expect([status, refused.error]).toEqual([401, 'SessionEnded']);
}

const sessionOf = (token: string) => String(decodeJwt(token).sid);

/** Makes the last rotation of a token's session older. */
async function letPass(token: string, seconds: number): Promise<void> {
  await app.database
    .updateTable('sessions')
    .set({ rotated_at: new Date(Date.now() - seconds * 1000) })
    .where('id', '=', sessionOf(token))
    .execute();
}

/** A token as the product signs it, by its own key, with other claims. */
async function forge(
  token: string,
  change: JWTPayload,
  header: Record<string, string> = {},
  on = app,
): Promise<string> {
  const { id, private_jwk } = await on.database
    .selectFrom('signing_keys')
    .selectAll()
    .executeTakeFirstOrThrow();
  return new SignJWT({ ...decodeJwt(token), ...change })
    .setProtectedHeader({ ...decodeProtectedHeader(token), alg: 'ES256', kid: id, ...header })
    .sign(await importJWK(private_jwk, 'ES256'));
}

describe('rotation', () => {
  it('gives a new token each time, of the same session', async () => {
    const first = await begin('individual');
    const second = await refresh(first);
    const third = await refresh(second);
    expect(new Set([first, second, third].map((token) => decodeJwt(token).jti)).size).toBe(3);
    expect(new Set([first, second, third].map(sessionOf)).size).toBe(1);
    expect(await isCalling(third)).toBe(true);
    const session = await app.database
      .selectFrom('sessions')
      .selectAll()
      .where('id', '=', sessionOf(first))
      .executeTakeFirstOrThrow();
    expect([session.token_id, session.previous_token_id]).toEqual([
      decodeJwt(third).jti,
      decodeJwt(second).jti,
    ]);
  });

  it('gives two tabs with the same old token one session between them', async () => {
    const first = await begin('individual');
    const [one, other] = await Promise.all([refresh(first), refresh(first)]);
    await letPass(first, 9);
    const late = await refresh(first);
    expect(new Set([one, other, late].map((token) => decodeJwt(token).jti)).size).toBe(1);
    expect(await Promise.all([one, other, late].map((token) => isCalling(token)))).toEqual([
      true,
      true,
      true,
    ]);
    const user = String(decodeJwt(first).sub);
    const alive = await app.database
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', user)
      .where('id', '=', sessionOf(first))
      .where('ended_at', 'is', null)
      .execute();
    expect(alive).toHaveLength(1);
    // Whichever of the two goes on, the other tab can follow.
    expect(await isCalling(await refresh(other))).toBe(true);
  });

  it('takes the old token for a stolen one after the grace, and ends the session for all', async () => {
    const first = await begin('individual');
    const newest = await refresh(first);
    await letPass(first, 11);
    await expectSessionEnded(first);
    expect(await isCalling(newest)).toBe(false);
    await expectSessionEnded(newest);
  });

  it('ends no other session of the same user with it', async () => {
    const [stolen, other] = [await begin('individual'), await begin('individual')];
    await refresh(stolen);
    await letPass(stolen, 11);
    await expectSessionEnded(stolen);
    expect(await isCalling(await refresh(other))).toBe(true);
  });
});

describe('the end of a session', () => {
  it('comes with logout, for every token of it', async () => {
    const first = await begin('employee');
    const second = await refresh(first);
    expect(await isCalling(second)).toBe(true);
    await app.call(logout, { token: second });
    expect([await isCalling(first), await isCalling(second)]).toEqual([false, false]);
    await expectSessionEnded(second);
  });

  it('comes when its time has passed, however often it was refreshed', async () => {
    const token = await refresh(await begin('individual'));
    const age = async (seconds: number) =>
      app.database
        .updateTable('sessions')
        .set({ created_at: new Date(Date.now() - seconds * 1000) })
        .where('id', '=', sessionOf(token))
        .execute();
    await age(app.config.SESSION_SECONDS - 60);
    expect(await isCalling(token)).toBe(true);
    await age(app.config.SESSION_SECONDS + 1);
    expect(await isCalling(token)).toBe(false);
    await expectSessionEnded(token);
  });
});

describe('a token', () => {
  it('that has expired opens nothing, and can be refreshed', async () => {
    const quick = await openTestApp({ TOKEN_SECONDS: '1' });
    const token = await begin('individual', quick);
    const { iat = 0, exp = 0 } = decodeJwt(token);
    expect(exp - iat).toBe(1);
    expect(await isCalling(token, quick)).toBe(true);
    // The same token as if it had been made earlier; a minute is left for clocks that differ.
    expect(
      await isCalling(await forge(token, { iat: iat - 40, exp: exp - 40 }, {}, quick), quick),
    ).toBe(true);
    const expired = await forge(token, { iat: iat - 70, exp: exp - 70 }, {}, quick);
    expect(await isCalling(expired, quick)).toBe(false);
    expect(await isCalling(await refresh(expired, quick), quick)).toBe(true);
    await quick.close();
  });

  it('opens no more than the roles that its user holds now', async () => {
    const token = await begin('employee2');
    const count = async () => (await app.call(getRequestsCount, { token })).status;
    const setRoles = (roles: string[]) =>
      app.database
        .updateTable('users')
        .set({ roles })
        .where('username', '=', 'employee2')
        .execute();
    expect(await count()).toBe(200);
    await setRoles([]);
    expect(await count()).toBe(403);
    expect(decodeJwt(await refresh(token))).not.toHaveProperty('role');
    await setRoles(['Employee']);
    expect(await count()).toBe(200);
  });

  it('that says it lives long is refused though the right key signed it', async () => {
    const token = await begin('individual');
    const { iat = 0 } = decodeJwt(token);
    expect(await isCalling(await forge(token, {}))).toBe(true);
    for (const exp of [
      iat + app.config.TOKEN_SECONDS + 1,
      iat + 10 * 365 * 86_400,
      (iat + 900) * 1000,
    ])
      expect(await isCalling(await forge(token, { exp })), String(exp)).toBe(false);
    await expectSessionEnded(await forge(token, { exp: iat + 10 * 365 * 86_400 }));
    // It says that it was made at a time that has not come yet, so that its life looks short.
    const later = await forge(token, { iat: iat + 86_400, exp: iat + 86_400 + 900 });
    expect(await isCalling(later)).toBe(false);
    await expectSessionEnded(later);
    expect(await isCalling(token)).toBe(true);
  });

  it('that is not for calls, of another house, or of no session is refused though the right key signed it', async () => {
    const token = await begin('individual');
    const others = [
      forge(token, { sid: randomUUID() }),
      forge(token, { iss: 'another' }),
      forge(token, { aud: 'another' }),
      forge(token, { role: 'Root' }),
      forge(token, {}, { typ: 'JWT' }),
    ];
    for (const other of await Promise.all(others)) expect(await isCalling(other)).toBe(false);
    expect(await isCalling(token)).toBe(true);
  });

  it('of another environment is refused, though the keys are the same', async () => {
    const { sub = '' } = decodeJwt(await begin('individual'));
    const live = await openSessions(app.database, app.config, 'https://diwan.example');
    const token = await live.begin(sub);
    expect(await live.findCaller(token)).toMatchObject({ userId: sub });
    expect(await isCalling(token)).toBe(false);
    await expectSessionEnded(token);
    expect(await live.findCaller(await begin('individual'))).toBeUndefined();
  });

  it('whose signature is stripped or made by another algorithm is refused', async () => {
    const [, payload] = (await begin('admin')).split('.');
    const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString(
      'base64url',
    );
    expect(await isCalling(`${header}.${payload}.`)).toBe(false);
    const hmac = await new SignJWT(decodeJwt(`${header}.${payload}.`))
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
      .sign(Buffer.from('diwan'));
    expect(await isCalling(hmac)).toBe(false);
  });
});
