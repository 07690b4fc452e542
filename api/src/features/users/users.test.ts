import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { hashPassword } from '#platform/auth/password-hash.ts';
import { demoPassword } from '#seed/seed.ts';
import { openTestApp, useTestApp } from '#testing/test-app.ts';
import { login, logout, refreshToken } from '@diwan/contract/people/users';
import { deleteAttachment } from '@diwan/contract/requests/attachments';

const app = useTestApp();

async function newToken(username: string, password = demoPassword): Promise<string> {
  const { status, body } = await app.call(login, { body: { username, password } });
  expect(status).toBe(200);
  return body.token;
}

// Any call for signed-in users works: it replies with 404 instead of 401.
async function isSignedIn(token: string): Promise<boolean> {
  const { status } = await app.call(deleteAttachment, {
    params: { attachmentId: randomUUID() },
    token,
  });
  expect([401, 404]).toContain(status);
  return status === 404;
}

describe('login', () => {
  test('returns a token with the claims of the user', async () => {
    const claims = decodeJwt(await newToken('supervisor'));
    expect(claims).toMatchObject({
      displayName: 'supervisor',
      role: 'ServiceProvider',
      isServiceProvider: true,
      phoneNumber: '+971500000004',
    });
    expect(claims.partnerId).toEqual(expect.any(Number));
    expect(decodeJwt(await newToken('individual'))).not.toHaveProperty('role');
    expect(decodeJwt(await newToken('company')).companyId).not.toBe(
      decodeJwt(await newToken('company2')).companyId,
    );
  });

  test('accepts the username in any case and with surrounding spaces', async () => {
    expect(await isSignedIn(await newToken('  InDividual '))).toBe(true);
  });

  test('refuses a wrong password and an unknown username with the same text', async () => {
    const wrong = await app.call(login, {
      body: { username: 'admin', password: 'WrongDemo2026!' },
    });
    const unknown = await app.call(login, {
      body: { username: 'nobody', password: demoPassword },
    });
    expect(wrong.status).toBe(400);
    expect(wrong.refused).toMatchObject({ error: 'WrongUsernameOrPassword' });
    expect([unknown.status, unknown.refused]).toEqual([wrong.status, wrong.refused]);
  });

  test('takes as long for an unknown username as for a wrong password', async () => {
    // The demo accounts of tests have a hash that costs nothing.
    await app.database
      .updateTable('users')
      .set({ password_hash: await hashPassword(demoPassword) })
      .where('username', '=', 'admin')
      .execute();
    const [unknown, known]: [number[], number[]] = [[], []];
    // Alternates and takes the shortest times, which a busy machine affects least.
    for (let round = 0; round < 7; round++) {
      for (const [username, times] of [
        ['nobody', unknown],
        ['admin', known],
      ] as const) {
        const start = performance.now();
        await app.call(login, { body: { username, password: 'WrongDemo2026!' } });
        times.push(performance.now() - start);
      }
    }
    // A sign-in without a hash for unknown users would take a tenth of the time.
    expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 3);
  });

  test('refuses the password in another case, and SQL', async () => {
    for (const body of [
      { username: 'admin', password: demoPassword.toLowerCase() },
      { username: "admin' --", password: demoPassword },
      { username: '%', password: demoPassword },
    ]) {
      expect((await app.call(login, { body })).refused.error).toBe('WrongUsernameOrPassword');
    }
  });

  test('reports missing and blank fields', async () => {
    const { status, refused } = await app.call(login, {
      body: { username: '   ', password: '' },
    });
    expect(status).toBe(400);
    expect(Object.keys(refused.errors ?? {}).sort()).toEqual(['password', 'username']);
  });

  test('throttles guesses', async () => {
    const strict = await openTestApp({ LOGIN_ATTEMPTS_PER_MINUTE: '3' });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 5; attempt++)
      statuses.push(
        (await strict.call(login, { body: { username: 'admin', password: 'WrongDemo2026!' } }))
          .status,
      );
    const last = await strict.call(login, { body: { username: 'admin', password: demoPassword } });
    await strict.close();
    expect(statuses).toEqual([400, 400, 400, 429, 429]);
    expect(last.refused.error).toBe('TooManyRequests');
  });
});

describe('refreshToken', () => {
  test('exchanges the token for another of the same session', async () => {
    const first = await newToken('individual');
    const { status, body } = await app.call(refreshToken, { body: { token: first } });
    expect(status).toBe(200);
    expect(body).not.toBe(first);
    expect(decodeJwt(body)).toMatchObject({
      ssid: decodeJwt(first).ssid,
      sid: decodeJwt(first).sid,
    });
    expect(await isSignedIn(body)).toBe(true);
  });

  test('returns a valid token to each of two tabs that refresh in parallel', async () => {
    const first = await newToken('individual');
    const both = await Promise.all(
      [1, 2].map(() => app.call(refreshToken, { body: { token: first } })),
    );
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    for (const { body } of both) expect(await isSignedIn(body)).toBe(true);
  });

  test('ends the session when an old token is reused', async () => {
    const first = await newToken('individual2');
    const second = (await app.call(refreshToken, { body: { token: first } })).body;
    const third = (await app.call(refreshToken, { body: { token: second } })).body;
    const again = await app.call(refreshToken, { body: { token: first } });
    expect([again.status, again.refused.error]).toEqual([401, 'SessionEnded']);
    expect(await isSignedIn(third)).toBe(false);
  });

  test('refuses tokens of other issuers', async () => {
    const [header, payload] = (await newToken('individual')).split('.');
    for (const token of ['nonsense', `${header}.${payload}.AAAA`])
      expect((await app.call(refreshToken, { body: { token } })).refused.error).toBe(
        'SessionEnded',
      );
  });
});

describe('logout', () => {
  test('ends the session of the token', async () => {
    const token = await newToken('employee');
    expect(await isSignedIn(token)).toBe(true);
    expect((await app.call(logout, { token })).body).toEqual({ ended: true });
    expect(await isSignedIn(token)).toBe(false);
    expect((await app.call(refreshToken, { body: { token } })).refused.error).toBe('SessionEnded');
  });

  test('does not affect other sessions of the user', async () => {
    const [one, other] = [await newToken('employee'), await newToken('employee')];
    await app.call(logout, { token: one });
    expect(await isSignedIn(other)).toBe(true);
  });

  test('does nothing without a token', async () => {
    const { status, body } = await app.call(logout);
    expect([status, body]).toEqual([200, { ended: false }]);
  });
});
