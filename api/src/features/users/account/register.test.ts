import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import {
  allowNextCode,
  waitForCodeTo,
  listMessagesTo,
  waitForMessageTo,
  otherCode,
} from '#testing/sent-messages.ts';
import { openTestApp, useTestApp } from '#testing/test-app.ts';
import { createUser, forgotPassword, sendVerificationCode } from '@diwan/contract/people/accounts';
import { getProfile, login } from '@diwan/contract/people/users';
import type { BodyInputOf } from '@diwan/contract/wire/call';
import type { Language } from '@diwan/contract/wire/languages';

const app = useTestApp({ VERIFICATION_CODES_PER_DAY: '10000' });

const password = 'Quiet-Lanterns-7042!';
let people = 0;
type Person = BodyInputOf<typeof createUser>;

function newPerson(more: Partial<Person> = {}): Person {
  people += 1;
  return {
    username: `person${people}`,
    password,
    confirmPassword: password,
    fullName: 'Noor Al Test',
    email: `person${people}@mail.example`,
    phoneNumber: `05060${String(people).padStart(5, '0')}`,
    verification: { channel: 'email', code: '' },
    ...more,
  };
}

const send = (channel: 'email' | 'sms', address: string, language: Language = 'en-US') =>
  app.call(sendVerificationCode, { body: { channel, address, purpose: 'register' }, language });
const create = (person: Person, code: string) =>
  app.call(createUser, { body: { ...person, verification: { ...person.verification, code } } });
const userOf = (username: string) =>
  app.database.selectFrom('users').selectAll().where('username', '=', username).executeTakeFirst();

describe('a registration', () => {
  it('by e-mail accepts capitals and all digits, and signs in', async () => {
    const person = newPerson({
      username: ' Sara.٢ ',
      email: 'Sara.Two@Mail.Example',
      phoneNumber: '٠٥٠ ٧٦٥ ٤٣٢١',
      emiratesId: '784 1990 1234567 1',
    });
    expect((await send('email', person.email, 'ar-EG')).body).toEqual({ sent: true });
    const message = await waitForMessageTo(app, 'sara.two@mail.example');
    expect(message).toMatchObject({
      channel: 'email',
      language: 'ar-EG',
      subject: 'رمز التحقق لإنشاء حسابك في ديوان',
    });
    const code = await waitForCodeTo(app, 'sara.two@mail.example');
    const { status, body } = await create(
      person,
      code.replace(/\d/g, (digit) => String.fromCharCode(0x0660 + Number(digit))),
    );
    expect(status).toBe(200);
    expect((await app.call(getProfile, { token: body.token })).body).toMatchObject({
      username: 'sara.2',
      email: 'sara.two@mail.example',
      phoneNumber: '+971507654321',
      roles: ['Client'],
      hasPassword: true,
    });
    const row = await userOf('sara.2');
    // A typed Emirates ID does not count as verified.
    expect([row?.emirates_id, row?.typed_emirates_id, row?.phone_verified_at]).toEqual([
      null,
      '784-1990-1234567-1',
      null,
    ]);
    expect(row?.email_verified_at).toBeInstanceOf(Date);
    expect((await app.call(login, { body: { username: 'SARA.2', password } })).status).toBe(200);
  });

  it('by SMS creates a company with its manager', async () => {
    const person = newPerson({
      verification: { channel: 'sms', code: '' },
      company: { nameEn: 'Test Palm Trading LLC', licenceNumber: 'cn-٤٤٥٥' },
    });
    await send('sms', person.phoneNumber);
    const mobile = `+971${person.phoneNumber.slice(1)}`;
    const { body } = await create(person, await waitForCodeTo(app, mobile));
    expect(decodeJwt(body.token)).toMatchObject({ role: 'CompanyUser' });
    expect((await app.call(getProfile, { token: body.token })).body.company?.name).toBe(
      'Test Palm Trading LLC',
    );
    const row = await userOf(person.username);
    expect([
      row?.is_company_manager,
      row?.email_verified_at,
      row?.phone_verified_at !== null,
    ]).toEqual([true, null, true]);

    const second = newPerson({ company: { nameAr: 'شركة أخرى', licenceNumber: 'CN-4455' } });
    await send('email', second.email);
    expect((await create(second, await waitForCodeTo(app, second.email))).refused.error).toBe(
      'CompanyLicenceInUse',
    );
    // Nothing is stored, and the code stays valid.
    expect(await userOf(second.username)).toBeUndefined();
    expect(
      (
        await create(
          { ...second, company: { nameAr: 'شركة أخرى', licenceNumber: 'CN-4456' } },
          await waitForCodeTo(app, second.email),
        )
      ).status,
    ).toBe(200);
  });

  it('succeeds once when it is sent ten times in parallel', async () => {
    const person = newPerson();
    await send('email', person.email);
    const code = await waitForCodeTo(app, person.email);
    const answers = await Promise.all(Array.from({ length: 4 }, () => create(person, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    expect((await create(newPerson({ email: person.email }), code)).refused.error).toBe(
      'VerificationCodeWrong',
    );
  });
});

describe('invalid input', () => {
  it('is reported by field, before the code is verified', async () => {
    const { status, refused } = await create(
      newPerson({
        username: '9 lives@',
        fullName: ' ',
        email: 'nobody',
        phoneNumber: '041234567',
        emiratesId: '12',
        password: 'short',
        confirmPassword: 'other',
        company: { licenceNumber: '!' },
      }),
      '1',
    );
    expect(status).toBe(400);
    expect(Object.keys(refused.errors ?? {}).sort()).toEqual([
      'company.licenceNumber',
      'company.nameAr',
      'confirmPassword',
      'email',
      'emiratesId',
      'fullName',
      'password',
      'phoneNumber',
      'username',
    ]);
    expect((await send('email', 'nobody')).refused.errors).toHaveProperty('address');
    expect((await send('sms', '+44 7700 900000')).refused.errors).toHaveProperty('address');
  });

  it('includes a taken username, which only a correct code reveals', async () => {
    const person = newPerson({ username: 'individual' });
    await send('email', person.email);
    const code = await waitForCodeTo(app, person.email);
    expect((await create(person, otherCode(code))).refused.error).toBe('VerificationCodeWrong');
    expect((await create(person, code)).refused.error).toBe('UsernameTaken');
    expect((await create({ ...person, username: 'free-name' }, code)).status).toBe(200);
  });
});

describe('an address with an account', () => {
  it('gets the same reply, and a message instead of a code', async () => {
    const [known, unknown] = [
      await send('email', 'individual@example.com'),
      await send('email', 'nobody-yet@mail.example'),
    ];
    expect(known.body).toEqual(unknown.body);
    const message = await waitForMessageTo(app, 'individual@example.com');
    expect([message.subject, /\b\d{6}\b/.test(message.body)]).toEqual([
      'You already have a Diwan account',
      false,
    ]);
    await send('sms', '+971500000008');
    expect((await waitForMessageTo(app, '+971500000008')).body).toContain('already has an account');
    // The same limits apply as to a code.
    await send('email', 'individual@example.com');
    await send('email', 'marker@mail.example');
    await waitForMessageTo(app, 'marker@mail.example');
    expect(await listMessagesTo(app, 'individual@example.com')).toHaveLength(1);
  });

  it('is looked up after the reply, so that the times are equal', async () => {
    await inTransaction(app.database, async (transaction) => {
      await sql`lock table users, verification_codes in access exclusive mode`.execute(transaction);
      for (const address of ['admin@example.com', 'new@mail.example'])
        expect((await send('email', address)).body).toEqual({ sent: true });
      for (const account of ['admin', 'admin@example.com', 'nobody-at-all'])
        expect((await app.call(forgotPassword, { body: { account } })).body).toEqual({
          sent: true,
        });
    });
  });
});

describe('guessing', () => {
  it('a thousand wrong codes are refused, and then also the correct one', async () => {
    const person = newPerson();
    await send('email', person.email);
    const code = await waitForCodeTo(app, person.email);
    const guesses = Array.from({ length: 1000 }, (_, index) =>
      String(index).padStart(6, '0'),
    ).filter((guess) => guess !== code);
    const answers = await Promise.all(guesses.map((guess) => create(person, guess)));
    expect(new Set(answers.map(({ refused }) => refused.error))).toEqual(
      new Set(['VerificationCodeWrong']),
    );
    expect((await create(person, code)).refused.error).toBe('VerificationCodeWrong');
    await allowNextCode(app);
    await send('email', person.email);
    expect((await create(person, await waitForCodeTo(app, person.email, 2))).status).toBe(200);
  });

  it('codes of another address, channel or purpose, expired and used codes are refused', async () => {
    const [mine, theirs] = [newPerson(), newPerson()];
    await Promise.all([send('email', mine.email), send('email', theirs.email)]);
    const [code, other] = [
      await waitForCodeTo(app, mine.email),
      await waitForCodeTo(app, theirs.email),
    ];
    if (code !== other)
      expect((await create(mine, other)).refused.error).toBe('VerificationCodeWrong');
    expect(
      (await create({ ...mine, verification: { channel: 'sms', code } }, code)).refused.error,
    ).toBe('VerificationCodeWrong');
    await app.database
      .updateTable('verification_codes')
      .set({ purpose: 'password' })
      .where('address', '=', mine.email)
      .execute();
    expect((await create(mine, code)).refused.error).toBe('VerificationCodeWrong');
    await app.database
      .updateTable('verification_codes')
      .set({ purpose: 'register', expires_at: new Date(Date.now() - 1) })
      .where('address', '=', mine.email)
      .execute();
    expect((await create(mine, code)).refused.error).toBe('VerificationCodeWrong');
    expect(
      JSON.stringify(await app.database.selectFrom('verification_codes').selectAll().execute()),
    ).not.toContain(`"${code}"`);
  });

  it('a network has a daily limit of codes', async () => {
    const strict = await openTestApp({ VERIFICATION_CODES_PER_DAY: '3' });
    const ask = (index: number) =>
      strict.call(sendVerificationCode, {
        body: { channel: 'email', address: `flood${index}@mail.example`, purpose: 'register' },
      });
    const answers = [];
    for (let index = 0; index < 5; index += 1) answers.push(await ask(index));
    await strict.close();
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
    expect(answers[4]?.headers['retry-after']).toBe('3600');
  });
});
