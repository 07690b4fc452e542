import { decodeJwt } from 'jose';
import { afterEach, describe, expect, it } from 'vitest';
import { buildApp } from '#app.ts';
import { sql } from '#platform/database/sql.ts';
import { payPro } from '#platform/integrations/paypro.ts';
import { httpMailGateway } from '#platform/messages/mail.ts';
import { httpSmsGateway } from '#platform/messages/sms.ts';
import { demoPassword } from '#seed/seed.ts';
import { demoPasswordHash } from '#testing/demo-password-hash.ts';
import { listenTo } from '#testing/hub-client.ts';
import { waitForCodeTo, waitForMessageTo } from '#testing/sent-messages.ts';
import { useTestApp } from '#testing/test-app.ts';
import { resetPassword } from '@diwan/contract/people/accounts';
import { getAuditEvents } from '@diwan/contract/people/audit';
import { getChanges } from '@diwan/contract/people/changes';
import { getProfile, login } from '@diwan/contract/people/users';
import * as calls from '@diwan/contract/staff/user-administration';
import type { GrantedRole } from '@diwan/contract/wire/call';

const app = useTestApp();
let made = 0;

interface NewUser {
  roles?: string[];
  partnerId?: number;
  companyId?: number;
}

async function insert({ roles = [], partnerId, companyId }: NewUser = {}) {
  const username = `person${(made += 1)}`;
  return app.database
    .insertInto('users')
    .values({
      username,
      password_hash: demoPasswordHash,
      full_name: `Person ${made}`,
      phone_number: '+971501112223',
      email: `${username}@mail.example`,
      email_verified_at: new Date(),
      roles,
      all_agencies: roles.length > 0,
      company_id: companyId ?? null,
      partner_id: partnerId ?? null,
    })
    .returning(['id', 'username', 'version'])
    .executeTakeFirstOrThrow();
}

const signIn = async (username: string) =>
  (await app.call(login, { body: { username, password: demoPassword } })).body.token;
const idOf = (username: string) => app.idOf(username);
const read = async (userId: string) =>
  (await app.callAs('admin', calls.getUserById, { query: { UserId: userId } })).body;
const suspend = async ({ id: userId, version }: { id: string; version: number }, token?: string) =>
  app.call(calls.suspendUser, {
    token: token ?? (await app.signIn('admin')),
    body: { userId, version, reason: 'Left the office' },
  });
const changeRoles = async (
  user: { id: string; version: number },
  roles: GrantedRole[],
  { partnerId, token }: { partnerId?: number; token?: string } = {},
) =>
  app.call(calls.changeUserRoles, {
    token: token ?? (await app.signIn('admin')),
    body: { userId: user.id, version: user.version, roles, partnerId },
  });

describe('a suspended user', () => {
  it('is signed out everywhere immediately, in all processes, and can work again after it', async () => {
    const user = await insert({ roles: ['Employee'] });
    const token = await signIn(user.username);
    // Another application on the same database, like another process.
    const other = await buildApp(app.config, app.serverDatabase, 'http://localhost:3000', {
      paymentProviders: new Map([['paypro', payPro({ url: app.sandboxUrl, key: 'x'.repeat(16) })]]),
      sms: httpSmsGateway(app.sandboxUrl, 'x'.repeat(16)),
      mail: httpMailGateway(app.sandboxUrl, 'x'.repeat(16)),
    });
    const base = await other.listen({ port: 0, host: '127.0.0.1' });
    const listener = await listenTo({ url: `${base}/hubs/request`, token });
    const began = Date.now();
    const { status, body } = await suspend(user);
    expect([status, body.isSuspended, body.suspensionReason]).toEqual([
      200,
      true,
      'Left the office',
    ]);
    expect(body.allowedActions).toContain('restore');
    await listener.closed;
    // The regular check of a connection is every 15 seconds.
    expect(Date.now() - began).toBeLessThan(5000);
    await other.close();
    expect((await app.call(getProfile, { token })).status).toBe(401);
    expect(
      (await app.call(login, { body: { username: user.username, password: demoPassword } })).refused
        .error,
    ).toBe('AccountSuspended');
    expect((await waitForMessageTo(app, `${user.username}@mail.example`)).body).toContain(
      user.username,
    );

    const restored = await app.callAs('admin', calls.restoreUser, {
      body: { userId: user.id, version: body.version },
    });
    expect([restored.status, restored.body.isSuspended]).toEqual([200, false]);
    expect((await app.call(getProfile, { token })).status).toBe(401);
    expect((await app.call(getProfile, { token: await signIn(user.username) })).status).toBe(200);
    const { items } = (
      await app.callAs('admin', getChanges, { query: { Entity: 'user', EntityId: user.id } })
    ).body;
    expect(items.map(({ fields }) => fields.map(({ after }) => after))).toEqual([
      ['active', null],
      ['suspended', 'Left the office'],
    ]);
  });

  it('cannot be the caller, and is suspended once', async () => {
    const admin = await read(await idOf('admin'));
    expect((await suspend(admin)).refused.error).toBe('NotOnOwnAccount');
    expect(admin.allowedActions).not.toContain('suspend');
    const user = await insert();
    const both = await Promise.all([suspend(user), suspend(user)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect(both.find(({ status }) => status === 400)?.refused.error).toBe('RecordHasChanged');
    expect((await suspend({ id: '00000000-0000-4000-8000-000000000000', version: 1 })).status).toBe(
      404,
    );
  });
});

describe('the last administrator', () => {
  afterEach(async () => {
    await app.database
      .updateTable('users')
      .set({ roles: ['Admin'], all_agencies: true, suspended_at: null })
      .where('username', '=', 'admin')
      .execute();
  });

  it('keeps the role', async () => {
    const admin = await read(await idOf('admin'));
    expect((await changeRoles(admin, ['Employee'])).refused.error).toBe('LastAdministrator');
    // One who cannot sign in does not count.
    const suspended = await insert({ roles: ['Admin'] });
    await suspend(suspended);
    expect((await changeRoles(admin, [])).refused.error).toBe('LastAdministrator');
  });

  it('remains when two administrators remove each other at the same moment', async () => {
    for (const attack of ['roles', 'suspension'] as const) {
      const [one, two] = [await insert({ roles: ['Admin'] }), await insert({ roles: ['Admin'] })];
      const tokens = [await signIn(one.username), await signIn(two.username)];
      await app.database
        .updateTable('users')
        .set({ suspended_at: new Date() })
        .where('username', '=', 'admin')
        .execute();
      const act = (user: typeof one, token: string | undefined) =>
        attack === 'roles' ? changeRoles(user, [], { token: token! }) : suspend(user, token);
      const answers = await Promise.all([act(two, tokens[0]), act(one, tokens[1])]);
      expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(
        1,
      );
      const left = await app.database
        .selectFrom('users')
        .select('id')
        .where('id', 'in', [one.id, two.id])
        .where('suspended_at', 'is', null)
        .where(sql<boolean>`'Admin' = any(roles)`)
        .execute();
      expect(left).toHaveLength(1);
      await app.database
        .updateTable('users')
        .set({ suspended_at: null })
        .where('username', '=', 'admin')
        .execute();
      await app.database
        .updateTable('users')
        .set({ suspended_at: new Date() })
        .where('id', 'in', [one.id, two.id])
        .execute();
    }
  });
});

it('two administrators who remove each other at the same moment do not both succeed', async () => {
  const roles = ['Admin'];
  for (const attack of ['roles', 'suspension', 'roles', 'suspension'] as const) {
    const [one, two] = [await insert({ roles }), await insert({ roles })];
    const tokens = [await signIn(one.username), await signIn(two.username)];
    const act = (user: typeof one, token: string | undefined) =>
      attack === 'roles' ? changeRoles(user, [], { token: token! }) : suspend(user, token);
    const answers = await Promise.all([act(two, tokens[0]), act(one, tokens[1])]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  }
});

describe('roles', () => {
  it('are given and taken with their partner, immediately, and are recorded', async () => {
    const user = await insert();
    const token = await signIn(user.username);
    expect((await app.call(calls.getAllUsers, { token, query: {} })).status).toBe(403);
    const employee = (await changeRoles(user, ['Employee', 'Admin'])).body;
    expect(employee.roles).toEqual(['Admin', 'Employee']);
    expect((await app.call(calls.getAllUsers, { token, query: {} })).status).toBe(200);
    const { partner_id: partnerId } = await app.database
      .selectFrom('users')
      .select('partner_id')
      .where('username', '=', 'supervisor2')
      .executeTakeFirstOrThrow();
    const supervisor = (await changeRoles(employee, ['ServiceProvider'], { partnerId: partnerId! }))
      .body;
    expect(supervisor).toMatchObject({
      roles: ['ServiceProvider'],
      partner: { id: partnerId },
      version: 3,
    });
    const { items } = (
      await app.callAs('admin', getChanges, { query: { Entity: 'user', EntityId: user.id } })
    ).body;
    expect(items[0]).toMatchObject({
      username: 'admin',
      action: 'changed',
      fields: [
        { field: 'roles', before: '["Admin","Employee"]', after: '["ServiceProvider"]' },
        { field: 'partnerId', before: null, after: partnerId },
        { field: 'allAgencies', before: true, after: false },
      ],
    });
  });

  it('are refused where they make no sense', async () => {
    const [user, company] = [
      await insert(),
      await insert({ companyId: 1, roles: ['CompanyUser'] }),
    ];
    const supervisor = await read(await idOf('supervisor'));
    const cases: [Promise<{ status: number; refused: object }>, object][] = [
      [changeRoles(user, ['ServiceProvider']), { errors: { partnerId: [expect.any(String)] } }],
      [
        changeRoles(user, ['ServiceProvider'], { partnerId: 2_000_000_000 }),
        { errors: { partnerId: [expect.any(String)] } },
      ],
      [
        changeRoles(user, ['ServiceProvider', 'Employee'], { partnerId: 1 }),
        { errors: { roles: [expect.any(String)] } },
      ],
      [changeRoles(company, ['Employee']), { error: 'AccountCannotHaveRoles' }],
      [
        changeRoles(await read(await idOf('individual')), ['Employee']),
        { error: 'AccountCannotHaveRoles' },
      ],
      [changeRoles({ ...user, version: 7 }, ['Employee']), { error: 'RecordHasChanged' }],
      [changeRoles(supervisor, []), { error: 'ProviderNeedsSupervisor' }],
    ];
    for (const [answer, refused] of cases) {
      const { status, refused: given } = await answer;
      expect(status).toBe(400);
      expect(given).toMatchObject(refused);
    }
    expect(await read(user.id)).toMatchObject({ roles: ['Client'], version: 1 });
  });
});

describe('sessions of a user', () => {
  it('are listed and ended, one or all', async () => {
    const user = await insert({ roles: ['Employee'] });
    const tokens = [await signIn(user.username), await signIn(user.username)];
    const list = async () =>
      (await app.callAs('admin', calls.getUserSessions, { query: { UserId: user.id } })).body;
    expect(await list()).toHaveLength(2);
    const end = async (sessionId?: string) =>
      app.callAs('admin', calls.endUserSessions, { body: { userId: user.id, sessionId } });
    const first = String(decodeJwt(tokens[0] ?? '').sid);
    expect((await end(first)).body).toEqual({ ended: 1 });
    expect((await end(first)).status).toBe(404);
    // A session of another user is not found.
    expect((await end(String(decodeJwt(await app.signIn('employee2')).sid))).status).toBe(404);
    expect(
      await Promise.all(
        tokens.map(async (token) => (await app.call(getProfile, { token })).status),
      ),
    ).toEqual([401, 200]);
    expect((await end()).body).toEqual({ ended: 1 });
    expect((await app.call(getProfile, { token: tokens[1] ?? '' })).status).toBe(401);
    const { items } = (
      await app.callAs('admin', getAuditEvents, { query: { Username: user.username } })
    ).body;
    expect(items[0]).toMatchObject({
      kind: 'sessionEnded',
      reason: 'endedByAdministrator',
      by: expect.any(String),
    });
  });
});

describe('a code for a new password', () => {
  it('goes to the verified address and sets the password', async () => {
    const user = await insert();
    const send = () => app.callAs('admin', calls.sendPasswordCode, { body: { userId: user.id } });
    expect((await send()).body).toEqual({ sent: true });
    const code = await waitForCodeTo(app, `${user.username}@mail.example`);
    expect((await waitForMessageTo(app, `${user.username}@mail.example`)).body).toContain(
      `/account/forgot-password#${user.username}`,
    );
    expect((await send()).refused.error).toBe('TooManyRequests');
    const newPassword = 'Quiet-Lanterns-7042!';
    expect(
      (
        await app.call(resetPassword, {
          body: { account: user.username, code, newPassword, confirmNewPassword: newPassword },
        })
      ).status,
    ).toBe(200);
  });

  it('is not sent without a password or a verified address', async () => {
    const [user, other] = [await insert(), await insert()];
    await app.database
      .updateTable('users')
      .set({ password_hash: null })
      .where('id', '=', user.id)
      .execute();
    await app.database
      .updateTable('users')
      .set({ email_verified_at: null })
      .where('id', '=', other.id)
      .execute();
    for (const { id } of [user, other]) {
      expect(
        (await app.callAs('admin', calls.sendPasswordCode, { body: { userId: id } })).refused.error,
      ).toBe('PasswordCodeNotPossible');
      expect((await read(id)).allowedActions).not.toContain('sendPasswordCode');
    }
  });
});
