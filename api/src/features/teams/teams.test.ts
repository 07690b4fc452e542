import { beforeEach, describe, expect, it } from 'vitest';
import type { Transaction } from '#platform/database/database.ts';
import { acquireNamedLock } from '#platform/database/named-lock.ts';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { freeService, openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { openTeamStage, otherService } from '#testing/requests/team-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { getChanges } from '@diwan/contract/people/changes';
import { changeTeamReach, deleteTeam, getTeams, saveTeam } from '@diwan/contract/staff/teams';
import { getUserById } from '@diwan/contract/staff/user-administration';
import type { BodyInputOf } from '@diwan/contract/wire/call';

const app = useTestApp();
const stage = openRequestStage(app);
const teams = openTeamStage(app);

beforeEach(() => teams.clear());

const emptyTeam = async (): Promise<BodyInputOf<typeof saveTeam>> => ({
  agencyId: await teams.agency(),
  version: 0,
  name: 'Vehicles',
  memberIds: [],
  serviceIds: [],
  categoryIds: [],
});
const save = async (body: Partial<BodyInputOf<typeof saveTeam>> = {}, as = 'agency-rta') =>
  app.callAs(as, saveTeam, { body: { ...(await emptyTeam()), ...body } });
const find = async (name: string) => (await teams.read()).teams.find((team) => team.name === name)!;
const changesOf = async (entity: 'team' | 'user', id: string) =>
  (await app.callAs('admin', getChanges, { query: { Entity: entity, EntityId: id } })).body.items;

it('a team is created, changed and deleted by the administrator of its agency', async () => {
  const memberId = await app.idOf('employee-rta');
  const [own, other] = [
    await teams.idOfService(paidService),
    await teams.idOfService(otherService),
  ];
  const { body: created } = await save({ memberIds: [memberId], serviceIds: [own] });
  expect(created.version).toBe(1);
  expect(await find('Vehicles')).toEqual({
    id: created.id,
    version: 1,
    name: 'Vehicles',
    memberIds: [memberId],
    serviceIds: [own],
    categoryIds: [],
  });
  const { services, employees, categories } = await teams.read();
  expect(services.find(({ id }) => id === own)?.hasTeam).toBe(true);
  expect(services.find(({ id }) => id === other)?.hasTeam).toBe(false);
  expect(employees.find(({ userId }) => userId === memberId)?.seesWholeAgency).toBe(false);
  const { categoryId } = services.find(({ id }) => id === own)!;
  expect(categories.map(({ id }) => id)).toContain(categoryId);

  const changed = await save({
    ...created,
    name: '  Registration ',
    serviceIds: [other, other],
    categoryIds: [categoryId],
  });
  expect(changed.body).toEqual({ id: created.id, version: 2 });
  expect(await find('Registration')).toMatchObject({
    memberIds: [],
    serviceIds: [other],
    categoryIds: [categoryId],
  });
  // Who left the team does not see more than before.
  expect(
    (await teams.read()).employees.find(({ userId }) => userId === memberId)?.seesWholeAgency,
  ).toBe(false);
  const history = await changesOf('team', String(created.id));
  expect(history.map(({ action }) => action)).toEqual(['changed', 'created']);
  expect(history[0]?.fields).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ field: 'name', before: 'Vehicles', after: 'Registration' }),
      expect.objectContaining({ field: 'members', before: 'Saif Al Demo', after: '' }),
      expect.objectContaining({ field: 'serviceIds', afterNames: [expect.any(String)] }),
    ]),
  );
  expect((await changesOf('user', memberId))[0]?.fields).toEqual([
    expect.objectContaining({ field: 'wholeAgencyId', before: await teams.agency(), after: null }),
  ]);

  const asked = { agencyId: await teams.agency(), id: created.id };
  const stale = await app.callAs('agency-rta', deleteTeam, { body: { ...asked, version: 1 } });
  expect(stale.refused.error).toBe('RecordHasChanged');
  const deleted = await app.callAs('agency-rta', deleteTeam, { body: { ...asked, version: 2 } });
  expect(deleted.status).toBe(200);
  expect((await teams.read()).teams).toEqual([]);
  const again = await app.callAs('agency-rta', deleteTeam, { body: { ...asked, version: 2 } });
  expect(again.refused.error).toBe('NotFound');
});

it('the page of an account says in which teams it is, and of which agencies it sees only these', async () => {
  const [userId, agencyId] = [await app.idOf('employee-rta'), await teams.agency()];
  const serviceIds = [await teams.idOfService(paidService)];
  const record = async (as: string) => {
    const { body } = await app.callAs(as, getUserById, { query: { UserId: userId } });
    return { teams: body.teams, limitedAgencyIds: body.limitedAgencyIds };
  };
  expect(await record('admin')).toEqual({ teams: [], limitedAgencyIds: [] });
  const { body: second } = await save({ name: 'vehicles', memberIds: [userId], serviceIds });
  const { body: first } = await save({ name: 'Licences', memberIds: [userId], serviceIds });
  for (const reader of ['admin', 'auditor', 'agency-rta'])
    expect(await record(reader), reader).toEqual({
      teams: [
        { id: first.id, name: 'Licences', agencyId },
        { id: second.id, name: 'vehicles', agencyId },
      ],
      limitedAgencyIds: [agencyId],
    });
  const body = { agencyId, userId, seesWholeAgency: true };
  expect((await app.callAs('agency-rta', changeTeamReach, { body })).status).toBe(200);
  expect((await record('agency-rta')).limitedAgencyIds).toEqual([]);
});

describe('a team refuses', () => {
  const fieldsOf = async (body: Partial<BodyInputOf<typeof saveTeam>>) =>
    Object.keys((await save(body)).refused.errors ?? {});

  it('a name that another team of the agency has, in any case', async () => {
    await save();
    expect(await fieldsOf({ name: 'VEHICLES' })).toEqual(['name']);
    expect(await fieldsOf({ name: '  ' })).toEqual(['name']);
    // Another agency may have it.
    const elsewhere = (await stage.findService(freeService)).governmentAgency.id;
    expect((await save({ agencyId: elsewhere }, 'admin')).status).toBe(200);
  });

  it('members who are no employees of the agency', async () => {
    for (const username of ['employee', 'employee-moi', 'individual', 'agency-rta'])
      expect(await fieldsOf({ memberIds: [await app.idOf(username)] }), username).toEqual([
        'memberIds',
      ]);
  });

  it('services of another agency and categories that do not exist', async () => {
    expect(await fieldsOf({ serviceIds: [await teams.idOfService(freeService)] })).toEqual([
      'serviceIds',
    ]);
    expect(await fieldsOf({ categoryIds: [2_000_000_000] })).toEqual(['categoryIds']);
  });

  it('what another administrator has changed meanwhile', async () => {
    const { body } = await save();
    expect((await save({ ...body, name: 'Cars' })).status).toBe(200);
    expect((await save({ ...body, name: 'Vans' })).refused.error).toBe('RecordHasChanged');
    const both = await Promise.all([save({ name: 'Twice' }), save({ name: 'Twice' })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });
});

it('teams of other agencies are unknown to an administrator of an agency', async () => {
  const agencyId = await teams.agency();
  const { body } = await save();
  const elsewhere = (await stage.findService(freeService)).governmentAgency.id;
  const refusedBy = async (as: string, given: number) => {
    const member = await app.idOf('employee-rta');
    const answers = [
      await app.callAs(as, getTeams, { query: { AgencyId: given } }),
      await save({ ...body, agencyId: given }, as),
      await app.callAs(as, deleteTeam, { body: { ...body, agencyId: given } }),
      await app.callAs(as, changeTeamReach, {
        body: { agencyId: given, userId: member, seesWholeAgency: true },
      }),
    ];
    return answers.map(({ status, refused }) => refused.error ?? status);
  };
  expect(await refusedBy('agency-moi', agencyId)).toEqual(Array(4).fill('NotFound'));
  // A team that is named together with an agency that it is not of.
  expect((await refusedBy('admin', elsewhere)).slice(1)).toEqual(Array(3).fill('NotFound'));
  expect(await refusedBy('admin', 2_000_000_000)).toEqual(Array(4).fill('NotFound'));
  expect(await find('Vehicles')).toMatchObject({ version: 1 });
});

/** Makes a call while a named lock is held, which it waits for, and does something before it goes on. */
async function saveBehind(
  lock: string,
  meanwhile: (transaction: Transaction) => Promise<void>,
): Promise<Awaited<ReturnType<typeof save>>> {
  const body = await emptyTeam();
  await app.signIn('agency-rta');
  const waiting = async () =>
    (
      await sql`
        select
        from pg_locks
        where locktype = 'advisory'
          and not granted
          and database = (select oid from pg_database where datname = current_database())`.execute(
        app.database,
      )
    ).rows.length;
  const [answer] = await inTransaction(app.database, async (transaction) => {
    await acquireNamedLock(transaction, lock);
    const saved = save(body);
    await expect.poll(waiting, { timeout: 10_000 }).toBeGreaterThan(0);
    await meanwhile(transaction);
    return [saved] as const;
  });
  return answer;
}

it('a change waits for events that are being published', async () => {
  const { status } = await saveBehind('events of hubs', async () => {
    expect((await teams.read()).teams).toEqual([]);
  });
  expect(status).toBe(200);
});

it('an administrator who loses the agency while the change waits changes nothing', async () => {
  const userId = await app.idOf('agency-rta');
  const { refused } = await saveBehind('teams', async (transaction) => {
    await transaction.deleteFrom('staff_agencies').where('user_id', '=', userId).execute();
  });
  expect(refused.error).toBe('NotFound');
  expect((await teams.read()).teams).toEqual([]);
});
