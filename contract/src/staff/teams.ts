import { z } from 'zod';
import { agencyAdministrators, agencyAuditors, defineCall } from '../wire/call.ts';
import { recordId, recordIdInAddress, recordVersion, versionOrNew } from '../wire/ids.ts';

/** The longest name of a team, in characters. Staff alone read it, so it has one language. */
export const maximumTeamName = 80;
/** The most members, services and categories of a team. */
export const maximumTeamParts = 1000;

const parts = {
  name: z.string().trim().min(1).max(maximumTeamName),
  memberIds: z.array(z.uuid()).max(maximumTeamParts),
  serviceIds: z.array(recordId).max(maximumTeamParts),
  categoryIds: z.array(recordId).max(maximumTeamParts),
};

/**
 * A team of an agency. It works on single services of the agency, and on all those of some categories,
 * later ones too. Decision 0153.
 */
export const team = z.object({ id: z.int(), version: z.int(), ...parts });
export type Team = z.infer<typeof team>;

const named = z.object({ id: z.int(), name: z.string() });

/**
 * An employee of an agency. `seesWholeAgency`: all its requests, also those that are not of their teams.
 * Who does not, and is in no team, sees none.
 */
export const teamCandidate = z.object({
  userId: z.uuid(),
  username: z.string(),
  fullName: z.string(),
  seesWholeAgency: z.boolean(),
  isSuspended: z.boolean(),
});
export type TeamCandidate = z.infer<typeof teamCandidate>;

/** A service of an agency; `hasTeam`: a team with members works on it. */
export const teamService = named.extend({ categoryId: z.int(), hasTeam: z.boolean() });

/** Our own calls: the specification knows no teams. See docs/unknowns.md. */
export const getTeams = defineCall({
  name: 'getTeams',
  method: 'GET',
  path: '/api/Team/GetTeams',
  who: agencyAuditors,
  byAgency: { agency: 'AgencyId' },
  summary: 'The teams of an agency, its employees and its services',
  query: z.object({ AgencyId: recordIdInAddress }),
  reply: z.object({
    teams: z.array(team),
    employees: z.array(teamCandidate),
    /** Those that are offered, and others that a team works on. */
    services: z.array(teamService),
    /** The categories of these services, and others that a team works on. */
    categories: z.array(named),
  }),
  refusals: ['NotFound'],
});
export type AgencyTeams = z.infer<(typeof getTeams)['reply']>;

/**
 * Creates a team, without `id` and with version 0, or replaces what it is. Who comes into their first
 * team sees only its work from then on.
 */
export const saveTeam = defineCall({
  name: 'saveTeam',
  method: 'POST',
  path: '/api/Team/SaveTeam',
  who: agencyAdministrators,
  byAgency: { agency: 'agencyId' },
  summary: 'Create or change a team of an agency: its name, members, services and categories',
  body: z.strictObject({
    agencyId: recordId,
    id: recordId.optional(),
    version: versionOrNew,
    ...parts,
  }),
  reply: z.object({ id: z.int(), version: z.int() }),
  refusals: ['NotFound', 'RecordHasChanged', 'ValidationFailed'],
});

/** Members who saw only the work of teams go on doing so: of their other teams, or none. */
export const deleteTeam = defineCall({
  name: 'deleteTeam',
  method: 'POST',
  path: '/api/Team/DeleteTeam',
  who: agencyAdministrators,
  byAgency: { agency: 'agencyId' },
  summary: 'Delete a team of an agency',
  body: z.strictObject({ agencyId: recordId, id: recordId, version: recordVersion }),
  reply: z.object({}),
  refusals: ['NotFound', 'RecordHasChanged'],
});

/** Whether an employee sees all requests of an agency, or only the work of their teams there. */
export const changeTeamReach = defineCall({
  name: 'changeTeamReach',
  method: 'POST',
  path: '/api/Team/ChangeTeamReach',
  who: agencyAdministrators,
  byAgency: { agency: 'agencyId' },
  summary: 'Choose whether an employee sees a whole agency or the work of their teams',
  body: z.strictObject({ agencyId: recordId, userId: z.uuid(), seesWholeAgency: z.boolean() }),
  reply: z.object({}),
  refusals: ['NotFound'],
});
