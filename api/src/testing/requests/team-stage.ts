import { getTeams, saveTeam, type AgencyTeams } from '@diwan/contract/staff/teams';
import type { TestApp } from '../test-app.ts';
import { openRequestStage, paidService } from './request-stage.ts';

/** Another service of the agency of `paidService`, in the same category. */
export const otherService = 'renew-driving-licence';

/** Shortcuts for tests of teams of the agency of `paidService`, over the real API. */
export function openTeamStage(app: TestApp) {
  const stage = openRequestStage(app);
  const idOfService = async (replacedName: string) => (await stage.findService(replacedName)).id;
  const agency = async () => (await stage.findService(paidService)).governmentAgency.id;
  const read = async (): Promise<AgencyTeams> =>
    (await app.callAs('admin', getTeams, { query: { AgencyId: await agency() } })).body;
  return {
    agency,
    read,
    idOfService,
    /** Gives an employee the agency, beside those that they have. */
    async giveAgency(username: string): Promise<void> {
      await app.database
        .insertInto('staff_agencies')
        .values({ user_id: await app.idOf(username), agency_id: await agency() })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    /** Creates a team, or replaces the one of this name. */
    async save(
      name: string,
      members: readonly string[],
      work: { services?: readonly string[]; categoryIds?: readonly number[] } = {},
      as = 'agency-rta',
    ): Promise<number> {
      const { teams } = await read();
      const before = teams.find((team) => team.name === name);
      const { status, body, refused } = await app.callAs(as, saveTeam, {
        body: {
          agencyId: await agency(),
          ...(before ? { id: before.id } : {}),
          version: before?.version ?? 0,
          name,
          memberIds: await Promise.all(members.map((username) => app.idOf(username))),
          serviceIds: await Promise.all((work.services ?? []).map(idOfService)),
          categoryIds: [...(work.categoryIds ?? [])],
        },
      });
      if (status !== 200) throw new Error(`team not saved: ${JSON.stringify(refused)}`);
      return body.id;
    },
    /** Removes all teams, and lets everybody see their whole agencies. */
    async clear(): Promise<void> {
      await app.database.deleteFrom('teams').execute();
      await app.database.updateTable('staff_agencies').set({ teams_only: false }).execute();
    },
  };
}
