import { randomUUID } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, importJWK, SignJWT, type JWTPayload } from 'jose';
import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { demoPassword } from '#seed/seed.ts';
import { countRoundTrips } from '#testing/round-trips.ts';
import { openTestApp, useTestApp } from '#testing/test-app.ts';
import { login, logout, refreshToken } from '@diwan/contract/people/users';
import { getAllStatuses, getRequestsCount } from '@diwan/contract/requests/request-lists';
import { openSessions } from './sessions.ts';

const app = useTestApp();

async function startSession(username: string, on = app): Promise<string> {
  return (await on.call(login, { body: { username, password: demoPassword } })).body.token;
}

async function refresh(token: string, on = app): Promise<string> {
  const { status, body } = await on.call(refreshToken, { body: { token } });
  expect(status).toBe(200);
  return body;
}

async function isAccepted(token: string, on = app): Promise<boolean> {
  const { status, refused } = await on.call(getAllStatuses, { token });
  if (status !== 200) expect([status, refused.error]).toEqual([401, 'YouHaveToLoginFirst']);
  return status === 200;
}

async function expectSessionEnded(token: string, on = app): Promise<void> {
  const { status, refused } = await on.call(refreshToken, { body: { token } });
  expect([status, refused.error]).toEqual([401, 'SessionEnded']);
}

const sessionOf = (token: string) => String(decodeJwt(token).sid);

/** Moves the last rotation of a token's session into the past. */
async function ageRotation(token: string, seconds: number): Promise<void> {
  await app.database
    .updateTable('sessions')
    .set({ rotated_at: new Date(Date.now() - seconds * 1000) })
    .where('id', '=', sessionOf(token))
    .execute();
}

/** A token with changed claims that is signed with the product's own key. */
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

describe('a sign-in', () => {
  // Between the check of a password and the start of the session the account may change.
  it.each([
    ['password', { passwordHash: 'old' }, 'WrongUsernameOrPassword'],
    ['identity', { identity: 'old' }, 'IdentityNotConfirmed'],
  ])('does not start a session when the %s has changed meanwhile', async (_, options, refusal) => {
    const sessions = await openSessions(app.serverDatabase, app.config, 'http://localhost:3000');
    const userId = String(decodeJwt(await startSession('individual2')).sub);
    await expect(sessions.create(userId, options)).rejects.toMatchObject({ refusal });
    expect(await sessions.create(userId)).toMatch(/\./);
  });
});

describe('rotation', () => {
  it('returns a new token of the same session each time', async () => {
    const first = await startSession('individual');
    const second = await refresh(first);
    const third = await refresh(second);
    expect(new Set([first, second, third].map((token) => decodeJwt(token).jti)).size).toBe(3);
    expect(new Set([first, second, third].map(sessionOf)).size).toBe(1);
    expect(await isAccepted(third)).toBe(true);
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

  it('accepts the same old token from two tabs, which keep one session', async () => {
    const first = await startSession('individual');
    const [one, other] = await Promise.all([refresh(first), refresh(first)]);
    await ageRotation(first, 9);
    const late = await refresh(first);
    expect(new Set([one, other, late].map((token) => decodeJwt(token).jti)).size).toBe(1);
    expect(await Promise.all([one, other, late].map((token) => isAccepted(token)))).toEqual([
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
    // Each of the two tabs can continue.
    expect(await isAccepted(await refresh(other))).toBe(true);
  });

  it('treats a reused old token as stolen after the grace period, and ends the session', async () => {
    const first = await startSession('individual');
    const newest = await refresh(first);
    await ageRotation(first, 11);
    await expectSessionEnded(first);
    expect(await isAccepted(newest)).toBe(false);
    await expectSessionEnded(newest);
  });

  it('does not end other sessions of the user', async () => {
    const [stolen, other] = [await startSession('individual'), await startSession('individual')];
    await refresh(stolen);
    await ageRotation(stolen, 11);
    await expectSessionEnded(stolen);
    expect(await isAccepted(await refresh(other))).toBe(true);
  });
});

describe('the end of a session', () => {
  it('follows a logout, for every token of the session', async () => {
    const first = await startSession('employee');
    const second = await refresh(first);
    expect(await isAccepted(second)).toBe(true);
    await app.call(logout, { token: second });
    expect([await isAccepted(first), await isAccepted(second)]).toEqual([false, false]);
    await expectSessionEnded(second);
  });

  it('follows SESSION_SECONDS, however often the session was refreshed', async () => {
    const token = await refresh(await startSession('individual'));
    const age = async (seconds: number) =>
      app.database
        .updateTable('sessions')
        .set({ created_at: new Date(Date.now() - seconds * 1000) })
        .where('id', '=', sessionOf(token))
        .execute();
    await age(app.config.SESSION_SECONDS - 60);
    expect(await isAccepted(token)).toBe(true);
    await age(app.config.SESSION_SECONDS + 1);
    expect(await isAccepted(token)).toBe(false);
    await expectSessionEnded(token);
  });
});

describe('a token', () => {
  it('that has expired is refused, and can be refreshed', async () => {
    const quick = await openTestApp({ TOKEN_SECONDS: '1' });
    const token = await startSession('individual', quick);
    const { iat = 0, exp = 0 } = decodeJwt(token);
    expect(exp - iat).toBe(1);
    expect(await isAccepted(token, quick)).toBe(true);
    // The same token as if it had been made earlier. Clocks may differ by a minute.
    expect(
      await isAccepted(await forge(token, { iat: iat - 40, exp: exp - 40 }, {}, quick), quick),
    ).toBe(true);
    const expired = await forge(token, { iat: iat - 70, exp: exp - 70 }, {}, quick);
    expect(await isAccepted(expired, quick)).toBe(false);
    expect(await isAccepted(await refresh(expired, quick), quick)).toBe(true);
    await quick.close();
  });

  it('has the current roles of its user', async () => {
    const token = await startSession('employee2');
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

  it('with too long a life is refused although the right key signed it', async () => {
    const token = await startSession('individual');
    const { iat = 0 } = decodeJwt(token);
    expect(await isAccepted(await forge(token, {}))).toBe(true);
    for (const exp of [
      iat + app.config.TOKEN_SECONDS + 1,
      iat + 10 * 365 * 86_400,
      (iat + 900) * 1000,
    ])
      expect(await isAccepted(await forge(token, { exp })), String(exp)).toBe(false);
    await expectSessionEnded(await forge(token, { exp: iat + 10 * 365 * 86_400 }));
    // A future time of issue makes the life look short.
    const later = await forge(token, { iat: iat + 86_400, exp: iat + 86_400 + 900 });
    expect(await isAccepted(later)).toBe(false);
    await expectSessionEnded(later);
    expect(await isAccepted(token)).toBe(true);
  });

  it('of another type, issuer or audience, or of no session is refused although the right key signed it', async () => {
    const token = await startSession('individual');
    const others = [
      forge(token, { sid: randomUUID() }),
      forge(token, { iss: 'another' }),
      forge(token, { aud: 'another' }),
      forge(token, { role: 'Root' }),
      forge(token, {}, { typ: 'JWT' }),
    ];
    for (const other of await Promise.all(others)) expect(await isAccepted(other)).toBe(false);
    expect(await isAccepted(token)).toBe(true);
  });

  it('of another environment is refused although the keys are the same', async () => {
    const { sub = '' } = decodeJwt(await startSession('individual'));
    const live = await openSessions(app.database, app.config, 'https://diwan.example');
    const token = await live.create(sub);
    expect(await live.findCaller(token)).toMatchObject({ userId: sub });
    expect(await isAccepted(token)).toBe(false);
    await expectSessionEnded(token);
    expect(await live.findCaller(await startSession('individual'))).toBeUndefined();
  });

  it('without a signature or with another algorithm is refused', async () => {
    const [, payload] = (await startSession('admin')).split('.');
    const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString(
      'base64url',
    );
    expect(await isAccepted(`${header}.${payload}.`)).toBe(false);
    const hmac = await new SignJWT(decodeJwt(`${header}.${payload}.`))
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
      .sign(Buffer.from('diwan'));
    expect(await isAccepted(hmac)).toBe(false);
  });
});

describe('callers of one turn of the event loop', () => {
  it('are read by one statement, and each token leads to its own user', async () => {
    const sessions = await openSessions(app.database, app.config, 'http://localhost:3000');
    const users = await app.database.selectFrom('users').select('id').limit(5).execute();
    const tokens = await Promise.all(users.map(({ id }) => sessions.create(id)));
    const read = () => Promise.all(tokens.map((token) => sessions.findCaller(token)));
    await read();
    const { statements, result } = await countRoundTrips(read);
    expect(statements).toHaveLength(1);
    expect(result.map((caller) => caller?.userId)).toEqual(users.map(({ id }) => id));
    await sessions.end(tokens[0] ?? '');
    const [ended, ...others] = await read();
    expect(ended).toBeUndefined();
    expect(others.map((caller) => caller?.userId)).toEqual(users.slice(1).map(({ id }) => id));
  });

  it('see a session that ended after an earlier call was sent', async () => {
    const sessions = await openSessions(app.database, app.config, 'http://localhost:3000');
    const { id } = await app.database.selectFrom('users').select('id').executeTakeFirstOrThrow();
    const token = await sessions.create(id);
    const earlier = sessions.findCaller(token);
    await sessions.end(token);
    expect(await sessions.findCaller(token)).toBeUndefined();
    await earlier;
  });

  it('all fail when the statement fails, and the next ones are read again', async () => {
    const sessions = await openSessions(app.database, app.config, 'http://localhost:3000');
    const { id } = await app.database.selectFrom('users').select('id').executeTakeFirstOrThrow();
    const token = await sessions.create(id);
    // A token that was verified before is read in the turn of its call.
    await sessions.findCaller(token);
    // Other work of this process asks the database too.
    const original = pg.Client.prototype.query as (...sent: unknown[]) => unknown;
    let fails = true;
    const query = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function failOnce(
      this: unknown,
      ...sent: unknown[]
    ) {
      const isCallers = fails && JSON.stringify(sent[0]).includes('actorSuspendedAt');
      if (!isCallers) return original.apply(this, sent);
      fails = false;
      return Promise.reject(new Error('no'));
    } as never);
    const failed = await Promise.allSettled([
      sessions.findCaller(token),
      sessions.findCaller(token),
    ]);
    query.mockRestore();
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await sessions.findCaller(token)).toMatchObject({ userId: id });
  });
});
