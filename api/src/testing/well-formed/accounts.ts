import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import { Secret, TOTP } from 'otpauth';
import { demoPassword } from '#seed/seed.ts';
import { forgotPassword, sendVerificationCode } from '@diwan/contract/people/accounts';
import { sendActingCode } from '@diwan/contract/people/acting';
import { beginSecondFactor, confirmSecondFactor } from '@diwan/contract/people/second-factor';
import { beginUAEPass, login, uaePassIntegration } from '@diwan/contract/people/users';
import { demoPasswordHash } from '../demo-password-hash.ts';
import { waitForCodeTo } from '../sent-messages.ts';
import type { TestApp } from '../test-app.ts';
import type { Parts, Person, WellFormed } from './call.ts';

const password = 'Quiet-Lanterns-7042!';
const someone: Person = 'individual';

/** Creates an account that is not a demo account. */
export async function insertSpareUser(
  app: TestApp,
  username: string,
  company?: number,
): Promise<string> {
  const { id } = await app.database
    .insertInto('users')
    .values({
      username,
      password_hash: demoPasswordHash,
      full_name: 'Spare Person',
      phone_number: '+971509998877',
      email: `${username}@mail.example`,
      roles: company ? ['CompanyUser'] : [],
      company_id: company ?? null,
      partner_id: null,
      email_verified_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Adds an administrator of long standing and signs in. */
export async function insertSpareAdmin(app: TestApp, username: string) {
  const id = await insertSpareUser(app, username);
  await app.database
    .updateTable('users')
    .set({ roles: ['Admin'], all_agencies: true })
    .where('id', '=', id)
    .execute();
  const { body } = await app.call(login, { body: { username, password: demoPassword } });
  return { id, username, token: body.token };
}

/** Calls about accounts, sign-ins and second factors. */
export function wellFormedAccounts(app: TestApp): Record<string, WellFormed> {
  let made = 0;
  const fresh = (word: string) => `${word}${(made += 1)}`;
  const spare = () => insertSpareUser(app, fresh('spare'));
  /** An employee of the first agency, at version 2. */
  const spareClerk = async () => {
    const id = await spare();
    await app.database
      .updateTable('users')
      .set({ roles: ['Employee'] })
      .where('id', '=', id)
      .execute();
    await app.database.insertInto('staff_agencies').values({ user_id: id, agency_id: 1 }).execute();
    return id;
  };
  /** An invitation that was sent to an employee. */
  async function inviteClerk(): Promise<{ id: string; token: string }> {
    const token = randomUUID();
    const { id } = await app.database
      .insertInto('staff_invitations')
      .values({
        email: `${fresh('guest')}@mail.example`,
        full_name: 'New Clerk',
        roles: ['Employee'],
        agency_ids: [1],
        language: 'en-US',
        token_hash: createHash('sha256').update(token).digest('hex'),
        expires_at: new Date(Date.now() + 86_400_000),
        invited_by: await idOf('admin'),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { id, token };
  }
  const newToken = async (username: string) =>
    (await app.call(login, { body: { username, password: demoPassword } })).body.token;
  const idOf = (username: string) => app.idOf(username);

  async function codeFor(address: string, token?: string): Promise<string> {
    await app.call(sendVerificationCode, {
      body: { channel: 'email', address, purpose: token ? 'contact' : 'register' },
      ...(token ? { token } : {}),
    });
    return waitForCodeTo(app, address);
  }
  /** A browser that returned from UAE PASS, with its code and state. */
  async function returnFromUAEPass(
    persona: string,
  ): Promise<{ cookie: string; query: Record<string, string> }> {
    const out = await app.server.inject({ method: 'GET', url: beginUAEPass.path });
    const at = new URL(String(out.headers.location));
    const decided = await fetch(`${app.sandboxUrl}${at.pathname}${at.search}`, {
      method: 'POST',
      body: new URLSearchParams({ decision: 'approve', persona }),
      redirect: 'manual',
    });
    return {
      cookie: String(out.headers['set-cookie']).split(';')[0] ?? '',
      query: Object.fromEntries(new URL(decided.headers.get('location') ?? '').searchParams),
    };
  }
  /** A browser that is asked whether to link an account with the same typed Emirates ID. */
  async function reachLinkQuestion(): Promise<string> {
    await app.database
      .updateTable('users')
      .set({ typed_emirates_id: '784-1900-0000101-7', emirates_id: null })
      .where('username', '=', 'individual2')
      .execute();
    const { cookie, query } = await returnFromUAEPass('imran');
    await app.server.inject({
      method: 'GET',
      url: uaePassIntegration.path,
      query,
      headers: { cookie },
    });
    return cookie;
  }
  // A code is accepted once, so the code of half a minute ago confirms the factor.
  const codeOf = (secret: string, age = 0) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() - age });
  async function beginFactor(as: Person): Promise<string> {
    // Waits at the end of a half minute: otherwise the codes would be outdated when they arrive.
    const left = 30_000 - (Date.now() % 30_000);
    if (left < 3000) await sleep(left);
    return (await app.call(beginSecondFactor, { token: await app.signIn(as), body: {} })).body
      .secret;
  }
  async function setFactor(as: Person): Promise<string> {
    const secret = await beginFactor(as);
    await app.call(confirmSecondFactor, {
      token: await app.signIn(as),
      body: { code: codeOf(secret, 30_000) },
    });
    return secret;
  }
  /** A call that makes sense for signed-in users only. */
  const ifSignedIn = (make: (as: Person) => Promise<Parts>, otherwise: Parts): WellFormed => ({
    make: (as) => (as === 'anonymous' ? otherwise : make(as)),
  });
  const inBody = (body: Record<string, unknown>): WellFormed => ({ make: () => ({ body }) });

  return {
    login: inBody({ username: someone, password: demoPassword }),
    refreshToken: { make: async () => ({ body: { token: await newToken(someone) } }) },
    logout: { make: () => ({}) },
    getProfile: { make: () => ({}) },
    getSessions: { make: () => ({}) },
    endSessions: {
      owner: someone,
      make: async (as) => ({
        body: {
          sessionId: String(decodeJwt(await newToken(as === 'anonymous' ? someone : as)).sid),
        },
      }),
    },
    changeUserPassword: inBody({
      oldPassword: demoPassword,
      newPassword: password,
      confirmNewPassword: password,
    }),
    changeSupervisorLanguage: {
      owner: 'supervisor',
      make: async (as) => ({
        body: {
          SupervisorId: await idOf(as.startsWith('supervisor') ? as : 'supervisor'),
          Language: 'ur-PK',
        },
      }),
    },
    sendVerificationCode: {
      make: () => ({
        body: { channel: 'email', address: `${fresh('new')}@mail.example`, purpose: 'register' },
      }),
    },
    'sendVerificationCode (for an own address)': {
      make: () => ({
        body: { channel: 'email', address: `${fresh('own')}@mail.example`, purpose: 'contact' },
      }),
    },
    changeContact: ifSignedIn(
      async (as) => {
        const address = `${fresh('contact')}@mail.example`;
        return {
          body: {
            channel: 'email',
            address,
            code: await codeFor(address, await app.signIn(as)),
            password: demoPassword,
          },
        };
      },
      {
        body: {
          channel: 'email',
          address: 'a@mail.example',
          code: '123456',
          password: demoPassword,
        },
      },
    ),
    createUser: {
      make: async () => {
        const username = fresh('person');
        const email = `${username}@mail.example`;
        return {
          body: {
            username,
            password,
            confirmPassword: password,
            fullName: 'Noor Al Test',
            email,
            phoneNumber: '0506012345',
            verification: { channel: 'email', code: await codeFor(email) },
          },
        };
      },
    },
    getSetupState: { make: () => ({}) },
    setUpPortal: inBody({
      code: 'ABCD-EFGH-2345-6789',
      username: fresh('first'),
      password,
      confirmPassword: password,
      fullName: 'Noor Al Test',
      email: 'first@mail.example',
      phoneNumber: '0506012345',
    }),
    forgotPassword: inBody({ account: someone }),
    resetPassword: {
      make: async () => {
        const account = fresh('forgetful');
        await insertSpareUser(app, account);
        await app.call(forgotPassword, { body: { account } });
        return {
          body: {
            account,
            code: await waitForCodeTo(app, `${account}@mail.example`),
            newPassword: password,
            confirmNewPassword: password,
          },
        };
      },
    },
    checkUAEPassEnabled: { make: () => ({}) },
    beginUAEPass: { make: () => ({ query: { ui_locales: 'ar' } }) },
    uaePassIntegration: { make: () => returnFromUAEPass('sara') },
    linkUAEPass: {
      make: async () => ({
        cookie: await reachLinkQuestion(),
        body: { username: 'individual2', password: demoPassword },
      }),
    },
    declineUAEPassLink: { make: async () => ({ cookie: await reachLinkQuestion() }) },
    getSecondFactor: { make: () => ({}) },
    beginSecondFactor: inBody({}),
    confirmSecondFactor: ifSignedIn(
      async (as) => ({ body: { code: codeOf(await beginFactor(as)) } }),
      { body: { code: '123456' } },
    ),
    newRecoveryCodes: ifSignedIn(async (as) => ({ body: { code: codeOf(await setFactor(as)) } }), {
      body: { code: '123456' },
    }),
    removeSecondFactor: ifSignedIn(
      async (as) => ({ body: { password: demoPassword, code: codeOf(await setFactor(as)) } }),
      { body: { password: demoPassword, code: '123456' } },
    ),
    resetSecondFactor: {
      owner: 'employee',
      make: async () => {
        await setFactor('employee');
        return { body: { userId: await idOf('employee') } };
      },
    },
    getSecondFactorPolicy: { make: () => ({}) },
    changeSecondFactorPolicy: inBody({ roles: [] }),
    getAllUsers: { make: () => ({}) },
    getUserById: { make: async () => ({ query: { UserId: await spareClerk() } }) },
    getUserSessions: { make: async () => ({ query: { UserId: await idOf('employee2') } }) },
    endUserSessions: { make: async () => ({ body: { userId: await spare() } }) },
    suspendUser: {
      make: async () => ({
        body: { userId: await spareClerk(), version: 2, reason: 'Left the office' },
      }),
    },
    restoreUser: {
      make: async () => {
        const userId = await spareClerk();
        await app.database
          .updateTable('users')
          .set({ suspended_at: new Date() })
          .where('id', '=', userId)
          .execute();
        return { body: { userId, version: 3 } };
      },
    },
    changeUserRoles: {
      make: async () => ({
        body: { userId: await spareClerk(), version: 2, roles: ['Employee'], agencyIds: [1] },
      }),
    },
    sendPasswordCode: { make: async () => ({ body: { userId: await spare() } }) },
    getStaffInvitations: { make: () => ({}) },
    inviteStaff: {
      make: () => ({
        body: {
          email: `${fresh('guest')}@mail.example`,
          fullName: 'New Clerk',
          roles: ['Employee'],
          agencyIds: [1],
        },
      }),
    },
    resendStaffInvitation: {
      make: async () => ({ body: { invitationId: (await inviteClerk()).id } }),
    },
    cancelStaffInvitation: {
      make: async () => ({ body: { invitationId: (await inviteClerk()).id } }),
    },
    readStaffInvitation: { make: async () => ({ body: { token: (await inviteClerk()).token } }) },
    acceptStaffInvitation: { make: async () => ({ body: { token: (await inviteClerk()).token } }) },
    joinStaff: {
      make: async () => ({
        body: {
          token: (await inviteClerk()).token,
          username: fresh('clerk'),
          fullName: 'New Clerk',
          phoneNumber: '050 123 4567',
          password,
          confirmPassword: password,
        },
      }),
    },
    getRoleConfirmation: { make: () => ({}) },
    changeRoleConfirmation: inBody({ isRequired: false }),
    decideRoleChange: {
      make: async () => {
        await app.database.deleteFrom('role_changes').execute();
        const { id } = await app.database
          .insertInto('role_changes')
          .values({ kind: 'confirmationOff', asked_by: await spare() })
          .returning('id')
          .executeTakeFirstOrThrow();
        return { body: { changeId: id, decision: 'refuse' } };
      },
    },
    getAuditEvents: { make: () => ({}) },
    getChanges: { make: () => ({}) },
    getAuditLog: { make: () => ({}) },
    exportAuditLog: { make: () => ({ query: { Format: 'jsonl' } }) },
  };
}

/** Calls about helping a person at a counter; each is about a new person. */
export function wellFormedActing(app: TestApp): Record<string, WellFormed> {
  let made = 0;
  async function visitor(): Promise<string> {
    const username = `visitor${(made += 1)}`;
    await insertSpareUser(app, username);
    return username;
  }
  async function begin(as: Person): Promise<Parts> {
    const name = await visitor();
    const isClerk = ['employee', 'employee-moi', 'admin'].includes(as);
    if (isClerk)
      await app.call(sendActingCode, {
        token: await app.signIn(as),
        body: { name, channel: 'email' },
      });
    return {
      body: {
        name,
        channel: 'email',
        code: isClerk ? await waitForCodeTo(app, `${name}@mail.example`) : '123456',
      },
    };
  }
  return {
    findPerson: { make: async () => ({ body: { name: await visitor() } }) },
    sendActingCode: { make: async () => ({ body: { name: await visitor(), channel: 'email' } }) },
    beginActing: { make: begin },
    endActing: { make: () => ({ body: {} }) },
  };
}
