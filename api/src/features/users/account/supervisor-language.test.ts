import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeSupervisorLanguage, login, refreshToken } from '@diwan/contract/people/users';
import { demoPassword } from '../../../seed/seed.ts';
import { openTestApp, type TestApp } from '../../../testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const newToken = async (username: string) =>
  (await app.call(login, { body: { username, password: demoPassword } })).body.token;
const ssidOf = (token: string) => String(decodeJwt(token).ssid);

test('the language that a supervisor chose is in their next token, here and on another browser', async () => {
  const token = await newToken('supervisor');
  expect(decodeJwt(token)).not.toHaveProperty('language');
  for (const [Language, kept] of [
    ['en-US', 'en-US'],
    ['Urdu', 'ur-PK'],
    ['ur-PK', 'ur-PK'],
    ['ar-EG', 'ar-EG'],
  ] as const) {
    const { status, body } = await app.call(changeSupervisorLanguage, {
      body: { SupervisorId: ssidOf(token), Language },
      token,
    });
    expect({ status, body }).toEqual({ status: 200, body: { changed: true } });
    expect(decodeJwt(await newToken('supervisor')).language).toBe(kept);
  }
  expect(decodeJwt((await app.call(refreshToken, { body: { token } })).body).language).toBe(
    'ar-EG',
  );
  expect(decodeJwt(await newToken('supervisor2'))).not.toHaveProperty('language');
});

test('nobody sets the language of another, and only supervisors have one', async () => {
  const token = await newToken('supervisor2');
  const other = ssidOf(await newToken('supervisor'));
  for (const SupervisorId of [other, randomUUID()]) {
    const { status, refused } = await app.call(changeSupervisorLanguage, {
      body: { SupervisorId, Language: 'ur-PK' },
      token,
    });
    expect({ status, error: refused.error }).toEqual({ status: 403, error: 'YouAreUnauthorized' });
  }
  expect(decodeJwt(await newToken('supervisor')).language).not.toBe('ur-PK');
  const employee = await newToken('employee');
  expect(
    (
      await app.call(changeSupervisorLanguage, {
        body: { SupervisorId: ssidOf(employee), Language: 'en-US' },
        token: employee,
      })
    ).status,
  ).toBe(403);
});

test.each([
  { Language: 'fr-FR' },
  { Language: '' },
  { SupervisorId: 'nobody' },
  { SupervisorId: undefined },
])('refuses %j by field', async (broken) => {
  const token = await newToken('supervisor2');
  const { status, refused } = await app.call(changeSupervisorLanguage, {
    body: { SupervisorId: ssidOf(token), Language: 'en-US', ...broken } as never,
    token,
  });
  expect(status).toBe(400);
  expect(Object.keys(refused.errors ?? {})).toEqual(Object.keys(broken));
});
