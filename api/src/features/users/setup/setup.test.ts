import { expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { useTestApp } from '#testing/test-app.ts';
import { getSetupState, setUpPortal } from '@diwan/contract/people/setup';
import { login } from '@diwan/contract/people/users';
import { findSetupCode } from './setup.actions.ts';

const app = useTestApp();

const first = {
  username: 'First.Admin',
  password: 'Quiet-Lanterns-7042!',
  confirmPassword: 'Quiet-Lanterns-7042!',
  fullName: 'Noora Salem',
  email: 'noora@ministry.example',
  phoneNumber: '0501234567',
};
const send = (code: string, body: Partial<typeof first> = {}) =>
  app.call(setUpPortal, { body: { ...first, ...body, code } });
const removeAdmins = () =>
  sql`update users set roles = '{}' where 'Admin' = any(roles)`.execute(app.database);
const isOpen = async () => (await app.call(getSetupState)).body.isOpen;

it('is open only without an administrator, with the printed code only, once', async () => {
  await removeAdmins();
  expect(await isOpen()).toBe(true);
  const code = (await findSetupCode(app.database)) ?? '';
  expect(code).toMatch(/^([A-Z2-9]{4}-){3}[A-Z2-9]{4}$/);
  // Every process and every start prints the same one.
  expect(await findSetupCode(app.serverDatabase)).toBe(code);
  for (const wrong of ['ABCD-EFGH-2345-6789', code.slice(0, -1), `${code}A`, '-'])
    expect((await send(wrong)).refused.error, wrong).toBe('SetupCodeWrong');
  const weak = await send(code, { password: 'short', confirmPassword: 'other', username: '9' });
  expect([weak.status, Object.keys(weak.refused.errors ?? {}).sort()]).toEqual([
    400,
    ['confirmPassword', 'password', 'username'],
  ]);
  expect((await send(code, { username: 'individual' })).refused.error).toBe('UsernameTaken');

  // Spaces and case do not matter. Of two at the same time, one creates the account.
  const typed = ` ${code.toLowerCase().replaceAll('-', ' ')} `;
  const answers = await Promise.all([send(typed), send(typed, { username: 'second' })]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  expect(await isOpen()).toBe(false);
  expect((await send(code)).refused.error).toBe('SetupClosed');
  expect(await findSetupCode(app.database)).toBeUndefined();
  const admins = await sql<{ username: string; isVerified: boolean }>`
    select username,
      email_verified_at is not null or phone_verified_at is not null as "isVerified"
    from users
    where 'Admin' = any(roles)`.execute(app.database);
  expect(admins.rows).toHaveLength(1);
  // Nobody has read a message at the addresses that were typed.
  expect(admins.rows[0]?.isVerified).toBe(false);
  const { username = '' } = admins.rows[0] ?? {};
  const signIn = await app.call(login, { body: { username, password: first.password } });
  expect(signIn.status).toBe(200);
});

it('stays closed while the only administrator is suspended', async () => {
  await sql`update users set suspended_at = now() where 'Admin' = any(roles)`.execute(app.database);
  expect((await send('ABCD-EFGH-2345-6789')).refused.error).toBe('SetupClosed');
});

it('limits the attempts of one address', async () => {
  await removeAdmins();
  const answers = await Promise.all(Array.from({ length: 105 }, () => send('wrong')));
  expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
});
