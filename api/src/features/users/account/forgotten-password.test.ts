import { describe, expect, it } from 'vitest';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { demoPassword } from '#seed/seed.ts';
import { countLockWaits } from '#testing/lock-waits.ts';
import {
  allowNextCode,
  waitForCodeTo,
  listMessagesTo,
  waitForMessageTo,
  otherCode,
} from '#testing/sent-messages.ts';
import { useTestApp } from '#testing/test-app.ts';
import { forgotPassword, resetPassword } from '@diwan/contract/people/accounts';
import { getAuditEvents } from '@diwan/contract/people/audit';
import { getProfile, login } from '@diwan/contract/people/users';
import type { Language } from '@diwan/contract/wire/languages';

const app = useTestApp({ VERIFICATION_CODES_PER_DAY: '10000' });

const newPassword = 'Quiet-Lanterns-7042!';
const forget = (account: string, language: Language = 'en-US') =>
  app.call(forgotPassword, { body: { account }, language });
const reset = (account: string, code: string, chosen = newPassword) =>
  app.call(resetPassword, {
    body: { account, code, newPassword: chosen, confirmNewPassword: chosen },
  });
const signIn = (username: string, password: string) =>
  app.call(login, { body: { username, password } });
const inUrdu = 'ur-PK' as const;

describe('a forgotten password', () => {
  it('is replaced by a code in the language of the caller; every session ends and the owner is notified', async () => {
    const token = (await signIn('individual', demoPassword)).body.token;
    expect((await forget('Individual@Example.com', inUrdu)).body).toEqual({ sent: true });
    const message = await waitForMessageTo(app, 'individual@example.com');
    expect(message).toMatchObject({
      language: inUrdu,
      subject: 'دیوان کا پاس ورڈ ری سیٹ کرنے کے لیے کوڈ',
    });
    const code = await waitForCodeTo(app, 'individual@example.com');
    expect((await reset('individual@example.com', otherCode(code))).refused.error).toBe(
      'VerificationCodeWrong',
    );
    expect((await app.call(getProfile, { token })).status).toBe(200);
    expect((await reset('individual@example.com', code)).body).toEqual({ changed: true });
    expect((await app.call(getProfile, { token })).status).toBe(401);
    expect((await signIn('individual', demoPassword)).refused.error).toBe(
      'WrongUsernameOrPassword',
    );
    expect((await signIn('individual', newPassword)).status).toBe(200);
    expect((await waitForMessageTo(app, 'individual@example.com', 2)).subject).toBe(
      'Your Diwan password has been changed',
    );
    expect(
      (await reset('individual@example.com', code, 'Other-Lanterns-7042!')).refused.error,
    ).toBe('VerificationCodeWrong');
    const { body } = await app.callAs('admin', getAuditEvents, {
      query: { Username: 'individual' },
    });
    expect(body.items.map(({ kind, reason }) => [kind, reason])).toEqual(
      expect.arrayContaining([
        ['passwordReset', undefined],
        ['passwordResetFailed', undefined],
        ['sessionEnded', 'passwordReset'],
      ]),
    );
  });

  it('ends a sign-in with the old password that was verified just before', async () => {
    const id = await app.idOf('employee2');
    const sessions = () =>
      app.database
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', id)
        .where('ended_at', 'is', null)
        .execute();
    let late: ReturnType<typeof signIn> | undefined;
    await inTransaction(app.database, async (transaction) => {
      await transaction
        .updateTable('users')
        .set({ password_hash: 'another' })
        .where('id', '=', id)
        .execute();
      late = signIn('employee2', demoPassword);
      // The password is verified, and the new session waits for the row of the account.
      await expect.poll(() => countLockWaits(app.database)).toBe(1);
    });
    expect((await late)?.refused.error).toBe('WrongUsernameOrPassword');
    expect(await sessions()).toEqual([]);
  });

  it('is identified by username or by mobile number in any digits, where the code arrives', async () => {
    await forget(' COMPANY ');
    expect(
      (
        await reset(
          'company',
          await waitForCodeTo(
            app,
            (
              await app.database
                .selectFrom('users')
                .select('email')
                .where('username', '=', 'company')
                .executeTakeFirstOrThrow()
            ).email,
          ),
        )
      ).status,
    ).toBe(200);
    const { phone_number: mobile } = await app.database
      .selectFrom('users')
      .select('phone_number')
      .where('username', '=', 'company2')
      .executeTakeFirstOrThrow();
    await forget(mobile.replace('+971', '٠'));
    expect((await reset(mobile, await waitForCodeTo(app, mobile))).status).toBe(200);
  });

  it('cannot be the owner’s name: the code stays valid', async () => {
    await forget('supervisor');
    const { email } = await app.database
      .selectFrom('users')
      .select('email')
      .where('username', '=', 'supervisor')
      .executeTakeFirstOrThrow();
    const code = await waitForCodeTo(app, email);
    const named = 'Supervisor-2026!';
    // Before that, the reply does not reveal the account.
    expect((await reset('supervisor', otherCode(code), named)).refused.error).toBe(
      'VerificationCodeWrong',
    );
    expect((await reset('supervisor', code, named)).refused.errors).toHaveProperty('newPassword');
    expect((await reset('supervisor', code)).status).toBe(200);
  });
});

describe('the existence of an account is not revealed', () => {
  it('by the reply, and unknown addresses get no message', async () => {
    const [known, unknown] = [await forget('employee'), await forget('nobody@mail.example')];
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
    const [wrong, none] = [
      await reset('employee', '12345'),
      await reset('nobody@mail.example', '12345'),
    ];
    expect([none.status, none.refused]).toEqual([wrong.status, wrong.refused]);
    await waitForCodeTo(app, 'employee@example.com');
    expect(await listMessagesTo(app, 'nobody@mail.example')).toEqual([]);
  });

  it('and an unverified address cannot reset a password', async () => {
    await app.database
      .updateTable('users')
      .set({ email: 'typed@mail.example', email_verified_at: null })
      .where('username', '=', 'supervisor2')
      .execute();
    await forget('typed@mail.example');
    await forget('supervisor2');
    // The code for a username goes to the verified mobile number.
    const { phone_number: mobile } = await app.database
      .selectFrom('users')
      .select('phone_number')
      .where('username', '=', 'supervisor2')
      .executeTakeFirstOrThrow();
    await waitForCodeTo(app, mobile);
    expect(await listMessagesTo(app, 'typed@mail.example')).toEqual([]);
  });
});

describe('other accounts', () => {
  it('with UAE PASS get a hint, several on one address their usernames, suspended ones nothing', async () => {
    const { id } = await app.database
      .insertInto('users')
      .values({
        username: 'uaepass-1',
        password_hash: null,
        full_name: 'Pass Only',
        phone_number: '',
        email: 'pass@mail.example',
        email_verified_at: new Date(),
        roles: [],
        company_id: null,
        partner_id: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await forget('pass@mail.example');
    const message = await waitForMessageTo(app, 'pass@mail.example');
    expect([message.subject, /\b\d{6}\b/.test(message.body)]).toEqual([
      'Sign in to Diwan with UAE PASS',
      false,
    ]);
    for (let guess = 0; guess < 20; guess += 1)
      expect((await reset('pass@mail.example', String(guess).padStart(6, '0'))).refused.error).toBe(
        'VerificationCodeWrong',
      );
    expect(
      (
        await app.database
          .selectFrom('users')
          .select('password_hash')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).password_hash,
    ).toBeNull();

    await app.database
      .updateTable('users')
      .set({ email: 'both@mail.example' })
      .where('username', 'in', ['individual2', 'employee2'])
      .execute();
    await forget('both@mail.example');
    expect((await waitForMessageTo(app, 'both@mail.example')).body).toMatch(
      /individual2|employee2/,
    );
    await app.database
      .updateTable('users')
      .set({ suspended_at: new Date() })
      .where('username', '=', 'employee2')
      .execute();
    await allowNextCode(app);
    await forget('both@mail.example');
    expect(
      (await reset('both@mail.example', await waitForCodeTo(app, 'both@mail.example', 2))).status,
    ).toBe(200);
    expect((await signIn('individual2', newPassword)).status).toBe(200);
  });
});

it('a thousand wrong codes are refused, and ten messages are the daily limit', async () => {
  const address = 'admin@example.com';
  await forget('admin');
  const code = await waitForCodeTo(app, address);
  const answers = await Promise.all(
    Array.from({ length: 1000 }, (_, index) => String(index).padStart(6, '0'))
      .filter((guess) => guess !== code)
      .map((guess) => reset('admin', guess)),
  );
  expect(new Set(answers.map(({ refused }) => refused.error))).toEqual(
    new Set(['VerificationCodeWrong']),
  );
  expect((await reset('admin', code)).refused.error).toBe('VerificationCodeWrong');
  for (let count = 2; count <= 10; count += 1) {
    await allowNextCode(app);
    await forget('admin');
    await waitForMessageTo(app, address, count);
  }
  await allowNextCode(app);
  await forget('admin');
  const row = await app.database
    .selectFrom('verification_codes')
    .selectAll()
    .where('purpose', '=', 'password')
    .where('sent', '=', 10)
    .execute();
  expect(row).toHaveLength(1);
  expect(await listMessagesTo(app, address)).toHaveLength(10);
});
