import { beforeEach, describe, expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { demoPassword } from '#seed/seed.ts';
import { waitForMessageTo } from '#testing/sent-messages.ts';
import { useTestApp } from '#testing/test-app.ts';
import { insertSpareUser } from '#testing/well-formed/accounts.ts';
import { getChanges } from '@diwan/contract/people/changes';
import { getProfile, login } from '@diwan/contract/people/users';
import * as changes from '@diwan/contract/staff/role-changes';
import * as invitations from '@diwan/contract/staff/staff-invitations';
import {
  changeUserRoles,
  getUserById,
  suspendUser,
} from '@diwan/contract/staff/user-administration';
import type { GrantedRole } from '@diwan/contract/wire/call';

const app = useTestApp();
let made = 0;
const password = 'Quiet-Lanterns-7042!';
const signIn = async (username: string) =>
  (await app.call(login, { body: { username, password: demoPassword } })).body.token;

/** An account with roles; its version is 2. */
async function insert(...roles: GrantedRole[]) {
  const username = `staff${(made += 1)}`;
  const id = await insertSpareUser(app, username);
  if (roles.length > 0)
    await app.database
      .updateTable('users')
      .set({ roles, all_agencies: true })
      .where('id', '=', id)
      .execute();
  return { id, username, token: await signIn(username) };
}

async function invite(
  {
    roles = ['Employee'] as GrantedRole[],
    partnerId,
  }: {
    roles?: GrantedRole[];
    partnerId?: number;
  } = {},
  token?: string,
) {
  const email = `invited${(made += 1)}@mail.example`;
  const answer = await app.call(invitations.inviteStaff, {
    token: token ?? (await app.signIn('admin')),
    body: { email: email.toUpperCase(), fullName: 'Salma Al Demo', roles, partnerId },
  });
  return { email, answer, invitation: answer.body.find?.((each) => each.email === email) };
}
const linkTo = async (email: string, count = 1) =>
  /#([\w-]{40,})/.exec((await waitForMessageTo(app, email, count)).body)?.[1] ?? '';
const join = (token: string, more: object = {}) =>
  app.call(invitations.joinStaff, {
    body: {
      token,
      username: `salma.demo${(made += 1)}`,
      fullName: 'Salma Al Demo',
      phoneNumber: '050 123 4567',
      password,
      confirmPassword: password,
      ...more,
    },
  });

describe('an invitation of staff', () => {
  it('makes an account with the invited roles, once', async () => {
    const { email, invitation } = await invite({ roles: ['Employee', 'Admin'] });
    expect(invitation).toMatchObject({ state: 'sent', roles: ['Admin', 'Employee'] });
    const token = await linkTo(email);
    expect(
      (await app.call(invitations.readStaffInvitation, { body: { token } })).body,
    ).toMatchObject({ email, fullName: 'Salma Al Demo', roles: ['Admin', 'Employee'] });
    expect((await join(token, { password: 'short', confirmPassword: 'short' })).status).toBe(400);
    expect((await join(token, { username: 'admin' })).refused.error).toBe('UsernameTaken');
    const answers = await Promise.all([join(token), join(token)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const joined = answers.find(({ status }) => status === 200);
    expect((await app.call(getProfile, { token: joined!.body.token })).body).toMatchObject({
      roles: ['Admin', 'Employee'],
      email,
      isEmailVerified: true,
      phoneNumber: '+971501234567',
    });
    expect((await join(token)).refused.error).toBe('InvitationNotValid');
    const stored =
      await sql`select from staff_invitations where token_hash like ${`%${token}%`}`.execute(
        app.database,
      );
    expect(stored.rows).toHaveLength(0);
  });

  it('is accepted by an account that is signed in, which has done nothing else', async () => {
    const partner = await app.database
      .selectFrom('partners')
      .select('id')
      .where('state', '=', 'active')
      .executeTakeFirstOrThrow();
    const { email } = await invite({ roles: ['ServiceProvider'], partnerId: partner.id });
    const token = await linkTo(email);
    const accept = (as: string) =>
      app.call(invitations.acceptStaffInvitation, { token: as, body: { token } });
    for (const username of ['employee', 'company', 'individual', 'supervisor'])
      expect((await accept(await app.signIn(username))).refused.error, username).toBe(
        'AccountCannotAcceptInvitation',
      );
    const client = await insert();
    expect((await accept(client.token)).body).toEqual({ accepted: true });
    expect((await app.call(getProfile, { token: client.token })).body).toMatchObject({
      roles: ['ServiceProvider'],
      partner: { id: partner.id },
      email,
    });
  });

  it('is sent again, replaced, cancelled, and expires', async () => {
    const { email, invitation } = await invite();
    const first = await linkTo(email);
    const act = async (call: typeof invitations.resendStaffInvitation, id: string) =>
      app.callAs('admin', call, { body: { invitationId: id } });
    expect((await act(invitations.resendStaffInvitation, invitation!.invitationId)).status).toBe(
      200,
    );
    const second = await linkTo(email, 2);
    expect((await join(first)).refused.error).toBe('InvitationNotValid');
    await app.database
      .updateTable('staff_invitations')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('email', '=', email)
      .execute();
    expect((await join(second)).refused.error).toBe('InvitationNotValid');
    const list = (await app.callAs('admin', invitations.getStaffInvitations)).body;
    expect(list.find((each) => each.email === email)?.state).toBe('expired');
    const cancelled = await act(
      invitations.cancelStaffInvitation as never,
      invitation!.invitationId,
    );
    expect((cancelled.body as typeof list).some((each) => each.email === email)).toBe(false);
    expect((await act(invitations.resendStaffInvitation, invitation!.invitationId)).status).toBe(
      404,
    );
  });

  it('is refused for an address with an account, without roles or a name, or with a wrong partner', async () => {
    const send = (body: object) =>
      app.callAs('admin', invitations.inviteStaff, {
        body: { email: 'new@mail.example', fullName: 'New', roles: ['Employee'], ...body },
      } as never);
    const { username } = await insert();
    expect((await send({ email: `${username}@mail.example` })).refused.error).toBe(
      'AddressHasAccount',
    );
    for (const [body, field] of [
      [{ roles: [] }, 'roles'],
      [{ fullName: ' ' }, 'fullName'],
      [{ email: 'nobody' }, 'email'],
      [{ roles: ['ServiceProvider'] }, 'partnerId'],
      [{ roles: ['ServiceProvider'], partnerId: 2_000_000_000 }, 'partnerId'],
    ] as const)
      expect(Object.keys((await send(body)).refused.errors ?? {}), field).toEqual([field]);
  });
});

describe('the rule of a second admin', () => {
  const require = async (isRequired: boolean, token?: string) =>
    app.call(changes.changeRoleConfirmation, {
      token: token ?? (await app.signIn('admin')),
      body: { isRequired },
    });
  const decide = (changeId: string, decision: 'confirm' | 'refuse' | 'withdraw', token: string) =>
    app.call(changes.decideRoleChange, { token, body: { changeId, decision } });
  const change = async (user: { id: string }, roles: GrantedRole[], token?: string) =>
    app.call(changeUserRoles, {
      token: token ?? (await app.signIn('admin')),
      body: { userId: user.id, version: await versionOf(user), roles },
    });
  const versionOf = async ({ id }: { id: string }) =>
    (await app.callAs('admin', getUserById, { query: { UserId: id } })).body.version;
  const pending = async () => (await app.callAs('admin', changes.getRoleConfirmation)).body.pending;

  beforeEach(async () => {
    await app.database.deleteFrom('role_changes').execute();
    await app.database.deleteFrom('settings').execute();
    await app.database
      .updateTable('users')
      .set({ roles: [] })
      .where('username', 'like', 'staff%')
      .where('roles', '!=', sql<string[]>`'{}'`)
      .where('partner_id', 'is', null)
      .execute();
    await app.database
      .updateTable('users')
      .set({ roles: [] })
      .where('username', 'like', 'salma%')
      .execute();
  });

  it('needs two admins', async () => {
    expect((await require(true)).refused.error).toBe('TwoAdministratorsNeeded');
    const other = await insert('Admin');
    expect((await require(true)).body).toMatchObject({ isRequired: true, adminsCount: 2 });
    // Of two, nobody can be removed.
    expect(
      (
        await app.callAs('admin', suspendUser, {
          body: { userId: other.id, version: await versionOf(other), reason: 'x' },
        })
      ).refused.error,
    ).toBe('TwoAdministratorsNeeded');
  });

  it('stores new roles until another admin confirms them, never the one who asked', async () => {
    const [other, user] = [await insert('Admin'), await insert()];
    await require(true);
    const { body } = await change(user, ['Employee']);
    expect(body).toMatchObject({ roles: ['Client'], pendingRoles: { roles: ['Employee'] } });
    expect((await change(user, ['Admin'], other.token)).refused.error).toBe('ChangeIsPending');
    const [asked] = await pending();
    expect(asked).toMatchObject({ kind: 'roles', userId: user.id, isMine: true });
    const admin = await app.signIn('admin');
    for (const decision of ['confirm', 'refuse'] as const)
      expect((await decide(asked!.changeId, decision, admin)).refused.error).toBe('NotOnOwnChange');
    expect((await decide(asked!.changeId, 'withdraw', other.token)).refused.error).toBe(
      'NotOnOwnChange',
    );
    const both = await Promise.all(
      [1, 2].map(() => decide(asked!.changeId, 'confirm', other.token)),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    expect((await app.call(getProfile, { token: user.token })).body.roles).toEqual(['Employee']);
    const { items } = (
      await app.callAs('admin', getChanges, { query: { Entity: 'user', EntityId: user.id } })
    ).body;
    expect(items.map(({ action, username }) => [action, username])).toEqual([
      ['confirmed', other.username],
      ['requested', 'admin'],
    ]);
  });

  it('is not held by an admin whom the asker made one, who can only refuse', async () => {
    const [other, user] = [await insert('Admin'), await insert()];
    await require(true);
    await change(user, ['Admin']);
    const [asked] = await pending();
    const admin_by = await app.idOf('admin');
    const setMaker = (by: string | null) =>
      app.database.updateTable('users').set({ admin_by: by }).where('id', '=', other.id).execute();
    await setMaker(admin_by);
    expect((await decide(asked!.changeId, 'confirm', other.token)).refused?.error).toBe(
      'SecondPersonNotIndependent',
    );
    await setMaker(null);
    expect((await decide(asked!.changeId, 'confirm', other.token)).status).toBe(200);
    // The one who asked made the admin, not the one who confirmed.
    const made = await app.database
      .selectFrom('users')
      .select('admin_by')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow();
    expect(made).toEqual({ admin_by });
    await change(user, []);
    const [end] = await pending();
    expect((await decide(end!.changeId, 'refuse', user.token)).status).toBe(200);
  });

  it('refuses, withdraws, and does not confirm what the account has overtaken', async () => {
    const [other, user] = [await insert('Admin'), await insert()];
    await require(true);
    await change(user, ['Employee']);
    await decide((await pending())[0]!.changeId, 'refuse', other.token);
    expect(await pending()).toEqual([]);
    await change(user, ['Employee']);
    await decide((await pending())[0]!.changeId, 'withdraw', await app.signIn('admin'));
    expect(await pending()).toEqual([]);
    await change(user, ['Employee']);
    await app.callAs('admin', suspendUser, {
      body: { userId: user.id, version: await versionOf(user), reason: 'x' },
    });
    const [overtaken] = await pending();
    expect(overtaken?.isOvertaken).toBe(true);
    expect((await decide(overtaken!.changeId, 'confirm', other.token)).refused.error).toBe(
      'RecordHasChanged',
    );
    expect((await decide(overtaken!.changeId, 'refuse', other.token)).status).toBe(200);
  });

  it('holds the mail of an invitation back, and its own end', async () => {
    const other = await insert('Admin');
    await require(true);
    const { email, invitation } = await invite({ roles: ['Admin'] });
    expect(invitation?.state).toBe('unconfirmed');
    expect(
      (
        await app.callAs('admin', invitations.resendStaffInvitation, {
          body: { invitationId: invitation!.invitationId },
        })
      ).refused.error,
    ).toBe('ChangeIsPending');
    const [asked] = await pending();
    expect((await decide(asked!.changeId, 'confirm', other.token)).status).toBe(200);
    expect((await join(await linkTo(email))).status).toBe(200);

    expect((await require(false)).body).toMatchObject({
      isRequired: true,
      pending: [{ kind: 'confirmationOff' }],
    });
    expect((await require(false, other.token)).refused.error).toBe('ChangeIsPending');
    const [end] = await pending();
    expect((await decide(end!.changeId, 'confirm', other.token)).body.isRequired).toBe(false);
  });
});
