import { decodeJwt } from 'jose';
import { Secret, TOTP } from 'otpauth';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { demoPassword } from '#seed/seed.ts';
import { openTestApp, useTestApp } from '#testing/test-app.ts';
import { governmentAgencyCollection } from '@diwan/contract/catalogue/agencies';
import { getAuditEvents } from '@diwan/contract/people/audit';
import * as calls from '@diwan/contract/people/second-factor';
import { getProfile, login, refreshToken } from '@diwan/contract/people/users';
import { getRequestsCount } from '@diwan/contract/requests/request-lists';
import { getAllUsers } from '@diwan/contract/staff/user-administration';

const step = 30_000;
const app = useTestApp();

// A code is accepted once, so each test code needs a new time step. A fake clock avoids waiting for
// it.
beforeEach(
  () =>
    void vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / step) * step + 1000 }),
);
afterEach(async () => {
  vi.useRealTimers();
  for (const table of ['second_factors', 'recovery_codes', 'settings', 'sign_in_tries'] as const)
    await app.database.deleteFrom(table).execute();
});

const codeOf = (secret: string, at = Date.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });
const letStepPass = () => void vi.setSystemTime(Date.now() + step);
const nextCode = (secret: string) => (letStepPass(), codeOf(secret));

const signIn = (username: string, code?: string, password = demoPassword) =>
  app.call(login, { body: { username, password, ...(code === undefined ? {} : { code }) } });
const newToken = async (username: string, code?: string) =>
  (await signIn(username, code)).body.token;
const errorOf = async (answer: Promise<{ refused: { error?: string } }>) =>
  (await answer).refused.error;

/** Sets up a second factor through the API. */
async function setUp(
  username: string,
): Promise<{ secret: string; recoveryCodes: string[]; token: string }> {
  const token = await newToken(username);
  const { secret } = (await app.call(calls.beginSecondFactor, { token, body: {} })).body;
  const { recoveryCodes } = (
    await app.call(calls.confirmSecondFactor, { token, body: { code: nextCode(secret) } })
  ).body;
  return { secret, recoveryCodes, token };
}

async function requireOf(...roles: calls.FactorRole[]): Promise<void> {
  const value = JSON.stringify(roles);
  await app.database
    .insertInto('settings')
    .values({ name: 'secondFactorRoles', value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

async function makeStale(token: string): Promise<void> {
  await app.database
    .updateTable('sessions')
    .set({ created_at: new Date(Date.now() - 3_600_000) })
    .where('id', '=', String(decodeJwt(token).sid))
    .execute();
}

async function eventsOf(username: string): Promise<string[]> {
  const { body } = await app.callAs('admin', getAuditEvents, {
    query: { Username: username, Take: 100 },
  });
  return body.items.map(({ kind, reason, by }) => [kind, reason, by].filter(Boolean).join(' '));
}

describe('setting up', () => {
  it('returns a URI for the app, accepts its code, and shows ten recovery codes once', async () => {
    const token = await newToken('employee');
    const begun = (await app.call(calls.beginSecondFactor, { token, body: {} })).body;
    expect(begun.uri).toBe(
      `otpauth://totp/Diwan:employee%40localhost?issuer=Diwan&secret=${begun.secret}&algorithm=SHA1&digits=6&period=30`,
    );
    expect(begun.secret).toMatch(/^[A-Z2-7]{32}$/);
    // A reload shows the same code, so that a scanned one stays valid.
    expect((await app.call(calls.beginSecondFactor, { token, body: {} })).body.secret).toBe(
      begun.secret,
    );
    expect(
      await errorOf(app.call(calls.confirmSecondFactor, { token, body: { code: '000000' } })),
    ).toBe('SecondFactorWrong');
    expect((await app.call(calls.getSecondFactor, { token })).body).toEqual({
      isSet: false,
      isRequired: false,
      mustSetUp: false,
      asksPassword: false,
      recoveryCodesLeft: 0,
    });

    const other = await newToken('employee');
    const { body } = await app.call(calls.confirmSecondFactor, {
      token,
      body: { code: codeOf(begun.secret) },
    });
    expect(new Set(body.recoveryCodes).size).toBe(10);
    for (const code of body.recoveryCodes) expect(code).toMatch(/^\d{12}$/);
    expect((await app.call(calls.getSecondFactor, { token })).body).toMatchObject({
      isSet: true,
      isRequired: false,
      recoveryCodesLeft: 10,
      since: expect.any(String),
    });
    // The other session was opened with a password alone.
    expect((await app.call(getProfile, { token: other })).status).toBe(401);
    expect((await app.call(getProfile, { token })).status).toBe(200);
    expect((await eventsOf('employee')).slice(0, 2)).toEqual([
      'sessionEnded secondFactorSet',
      'secondFactorSet',
    ]);
  });

  it('stores secret and recovery codes protected, and bound to one user', async () => {
    const { secret, recoveryCodes } = await setUp('employee');
    const rows = JSON.stringify([
      await app.database.selectFrom('second_factors').selectAll().execute(),
      await app.database.selectFrom('recovery_codes').selectAll().execute(),
    ]);
    for (const text of [secret, ...recoveryCodes]) expect(rows).not.toContain(text);
    const id = await app.idOf('employee2');
    await app.database.updateTable('second_factors').set({ user_id: id }).execute();
    await app.database.updateTable('recovery_codes').set({ user_id: id }).execute();
    expect(await errorOf(signIn('employee2', nextCode(secret)))).toBe('SecondFactorWrong');
    expect(await errorOf(signIn('employee2', recoveryCodes[0]))).toBe('SecondFactorWrong');
  });

  it('asks for the password when the sign-in is not recent', async () => {
    const token = await newToken('employee');
    await makeStale(token);
    expect((await app.call(calls.getSecondFactor, { token })).body.asksPassword).toBe(true);
    for (const body of [{}, { password: 'Wrong&password2026' }])
      expect(await errorOf(app.call(calls.beginSecondFactor, { token, body }))).toBe(
        'IncorrectPassword',
      );
    expect(
      (await app.call(calls.beginSecondFactor, { token, body: { password: demoPassword } })).status,
    ).toBe(200);
  });

  it('keeps the current app until the next one is confirmed with a code of the current one', async () => {
    const { secret, token } = await setUp('employee');
    expect(await errorOf(app.call(calls.beginSecondFactor, { token, body: {} }))).toBe(
      'SecondFactorRequired',
    );
    expect(
      await errorOf(app.call(calls.beginSecondFactor, { token, body: { code: '123456' } })),
    ).toBe('SecondFactorWrong');
    const next = (
      await app.call(calls.beginSecondFactor, { token, body: { code: nextCode(secret) } })
    ).body.secret;
    expect(next).not.toBe(secret);
    expect((await signIn('employee', nextCode(secret))).status).toBe(200);
    expect(
      (await app.call(calls.confirmSecondFactor, { token, body: { code: nextCode(next) } })).status,
    ).toBe(200);
    expect(await errorOf(signIn('employee', nextCode(secret)))).toBe('SecondFactorWrong');
    expect((await signIn('employee', codeOf(next, Date.now() + step))).status).toBe(200);
  });

  it('is confirmed only by the session that began it, before it expires', async () => {
    const [token, other] = [await newToken('employee'), await newToken('employee')];
    const { secret } = (await app.call(calls.beginSecondFactor, { token, body: {} })).body;
    expect(
      await errorOf(
        app.call(calls.confirmSecondFactor, { token: other, body: { code: codeOf(secret) } }),
      ),
    ).toBe('SecondFactorNotBegun');
    await app.database
      .updateTable('second_factors')
      .set({ pending_since: new Date(Date.now() - 3_600_000) })
      .execute();
    expect(
      await errorOf(app.call(calls.confirmSecondFactor, { token, body: { code: codeOf(secret) } })),
    ).toBe('SecondFactorNotBegun');
  });
});

describe('signing in', () => {
  it('asks for a code after the right password only', async () => {
    const { secret } = await setUp('employee');
    expect((await signIn('employee')).refused).toMatchObject({
      error: 'SecondFactorRequired',
      message: 'Enter the code from your authenticator app.',
    });
    for (const code of [undefined, nextCode(secret)])
      expect(await errorOf(signIn('employee', code, 'Wrong&password2026'))).toBe(
        'WrongUsernameOrPassword',
      );
    const { status, body } = await signIn('employee', codeOf(secret));
    expect([status, decodeJwt(body.token).displayName]).toEqual([200, 'employee']);
    // A user without a second factor is not asked, and a code that is sent is ignored.
    expect((await signIn('employee2', '123456')).status).toBe(200);
  });

  it('accepts the previous and the next code in any digits, and no older one', async () => {
    const { secret } = await setUp('employee');
    vi.setSystemTime(Date.now() + 10 * step);
    for (const away of [-2, 2])
      expect(await errorOf(signIn('employee', codeOf(secret, Date.now() + away * step)))).toBe(
        'SecondFactorWrong',
      );
    expect((await signIn('employee', codeOf(secret, Date.now() - step))).status).toBe(200);
    expect(
      (
        await signIn(
          'employee',
          codeOf(secret).replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)] ?? ''),
        )
      ).status,
    ).toBe(200);
    expect(
      (
        await signIn(
          'employee',
          ` ${codeOf(secret, Date.now() + step)
            .replace(/\d/g, (digit) => '۰۱۲۳۴۵۶۷۸۹'[Number(digit)] ?? '')
            .replace(/^.../, '$& ')}\u200F`,
        )
      ).status,
    ).toBe(200);
  });

  it('accepts a code once, also in parallel, and no code of an earlier step', async () => {
    const { secret } = await setUp('employee');
    const [old, code] = [codeOf(secret, Date.now() + step), codeOf(secret, Date.now() + 2 * step)];
    vi.setSystemTime(Date.now() + 2 * step);
    const answers = await Promise.all(Array.from({ length: 30 }, () => signIn('employee', code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const again of [code, old])
      expect(await errorOf(signIn('employee', again))).toBe('SecondFactorWrong');
  });

  it('accepts each recovery code once and records it in the audit log', async () => {
    const {
      recoveryCodes: [first = '', second = ''],
      secret,
    } = await setUp('employee');
    const answers = await Promise.all(Array.from({ length: 10 }, () => signIn('employee', first)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await errorOf(signIn('employee', first))).toBe('SecondFactorWrong');
    const { status, body } = await signIn('employee', second.replace(/(\d{4})(?=\d)/g, '$1-'));
    expect(status).toBe(200);
    expect(
      (await app.call(calls.getSecondFactor, { token: body.token })).body.recoveryCodesLeft,
    ).toBe(8);
    expect(
      (await eventsOf('employee')).filter((event) => event === 'recoveryCodeUsed'),
    ).toHaveLength(2);
    const renewed = (
      await app.call(calls.newRecoveryCodes, {
        token: body.token,
        body: { code: nextCode(secret) },
      })
    ).body.recoveryCodes;
    expect(
      await errorOf(
        signIn(
          'employee',
          renewed.at(-1)?.replace(/^./, (digit) => String((Number(digit) + 1) % 10)),
        ),
      ),
    ).toBe('SecondFactorWrong');
    expect((await signIn('employee', renewed[0])).status).toBe(200);
  });

  it('refuses codes and recovery codes of another account, and other texts', async () => {
    const mine = await setUp('employee');
    const theirs = await setUp('employee2');
    for (const code of [
      nextCode(theirs.secret),
      theirs.recoveryCodes[0] ?? '',
      '0',
      'abcdef',
      '12345',
      '1234567',
      '１２３',
      'null',
      '{}',
      '-00000',
      '1e5000',
      "' or true --",
    ])
      expect(await errorOf(signIn('employee', code)), code).toBe('SecondFactorWrong');
    expect((await signIn('employee', codeOf(mine.secret))).status).toBe(200);
    expect((await signIn('employee', 'x'.repeat(41))).status).toBe(400);
  });
});

describe('guessing', () => {
  it('is throttled for the account from all networks, but not for a known browser', async () => {
    const strict = await openTestApp({ SIGN_IN_FREE_TRIES: '5' });
    try {
      const first = await strict.server.inject({
        method: 'POST',
        url: login.path,
        payload: { username: 'employee', password: demoPassword },
      });
      const { token } = first.json() as { token: string };
      const cookie = String(first.headers['set-cookie']).split(';')[0] ?? '';
      const { secret } = (await strict.call(calls.beginSecondFactor, { token, body: {} })).body;
      expect(
        (await strict.call(calls.confirmSecondFactor, { token, body: { code: nextCode(secret) } }))
          .status,
      ).toBe(200);
      const guess = async (network: number, code: string | undefined, headers = {}) => {
        const answer = await strict.server.inject({
          method: 'POST',
          url: login.path,
          remoteAddress: `198.18.0.${network}`,
          payload: { username: 'employee', password: demoPassword, ...(code ? { code } : {}) },
          headers,
        });
        return { status: answer.statusCode, error: (answer.json() as { error?: string }).error };
      };
      // Waits start at one second and double. The test sets the current one, so that it does not
      // depend on the speed of the machine.
      const hold = (seconds: number) =>
        strict.database
          .updateTable('sign_in_tries')
          .set({ wait_until: new Date(Date.now() + seconds * 1000) })
          .where('tries', '>', 4)
          .execute();
      const seen = [];
      for (let network = 1; network <= 8; network++) {
        seen.push((await guess(network, '000000')).error);
        expect((await guess(network, undefined)).error).toBe('SecondFactorRequired');
        if (network === 5) await hold(60);
      }
      expect(seen).toEqual([
        ...Array.from({ length: 5 }, () => 'SecondFactorWrong'),
        ...Array.from({ length: 3 }, () => 'TooManyRequests'),
      ]);
      // During the wait a correct code is refused too; otherwise the reply would reveal it.
      expect(await guess(9, nextCode(secret))).toEqual({ status: 429, error: 'TooManyRequests' });
      expect((await guess(10, codeOf(secret), { cookie })).status).toBe(200);
      // A correct password does not reset the count of wrong codes.
      await hold(-1);
      for (let round = 0; round < 3; round++)
        for (const code of ['111111', undefined]) await guess(20, code);
      await hold(60);
      expect((await guess(20, undefined)).status).toBe(429);
    } finally {
      await strict.close();
    }
  });
});

describe('a role that requires a second factor', () => {
  it('lets users sign in and set one up; until then every other call returns the reason', async () => {
    const token = await newToken('employee');
    const admin = await app.signIn('admin');
    const policy = await app.call(calls.changeSecondFactorPolicy, {
      token: admin,
      body: { roles: ['Employee', 'Employee'] },
    });
    expect(policy.body.roles).toEqual(['Employee']);
    expect(policy.body.standing.find(({ role }) => role === 'Employee')).toEqual({
      role: 'Employee',
      people: 6,
      withFactor: 0,
    });
    // An open session is restricted from its next call on.
    expect(await app.call(getRequestsCount, { token })).toMatchObject({
      status: 403,
      refused: { error: 'SecondFactorSetupRequired' },
    });
    const { status, body } = await signIn('employee');
    expect([status, decodeJwt(body.token).restriction]).toEqual([200, 'secondFactor']);
    for (const call of [
      getProfile,
      getRequestsCount,
      calls.newRecoveryCodes,
      calls.removeSecondFactor,
      getAllUsers,
    ])
      expect(
        await errorOf(app.call(call as never, { token: body.token, body: {} } as never)),
        call.name,
      ).toBe('SecondFactorSetupRequired');
    expect((await app.call(governmentAgencyCollection, { token: body.token })).status).toBe(200);

    expect((await app.call(calls.getSecondFactor, { token: body.token })).body).toMatchObject({
      isSet: false,
      isRequired: true,
      mustSetUp: true,
    });
    const { secret } = (await app.call(calls.beginSecondFactor, { token: body.token, body: {} }))
      .body;
    expect(
      (
        await app.call(calls.confirmSecondFactor, {
          token: body.token,
          body: { code: nextCode(secret) },
        })
      ).status,
    ).toBe(200);
    expect((await app.call(getRequestsCount, { token: body.token })).status).toBe(200);
    const renewed = (await app.call(refreshToken, { body: { token: body.token } })).body;
    expect(decodeJwt(renewed)).not.toHaveProperty('restriction');
    expect(
      await errorOf(
        app.call(calls.removeSecondFactor, {
          token: renewed,
          body: { password: demoPassword, code: nextCode(secret) },
        }),
      ),
    ).toBe('SecondFactorRequiredByRole');

    const after = await app.call(calls.changeSecondFactorPolicy, {
      token: admin,
      body: { roles: [] },
    });
    expect(after.body.standing.find(({ role }) => role === 'Employee')).toEqual({
      role: 'Employee',
      people: 6,
      withFactor: 1,
    });
    expect((await app.call(getRequestsCount, { token: await newToken('employee2') })).status).toBe(
      200,
    );
    const { body: log } = await app.call(getAuditEvents, {
      token: admin,
      query: { Kind: 'secondFactorPolicyChanged' },
    });
    expect(log.items.map(({ username, before, after: now }) => [username, before, now])).toEqual([
      ['admin', ['Employee'], []],
      ['admin', [], ['Employee']],
    ]);
  });

  it('counts a sign-in with UAE PASS as one, unless accounts of the lowest level may sign in', async () => {
    await requireOf('Employee');
    const token = await newToken('employee');
    await app.database
      .updateTable('sessions')
      .set({ is_uae_pass: true })
      .where('id', '=', String(decodeJwt(token).sid))
      .execute();
    expect((await app.call(getRequestsCount, { token })).status).toBe(200);
    expect((await app.call(calls.getSecondFactor, { token })).body).toMatchObject({
      isRequired: true,
      mustSetUp: false,
    });
    const low = await openTestApp({
      UAE_PASS_MINIMUM_LEVEL: 'SOP1',
      SECOND_FACTOR_ROLES: 'Employee, Admin',
    });
    const weak = await low.signIn('employee');
    await low.database.updateTable('sessions').set({ is_uae_pass: true }).execute();
    const { refused } = await low.call(getRequestsCount, { token: weak });
    await low.close();
    expect(refused.error).toBe('SecondFactorSetupRequired');
  });

  it('is set by admins only, for existing roles', async () => {
    const admin = await app.signIn('admin');
    for (const roles of [
      ['Client'],
      ['Emperor'],
      'Employee',
      [null],
      Array.from({ length: 9 }, () => 'Admin'),
    ])
      expect(
        (
          await app.call(calls.changeSecondFactorPolicy, {
            token: admin,
            body: { roles } as never,
          })
        ).status,
      ).toBe(400);
    for (const username of ['employee', 'supervisor', 'company', 'individual'])
      expect(
        (await app.callAs(username, calls.changeSecondFactorPolicy, { body: { roles: [] } }))
          .status,
      ).toBe(403);
  });
});

describe('removal', () => {
  it('requires the password and a code, and then the password is enough', async () => {
    const { secret, token } = await setUp('company');
    expect(
      await errorOf(
        app.call(calls.removeSecondFactor, { token, body: { code: nextCode(secret) } }),
      ),
    ).toBe('IncorrectPassword');
    expect(
      await errorOf(
        app.call(calls.removeSecondFactor, {
          token,
          body: { password: demoPassword, code: '000000' },
        }),
      ),
    ).toBe('SecondFactorWrong');
    expect(
      (
        await app.call(calls.removeSecondFactor, {
          token,
          body: { password: demoPassword, code: codeOf(secret) },
        })
      ).status,
    ).toBe(200);
    expect((await signIn('company')).status).toBe(200);
    expect(await app.database.selectFrom('recovery_codes').selectAll().execute()).toEqual([]);
    expect(await eventsOf('company')).toContain('secondFactorRemoved');
  });

  it('by an admin ends the sessions, and the audit log names the admin', async () => {
    const { token } = await setUp('employee');
    const admin = await app.signIn('admin');
    const find = async (username: string) =>
      (
        await app.call(getAllUsers, { token: admin, query: { SearchKeyword: username } })
      ).body.items.find((user) => user.username === username);
    const [employee, employee2, self] = [
      await find('employee'),
      await find('employee2'),
      await find('admin'),
    ];
    expect([employee?.hasSecondFactor, employee2?.hasSecondFactor]).toEqual([true, false]);
    expect(
      await errorOf(
        app.call(calls.resetSecondFactor, {
          token: admin,
          body: { userId: employee2?.id ?? '' },
        }),
      ),
    ).toBe('NotFound');
    expect(
      await errorOf(
        app.call(calls.resetSecondFactor, { token: admin, body: { userId: self?.id ?? '' } }),
      ),
    ).toBe('YouAreUnauthorized');
    expect(
      await errorOf(
        app.callAs('employee2', calls.resetSecondFactor, { body: { userId: employee?.id ?? '' } }),
      ),
    ).toBe('YouAreUnauthorized');
    expect(
      (
        await app.call(calls.resetSecondFactor, {
          token: admin,
          body: { userId: employee?.id ?? '' },
        })
      ).status,
    ).toBe(200);
    expect((await app.call(getProfile, { token })).status).toBe(401);
    expect((await signIn('employee')).status).toBe(200);
    expect((await eventsOf('employee')).slice(0, 3)).toEqual([
      'signedIn',
      'sessionEnded secondFactorReset',
      'secondFactorReset Aisha Al Demo',
    ]);
  });
});

it('works after a new key was put before the old one', async () => {
  const keyOf = (letter: string) => Buffer.alloc(32, letter).toString('base64');
  const [one, two] = [
    await openTestApp({ SECOND_FACTOR_KEY: keyOf('a') }),
    await openTestApp({ SECOND_FACTOR_KEY: `${keyOf('b')},${keyOf('a')}` }),
  ];
  try {
    const token = await one.signIn('admin');
    const { secret } = (await one.call(calls.beginSecondFactor, { token, body: {} })).body;
    const { recoveryCodes } = (
      await one.call(calls.confirmSecondFactor, { token, body: { code: nextCode(secret) } })
    ).body;
    // The same rows with the other keys. The demo users of the second database have other ids, so
    // they are copied too.
    const id = await one.idOf('admin');
    const other = await two.database
      .selectFrom('users')
      .select('id')
      .where('username', '=', 'admin')
      .executeTakeFirstOrThrow();
    expect(other.id).toBe(id);
    await two.database
      .insertInto('second_factors')
      .values(await one.database.selectFrom('second_factors').selectAll().execute())
      .execute();
    await two.database
      .insertInto('recovery_codes')
      .values(await one.database.selectFrom('recovery_codes').selectAll().execute())
      .execute();
    for (const code of [nextCode(secret), recoveryCodes[3] ?? ''])
      expect(
        (await two.call(login, { body: { username: 'admin', password: demoPassword, code } }))
          .status,
      ).toBe(200);
  } finally {
    await one.close();
    await two.close();
  }
});
