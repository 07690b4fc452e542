import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { acquireNamedLock } from '#platform/database/named-lock.ts';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { listenTo } from '#testing/hub-client.ts';
import { freeService, openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { waitForMessageTo } from '#testing/sent-messages.ts';
import { useTestApp } from '#testing/test-app.ts';
import { getChanges } from '@diwan/contract/people/changes';
import { getProfile } from '@diwan/contract/people/users';
import { getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import {
  changeRoleConfirmation,
  decideRoleChange,
  getRoleConfirmation,
} from '@diwan/contract/staff/role-changes';
import {
  getStaffInvitations,
  inviteStaff,
  joinStaff,
  readStaffInvitation,
} from '@diwan/contract/staff/staff-invitations';
import {
  changeUserRoles,
  getAllUsers,
  getUserById,
} from '@diwan/contract/staff/user-administration';
import type { GrantedRole } from '@diwan/contract/wire/call';

// `paidService` and `freeService` are of two agencies.
const app = useTestApp();
const stage = openRequestStage(app);
const unknownAgency = 9_999;

const agencyOf = async (replacedName: string) =>
  (await stage.findService(replacedName)).governmentAgency;
const read = async (username: string) =>
  (await app.callAs('admin', getUserById, { query: { UserId: await app.idOf(username) } })).body;

interface Chosen {
  roles?: GrantedRole[];
  allAgencies?: boolean;
  agencyIds?: number[];
}
async function change(
  username: string,
  { roles = ['Employee'], ...agencies }: Chosen,
  { by = 'admin', version }: { by?: string; version?: number } = {},
) {
  const user = await read(username);
  const body = { userId: user.id, version: version ?? user.version, roles, ...agencies };
  return app.callAs(by, changeUserRoles, { body });
}
const agenciesOfRequests = async (username: string) => {
  const { items } = (await app.callAs(username, getRequestsByStatusId, { query: { Take: 100 } }))
    .body;
  return new Set(items.map(({ governmentAgency }) => governmentAgency.id));
};
const usernames = async (query: object) =>
  (await app.callAs('admin', getAllUsers, { query: { Take: 100, ...query } })).body.items.map(
    ({ username }) => username,
  );

beforeEach(async () => {
  expect((await change('employee-moi', { allAgencies: true })).status).toBe(200);
});
afterAll(() => app.database.deleteFrom('settings').execute());

describe('an administrator', () => {
  it('chooses the agencies whose requests an employee sees, which the history has', async () => {
    const [traffic, labour] = [await agencyOf(paidService), await agencyOf(freeService)];
    await stage.send('individual', freeService);
    await stage.send('individual', paidService);
    expect(await agenciesOfRequests('employee-moi')).toContain(traffic.id);
    const { status, body } = await change('employee-moi', { agencyIds: [labour.id] });
    expect([status, body.allAgencies, body.agencies]).toEqual([
      200,
      false,
      [{ id: labour.id, name: labour.name }],
    ]);
    expect(await agenciesOfRequests('employee-moi')).toEqual(new Set([labour.id]));
    expect((await app.callAs('employee-moi', getProfile)).body).toMatchObject({
      allAgencies: false,
      agencies: [{ id: labour.id }],
    });
    const { items } = (
      await app.callAs('admin', getChanges, { query: { Entity: 'user', EntityId: body.id } })
    ).body;
    expect(
      items[0]?.fields.map(({ field, before, after, afterNames }) => [
        field,
        before,
        afterNames ?? after,
      ]),
    ).toEqual([
      ['allAgencies', true, false],
      ['agencyIds', '[]', [labour.name]],
    ]);
  });

  it('chooses none: the employee sees nothing; and what is not given stays', async () => {
    const labour = await agencyOf(freeService);
    await stage.send('individual', freeService);
    await change('employee-moi', { agencyIds: [] });
    expect(await agenciesOfRequests('employee-moi')).toEqual(new Set());
    await change('employee-moi', { agencyIds: [labour.id] });
    const { body } = await change('employee-moi', {});
    expect([body.allAgencies, body.agencies.map(({ id }) => id)]).toEqual([false, [labour.id]]);
    expect((await app.callAs('employee-moi', getProfile)).body.allAgencies).toBe(false);
  });

  it('cannot choose agencies that do not exist, nor some for a role of the whole portal', async () => {
    const labour = await agencyOf(freeService);
    const unknown = await change('employee-moi', { agencyIds: [labour.id, unknownAgency] });
    expect([unknown.status, Object.keys(unknown.refused.errors ?? {})]).toEqual([
      400,
      ['agencyIds'],
    ]);
    for (const role of ['Admin', 'Finance', 'Content', 'Auditor'] as const) {
      const some = await change('employee-moi', {
        roles: ['Employee', role],
        agencyIds: [labour.id],
      });
      expect([some.status, Object.keys(some.refused.errors ?? {})]).toEqual([400, ['allAgencies']]);
    }
    expect((await read('employee-moi')).allAgencies).toBe(true);
  });

  it('does not take the right to all agencies from their own account', async () => {
    const { status, refused } = await change('admin', { roles: ['Admin'], agencyIds: [] });
    expect([status, Object.keys(refused.errors ?? {})]).toEqual([400, ['allAgencies']]);
    const last = await change('admin', { roles: ['Employee'], agencyIds: [] });
    expect(last.refused.error).toBe('LastAdministrator');
    expect((await read('admin')).allAgencies).toBe(true);
  });

  it('takes the agencies with the role of an employee', async () => {
    const labour = await agencyOf(freeService);
    await change('employee-moi', { agencyIds: [labour.id] });
    const { body } = await change('employee-moi', { roles: [], agencyIds: [labour.id] });
    expect([body.roles, body.allAgencies, body.agencies]).toEqual([['Client'], false, []]);
    // An employee again sees nothing until somebody chooses.
    const again = await change('employee-moi', {});
    expect([again.body.allAgencies, again.body.agencies]).toEqual([false, []]);
  });

  it('does not overwrite agencies that another one chose meanwhile', async () => {
    const labour = await agencyOf(freeService);
    const { version } = await read('employee-moi');
    await change('employee-moi', { agencyIds: [labour.id] });
    const late = await change('employee-moi', { allAgencies: true }, { version });
    expect(late.refused.error).toBe('RecordHasChanged');
  });

  it('finds users by agency, by the right to all, and without an agency', async () => {
    const labour = await agencyOf(freeService);
    expect(await usernames({ Agencies: 'all', Role: 'Employee' })).toContain('employee-moi');
    await change('employee-moi', { agencyIds: [labour.id] });
    expect(await usernames({ AgencyId: labour.id })).toEqual(['employee-moi']);
    expect(await usernames({ Agencies: 'all' })).not.toContain('employee-moi');
    expect(await usernames({ Agencies: 'none' })).toEqual([]);
    await change('employee-moi', { agencyIds: [] });
    expect(await usernames({ Agencies: 'none' })).toEqual(['employee-moi']);
  });
});

describe('a change of agencies', () => {
  it('ends live connections immediately', async () => {
    const base = await app.server.listen({ port: 0, host: '127.0.0.1' });
    const listener = await listenTo({
      url: `${base}/hubs/request`,
      token: await app.signIn('employee-moi'),
      skipNegotiation: true,
    });
    const began = Date.now();
    await change('employee-moi', { agencyIds: [(await agencyOf(freeService)).id] });
    await listener.closed;
    // The regular check of a connection is every 15 seconds.
    expect(Date.now() - began).toBeLessThan(5000);
  });

  it('waits for events that are being published', async () => {
    let isChanged = false;
    const changing = await inTransaction(app.database, async (transaction) => {
      await acquireNamedLock(transaction, 'events of hubs');
      const promise = change('employee-moi', { agencyIds: [] }).then((reply) => {
        isChanged = true;
        return reply;
      });
      await expect.poll(() => countWaiting(), { timeout: 10_000 }).toBeGreaterThan(0);
      expect((await read('employee-moi')).allAgencies).toBe(true);
      expect(isChanged).toBe(false);
      return [promise] as const;
    });
    expect((await changing[0]).body.allAgencies).toBe(false);
  });
});

/** How many connections to this database wait for a named lock. */
async function countWaiting(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from pg_locks
    where locktype = 'advisory'
      and not granted
      and database = (select oid from pg_database where datname = current_database())`.execute(
    app.database,
  );
  return rows[0]?.count ?? 0;
}

describe('an invitation', () => {
  it('names the agencies that the invited employee will see', async () => {
    const labour = await agencyOf(freeService);
    const email = 'salma@ministry.example';
    const { status } = await app.callAs('admin', inviteStaff, {
      body: { email, fullName: 'Salma', roles: ['Employee'], agencyIds: [labour.id] },
    });
    expect(status).toBe(200);
    const open = (await app.callAs('admin', getStaffInvitations)).body;
    const named = { allAgencies: false, agencies: [{ id: labour.id, name: labour.name }] };
    expect(open.find((each) => each.email === email)).toMatchObject(named);
    const token = /#([\w-]{40,})/.exec((await waitForMessageTo(app, email)).body)?.[1] ?? '';
    expect((await app.call(readStaffInvitation, { body: { token } })).body).toMatchObject(named);
    const password = 'Ministry-Of-2026!';
    const { body } = await app.call(joinStaff, {
      body: {
        token,
        username: 'salma.labour',
        fullName: 'Salma Al Demo',
        phoneNumber: '0501234567',
        password,
        confirmPassword: password,
      },
    });
    expect((await app.call(getProfile, { token: body.token })).body).toMatchObject(named);
  });

  it('names none where nobody chose, and none that does not exist', async () => {
    const send = (email: string, agencyIds?: number[]) =>
      app.callAs('admin', inviteStaff, {
        body: { email, fullName: 'Noura', roles: ['Employee'], agencyIds },
      });
    const { body } = await send('noura@ministry.example');
    expect(body.find(({ email }) => email === 'noura@ministry.example')).toMatchObject({
      allAgencies: false,
      agencies: [],
    });
    const { status, refused } = await send('huda@ministry.example', [unknownAgency]);
    expect([status, Object.keys(refused.errors ?? {})]).toEqual([400, ['agencyIds']]);
  });
});

describe('the rule of a second administrator', () => {
  it('lets the agencies of an account wait, the right to all too', async () => {
    const labour = await agencyOf(freeService);
    await change('employee-moi', { agencyIds: [labour.id] });
    await app.database
      .updateTable('users')
      .set({ roles: ['Admin'], all_agencies: true })
      .where('username', '=', 'employee2')
      .execute();
    await app.callAs('admin', changeRoleConfirmation, { body: { isRequired: true } });
    const { body } = await change('employee-moi', { allAgencies: true });
    expect([body.allAgencies, body.pendingRoles?.allAgencies]).toEqual([false, true]);
    const { pending } = (await app.callAs('employee2', getRoleConfirmation)).body;
    expect(pending).toMatchObject([
      { before: { agencies: [{ id: labour.id }] }, after: { allAgencies: true, agencies: [] } },
    ]);
    const decide = (username: string) =>
      app.callAs(username, decideRoleChange, {
        body: { changeId: pending[0]?.changeId ?? '', decision: 'confirm' },
      });
    expect((await decide('admin')).refused.error).toBe('NotOnOwnChange');
    expect((await read('employee-moi')).allAgencies).toBe(false);
    expect((await decide('employee2')).status).toBe(200);
    expect((await read('employee-moi')).allAgencies).toBe(true);
  });
});
