import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { countLockWaits } from '#testing/lock-waits.ts';
import { useTestApp } from '#testing/test-app.ts';
import { getAgencyRecords } from '@diwan/contract/catalogue/agencies';
import { inviteStaff } from '@diwan/contract/staff/staff-invitations';
import {
  changeUserRoles,
  getUserById,
  restoreUser,
  suspendUser,
} from '@diwan/contract/staff/user-administration';
import type { GrantedRole } from '@diwan/contract/wire/call';
import { lockRoles } from './user-records.store.ts';

const app = useTestApp();

let rta = 0;
let moi = 0;
beforeEach(async () => {
  const idOf = async (slug: string) =>
    (
      await app.database
        .selectFrom('agencies')
        .select('id')
        .where('slug', '=', slug)
        .executeTakeFirstOrThrow()
    ).id;
  rta = await idOf('roads-and-transport-authority-dubai');
  moi = await idOf('ministry-of-interior');
});

const target = async (username: string) => {
  const userId = await app.idOf(username);
  const { version } = await app.database
    .selectFrom('users')
    .select('version')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return { userId, version };
};

/** What a change of roles and agencies answers: the refusal, the fields with errors, or what is seen then. */
async function change(
  by: string,
  username: string,
  position: { roles: GrantedRole[]; agencyIds?: number[]; allAgencies?: boolean },
) {
  const { status, body, refused } = await app.callAs(by, changeUserRoles, {
    body: { ...(await target(username)), ...position },
  });
  if (status === 200) return body.agencies.map(({ id }) => id);
  return refused.error ?? Object.keys(refused.errors ?? {});
}

const setAgencies = async (username: string, ids: readonly number[]) => {
  const userId = await app.idOf(username);
  await app.database.deleteFrom('staff_agencies').where('user_id', '=', userId).execute();
  if (ids.length > 0)
    await app.database
      .insertInto('staff_agencies')
      .values(ids.map((agency_id) => ({ user_id: userId, agency_id })))
      .execute();
};
afterEach(async () => {
  await setAgencies('employee-rta', [rta]);
  await setAgencies('agency-rta', [rta]);
});

describe('the staff of an agency administrator', () => {
  it('is an employee of their agencies only', async () => {
    expect(
      await change('agency-rta', 'employee-rta', { roles: ['Employee'], agencyIds: [rta] }),
    ).toEqual([rta]);
    for (const stranger of [
      'employee',
      'employee-moi',
      'admin',
      'finance',
      'individual',
      'agency-moi',
    ])
      expect(
        await change('agency-rta', stranger, { roles: ['Employee'], agencyIds: [rta] }),
        stranger,
      ).toBe('NotFound');
    await setAgencies('employee-rta', [rta, moi]);
    expect(
      await change('agency-rta', 'employee-rta', { roles: ['Employee'], agencyIds: [rta] }),
    ).toBe('NotFound');
    const UserId = await app.idOf('employee-rta');
    const { status } = await app.callAs('agency-rta', getUserById, { query: { UserId } });
    expect(status).toBe(404);
  });

  it('gets no role but that of an employee, and no agency of others', async () => {
    for (const role of ['Admin', 'Finance', 'Content', 'Auditor', 'AgencyAdmin'] as const)
      expect(
        await change('agency-rta', 'employee-rta', { roles: ['Employee', role], agencyIds: [rta] }),
        role,
      ).not.toEqual([rta]);
    expect(
      await change('agency-rta', 'employee-rta', { roles: ['AgencyAdmin'], agencyIds: [rta] }),
    ).toEqual(['roles']);
    expect(await change('agency-rta', 'employee-rta', { roles: [], agencyIds: [rta] })).toEqual([
      'roles',
    ]);
    expect(
      await change('agency-rta', 'employee-rta', { roles: ['Employee'], agencyIds: [] }),
    ).toEqual(['agencyIds']);
    expect(
      await change('agency-rta', 'employee-rta', { roles: ['Employee'], agencyIds: [rta, moi] }),
    ).toBe('NotFound');
    expect(
      await change('agency-rta', 'employee-rta', { roles: ['Employee'], allAgencies: true }),
    ).toEqual(['agencyIds']);
  });

  it('is never the administrator themself, nor another one', async () => {
    expect(
      await change('agency-rta', 'agency-rta', { roles: ['Employee'], agencyIds: [rta] }),
    ).toBe('NotOnOwnAccount');
    const suspend = async (username: string) =>
      (
        await app.callAs('agency-rta', suspendUser, {
          body: { ...(await target(username)), reason: 'Left the office' },
        })
      ).refused.error;
    expect(await suspend('agency-rta')).toBe('NotOnOwnAccount');
    await setAgencies('agency-moi', [rta]);
    expect(await suspend('agency-moi')).toBe('YouAreUnauthorized');
    await setAgencies('agency-moi', [moi]);
  });

  it('is unknown from the moment in which its administrator lost the agency', async () => {
    await setAgencies('agency-rta', [moi]);
    expect(
      await change('agency-rta', 'employee-rta', { roles: ['Employee'], agencyIds: [moi] }),
    ).toBe('NotFound');
  });

  it('is invited as an employee of their agencies', async () => {
    let invited = 0;
    const invite = async (roles: GrantedRole[], agencyIds?: number[]) => {
      const { status, refused } = await app.callAs('agency-rta', inviteStaff, {
        body: {
          email: `guest${(invited += 1)}@mail.example`,
          fullName: 'New Clerk',
          roles,
          ...(agencyIds ? { agencyIds } : {}),
        },
      });
      return status === 200 ? 'sent' : (refused.error ?? Object.keys(refused.errors ?? {}));
    };
    expect(await invite(['Employee'], [rta])).toBe('sent');
    expect(await invite(['Employee'])).toEqual(['agencyIds']);
    expect(await invite(['Employee'], [moi])).toBe('NotFound');
    expect(await invite(['AgencyAdmin'], [rta])).toEqual(['roles']);
  });

  it('is not invited instead of somebody whom another agency invited', async () => {
    const email = 'shared-guest@mail.example';
    const invite = (by: string, agencyId: number) =>
      app.callAs(by, inviteStaff, {
        body: { email, fullName: 'New Clerk', roles: ['Employee'], agencyIds: [agencyId] },
      });
    expect((await invite('admin', moi)).status).toBe(200);
    expect((await invite('agency-rta', rta)).refused.error).toBe('AddressHasAccount');
    expect((await invite('agency-moi', moi)).status).toBe(200);
  });

  it('is unknown once it is of another agency, though its administrator asked before', async () => {
    const userId = await app.idOf('employee-rta');
    const [answer] = await inTransaction(app.database, async (transaction) => {
      await lockRoles(transaction);
      const changed = change('agency-rta', 'employee-rta', {
        roles: ['Employee'],
        agencyIds: [rta],
      });
      await expect.poll(() => countLockWaits(app.database)).toBeGreaterThan(0);
      await transaction
        .updateTable('staff_agencies')
        .set({ agency_id: moi })
        .where('user_id', '=', userId)
        .execute();
      return [changed] as const;
    });
    expect(await answer).toBe('NotFound');
  });
});

it('tells the portal’s administrator which agency lost its last administrator', async () => {
  const agency = async () => {
    const { body } = await app.callAs('admin', getAgencyRecords);
    const { administratorsCount, administratorLostAt } = body.find(({ id }) => id === rta) ?? {};
    return [administratorsCount, administratorLostAt === undefined ? 'kept' : 'lost'];
  };
  const onlyOf = async (username: string) =>
    (
      await app.callAs('admin', getUserById, { query: { UserId: await app.idOf(username) } })
    ).body.onlyAdministratorOf.map(({ id }) => id);
  const make = (username: string, roles: GrantedRole[]) =>
    change('admin', username, { roles, agencyIds: [rta] });
  expect([await agency(), await onlyOf('agency-rta')]).toEqual([[1, 'kept'], [rta]]);
  // With a second administrator the agency loses nothing.
  await make('employee-rta', ['AgencyAdmin']);
  expect([await agency(), await onlyOf('agency-rta')]).toEqual([[2, 'kept'], []]);
  await make('employee-rta', ['Employee']);
  expect(await agency()).toEqual([1, 'kept']);
  const body = { ...(await target('agency-rta')), reason: 'Left the office' };
  expect((await app.callAs('admin', suspendUser, { body })).status).toBe(200);
  expect([await agency(), await onlyOf('agency-rta')]).toEqual([[0, 'lost'], []]);
  await make('employee-rta', ['AgencyAdmin']);
  expect(await agency()).toEqual([1, 'kept']);
  expect(
    await change('admin', 'employee-rta', { roles: ['AgencyAdmin'], agencyIds: [moi] }),
  ).toEqual([moi]);
  expect(await agency()).toEqual([0, 'lost']);
  await make('employee-rta', ['Employee']);
  await app.callAs('admin', restoreUser, { body: await target('agency-rta') });
  expect(await agency()).toEqual([1, 'kept']);
});

it('gives an administrator of agencies never the right to all', async () => {
  expect(await change('admin', 'employee', { roles: ['Employee', 'AgencyAdmin'] })).toEqual([
    'allAgencies',
  ]);
  expect(
    await change('admin', 'employee', { roles: ['Admin', 'AgencyAdmin'], allAgencies: true }),
  ).toEqual(['allAgencies']);
  expect(
    await change('admin', 'employee-rta', { roles: ['Employee', 'AgencyAdmin'], agencyIds: [rta] }),
  ).toEqual([rta]);
  expect(await change('admin', 'employee-rta', { roles: ['Employee'], agencyIds: [rta] })).toEqual([
    rta,
  ]);
});
