import { describe, expect, it } from 'vitest';
import { demoPassword } from '#seed/seed.ts';
import { useTestApp } from '#testing/test-app.ts';
import { getAuditEvents } from '@diwan/contract/people/audit';
import { changeUserPassword, getProfile, login } from '@diwan/contract/people/users';

const app = useTestApp({ SIGN_IN_FREE_TRIES: '5' });

const good = 'Kite&harbour7-Moss';
const begin = async (username: string, password = demoPassword) =>
  (await app.call(login, { body: { username, password } })).body.token;
const change = (
  token: string,
  body: Partial<Record<'oldPassword' | 'newPassword' | 'confirmNewPassword', string>>,
  language: 'ar-EG' | 'en-US' | 'ur-PK' = 'en-US',
) =>
  app.call(changeUserPassword, {
    token,
    language,
    body: { oldPassword: demoPassword, newPassword: good, confirmNewPassword: good, ...body },
  });
const isCalling = async (token: string) => (await app.call(getProfile, { token })).status === 200;

describe('an invalid new password', () => {
  it.each([
    ['Ab1!xyzqwvu', ['The password must have at least 12 characters']],
    [`${good}${'v9Zq!tLm'.repeat(5)}`, ['The password must have no more than 50 characters']],
    ['Kite&harbour7 Moss', ['The password must not contain spaces']],
    [
      'kite-harbour-moss',
      [
        'The password must contain an uppercase letter (A to Z)',
        'The password must contain a number (0 to 9)',
        'The password must contain one of these characters: !@#$%^&*',
      ],
    ],
    ['KITE&HARBOUR7-MOSS', ['The password must contain a lowercase letter (a to z)']],
    ['Password!2026', ['This password is easy to guess. Choose less common words and numbers.']],
    ['Individual2026!', ['This password is easy to guess. Choose less common words and numbers.']],
    ['   ', ['Enter a new password']],
  ])('%s', async (newPassword, messages) => {
    const { status, refused } = await change(await app.signIn('individual'), {
      newPassword,
      confirmNewPassword: newPassword,
    });
    expect(status).toBe(400);
    expect(refused.errors).toEqual({ newPassword: messages });
  });

  it('is reported by field, in the language of the caller', async () => {
    const token = await app.signIn('individual');
    const broken = { oldPassword: ' ', newPassword: good, confirmNewPassword: 'other' };
    expect((await change(token, broken)).refused.errors).toEqual({
      oldPassword: ['Enter your current password'],
      confirmNewPassword: ['The two new passwords are not the same'],
    });
    expect((await change(token, broken, 'ar-EG')).refused.errors?.oldPassword).toEqual([
      'أدخل كلمة المرور الحالية',
    ]);
    expect((await change(token, { confirmNewPassword: '' }, 'ur-PK')).refused.errors).toEqual({
      confirmNewPassword: ['نیا پاس ورڈ دوبارہ درج کریں'],
    });
    // The demo password is a well-known password.
    expect(
      (await change(token, { newPassword: demoPassword, confirmNewPassword: demoPassword })).refused
        .errors?.newPassword,
    ).toHaveLength(2);
  });
});

it('a wrong old password gets the text of specification §8 and changes nothing', async () => {
  const token = await begin('individual');
  for (const [language, message] of [
    ['en-US', 'Incorrect password'],
    ['ar-EG', 'كلمة المرور غير صحيحة'],
    ['ur-PK', 'پاس ورڈ درست نہیں'],
  ] as const) {
    const { status, refused } = await change(
      token,
      { oldPassword: 'Wrong&password2026' },
      language,
    );
    expect({ status, ...refused }).toEqual({ status: 400, error: 'IncorrectPassword', message });
  }
  expect(await begin('individual')).toBeTruthy();
});

it('ends every other session, keeps this one, and is effective immediately', async () => {
  const [mine, other, elsewhere] = [
    await begin('company'),
    await begin('company'),
    await begin('company'),
  ];
  const stranger = await begin('company2');
  expect((await change(mine, {})).body).toEqual({ changed: true });
  expect(await Promise.all([mine, other, elsewhere, stranger].map(isCalling))).toEqual([
    true,
    false,
    false,
    true,
  ]);
  expect(
    (await app.call(login, { body: { username: 'company', password: demoPassword } })).status,
  ).toBe(400);
  expect(await isCalling(await begin('company', good))).toBe(true);

  const { body } = await app.call(getAuditEvents, {
    token: await begin('admin'),
    query: { Username: 'Company', Take: 100 },
  });
  expect(body.items.filter(({ kind }) => kind === 'passwordChanged')).toHaveLength(1);
  expect(
    body.items.filter(
      ({ kind, reason }) => kind === 'sessionEnded' && reason === 'passwordChanged',
    ),
  ).toHaveLength(2);
  expect(JSON.stringify(body)).not.toMatch(/harbour|argon2|DiwanDemo/);
});

it('of two parallel changes one succeeds', async () => {
  const token = await begin('supervisor');
  const passwords = ['Kite&harbour7-One', 'Kite&harbour7-Two'];
  const answers = await Promise.all(
    passwords.map((newPassword) => change(token, { newPassword, confirmNewPassword: newPassword })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  const winner = answers[0]?.status === 200 ? 0 : 1;
  expect(
    (
      await app.call(login, {
        body: { username: 'supervisor', password: passwords[winner] ?? '' },
      })
    ).status,
  ).toBe(200);
  expect(
    (
      await app.call(login, {
        body: { username: 'supervisor', password: passwords[1 - winner] ?? '' },
      })
    ).status,
  ).toBe(400);
});

it('guesses of the old password in a stolen session are throttled', async () => {
  const token = await begin('employee');
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, round) =>
      change(token, { oldPassword: `Wrong&password${round}` }),
    ),
  );
  const countOf = (error: string) =>
    answers.filter(({ refused }) => refused.error === error).length;
  // Five passwords are verified. On a slow machine one or two waits end during the test.
  expect([5, 6, 7]).toContain(countOf('IncorrectPassword'));
  expect(countOf('IncorrectPassword') + countOf('TooManyRequests')).toBe(40);
  await app.database
    .updateTable('sign_in_tries')
    .set({ wait_until: new Date(Date.now() + 60_000) })
    .where('tries', '>', 4)
    .execute();
  expect((await change(token, {})).refused.error).toBe('TooManyRequests');
  expect(await isCalling(await begin('employee'))).toBe(true);
});

it('the profile describes the caller', async () => {
  const read = async (username: string, language: 'ar-EG' | 'en-US' = 'en-US') =>
    (await app.call(getProfile, { token: await begin(username), language })).body;
  expect(await read('individual2')).toEqual({
    username: 'individual2',
    fullName: 'Bilal Demo Khan',
    email: 'individual2@example.com',
    phoneNumber: '+971500000009',
    roles: ['Client'],
    hasPassword: true,
    hasUAEPass: false,
    isEmailVerified: true,
    isPhoneVerified: true,
  });
  expect(await read('company2')).toMatchObject({
    roles: ['CompanyUser'],
    company: { name: 'Demo Dune Contracting LLC' },
  });
  expect((await read('supervisor2', 'ar-EG')).partner?.name).toBe(
    'مركز العرض لخدمات العمل والهوية (تجريبي)',
  );
});
