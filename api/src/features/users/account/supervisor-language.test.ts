import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { demoPassword } from '#seed/seed.ts';
import { useTestApp } from '#testing/test-app.ts';
import { changeSupervisorLanguage, login, refreshToken } from '@diwan/contract/people/users';

const app = useTestApp();

const newToken = async (username: string) =>
  (await app.call(login, { body: { username, password: demoPassword } })).body.token;
const ssidOf = (token: string) => String(decodeJwt(token).ssid);

test('the language that a supervisor chose is in the next token of every browser', async () => {
  const token = await newToken('supervisor');
  expect(decodeJwt(token)).not.toHaveProperty('language');
  for (const [Language, stored] of [
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
    expect(decodeJwt(await newToken('supervisor')).language).toBe(stored);
  }
  expect(decodeJwt((await app.call(refreshToken, { body: { token } })).body).language).toBe(
    'ar-EG',
  );
  expect(decodeJwt(await newToken('supervisor2'))).not.toHaveProperty('language');
});

test('only supervisors can set the language, and only their own', async () => {
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
])('reports %j by field', async (broken) => {
  const token = await newToken('supervisor2');
  const { status, refused } = await app.call(changeSupervisorLanguage, {
    body: { SupervisorId: ssidOf(token), Language: 'en-US', ...broken } as never,
    token,
  });
  expect(status).toBe(400);
  expect(Object.keys(refused.errors ?? {})).toEqual(Object.keys(broken));
});
