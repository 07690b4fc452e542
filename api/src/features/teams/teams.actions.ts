import { announceAccessChange } from '#platform/auth/access-changes.ts';
import { findAdministered } from '#platform/auth/agencies/agency-administration.store.ts';
import { administeredAgencies } from '#platform/auth/agencies/agency-administration.ts';
import type { Caller } from '#platform/auth/caller.ts';
import { recordChange, recordChanges, type ChangeAuthor } from '#platform/auth/changes.ts';
import { localize, localizePersonName } from '#platform/core/localize.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { acquireNamedLock } from '#platform/database/named-lock.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { holdPublishing } from '#platform/hubs/hub-events.ts';
import type {
  AgencyTeams,
  changeTeamReach,
  deleteTeam,
  saveTeam,
} from '@diwan/contract/staff/teams';
import type { BodyOf } from '@diwan/contract/wire/call';
import type { ValidationIssue } from '@diwan/contract/wire/errors';
import type { Language } from '@diwan/contract/wire/languages';
import * as store from './teams.store.ts';

type Author = ChangeAuthor & { caller: Caller };

/** The teams of an agency, with those who may be members and its services. Throws NotFound. */
export async function listTeams(
  database: Database,
  agencyId: number,
  language: Language,
): Promise<AgencyTeams> {
  if (!(await store.findAgencyName(database, agencyId))) throw new Refusal('NotFound');
  const [teams, employees, services, categories] = await Promise.all([
    store.selectTeams(database, agencyId),
    store.selectEmployees(database, agencyId),
    store.selectServices(database, agencyId),
    store.selectCategories(database, agencyId),
  ]);
  return {
    teams,
    employees: employees.map(({ id, full_name, full_name_ar, ...row }) => ({
      userId: id,
      fullName: localizePersonName({ full_name, full_name_ar }, language),
      ...row,
    })),
    services: services.map((row) => ({ ...row, name: localize(row.name, language) })),
    categories: categories.map((row) => ({ ...row, name: localize(row.name, language) })),
  };
}

/**
 * Changes teams of an agency in a transaction: one change at a time, while no events are published,
 * which go to those whose counts do not include them. `change` returns whose access has changed: the
 * requests that they may no longer see go back, and their live connections begin anew. Throws NotFound.
 */
async function changeTeams<Result>(
  database: Database,
  { caller, agencyId }: { caller: Caller; agencyId: number },
  change: (transaction: Transaction) => Promise<{ concerned: readonly string[]; result: Result }>,
): Promise<Result> {
  const { concerned, result } = await inTransaction(database, async (transaction) => {
    await acquireNamedLock(transaction, 'teams');
    // guard: events that are published while teams change (teams)
    await holdPublishing(transaction);
    if (administeredAgencies(caller) !== 'all') {
      const administered = await findAdministered(transaction, caller.userId);
      // guard: agency administrator who lost the agency meanwhile (teams)
      if (!administered?.includes(agencyId)) throw new Refusal('NotFound');
    }
    if (!(await store.findAgencyName(transaction, agencyId))) throw new Refusal('NotFound');
    const changed = await change(transaction);
    await store.noteAccessLosses(transaction, changed.concerned);
    return changed;
  });
  for (const userId of concerned) await announceAccessChange(database, userId);
  return result;
}

/** The team of an agency as the caller saw it. Throws NotFound and RecordHasChanged. */
async function getTeam(
  transaction: Transaction,
  { agencyId, id, version }: { agencyId: number; id: number; version: number },
): Promise<store.TeamRow> {
  const [team] = await store.selectTeams(transaction, agencyId, id);
  if (!team) throw new Refusal('NotFound');
  if (team.version !== version) throw new Refusal('RecordHasChanged');
  return team;
}

type SavedTeam = BodyOf<typeof saveTeam>;
type Parts = Pick<store.TeamRow, 'name' | 'memberIds' | 'serviceIds' | 'categoryIds'>;

const toParts = ({ name, memberIds, serviceIds, categoryIds }: SavedTeam): Parts => {
  const inOrder = <Id extends string | number>(ids: readonly Id[]) =>
    [...new Set(ids)].sort((one, other) => (one < other ? -1 : 1));
  return {
    name,
    memberIds: inOrder(memberIds),
    serviceIds: inOrder(serviceIds),
    categoryIds: inOrder(categoryIds),
  };
};

/** What a team cannot be made of. `former` are members already, who may have lost the role meanwhile. */
async function findIssues(
  transaction: Transaction,
  { agencyId, id }: Pick<SavedTeam, 'agencyId' | 'id'>,
  { name, memberIds, ...work }: Parts,
  former: readonly string[],
): Promise<ValidationIssue[]> {
  const teams = await store.selectTeams(transaction, agencyId);
  const employees = await store.selectEmployees(transaction, agencyId);
  const known = await store.countKnown(transaction, agencyId, work);
  const possible = new Set([...employees.map((each) => each.id), ...former]);
  const isTaken = teams.some(
    (team) => team.id !== id && team.name.toLowerCase() === name.toLowerCase(),
  );
  return [
    ...(isTaken ? [{ field: 'name', code: 'nameTaken' } as const] : []),
    ...(memberIds.every((userId) => possible.has(userId))
      ? []
      : [{ field: 'memberIds', code: 'notAllowed' } as const]),
    ...(known.services === work.serviceIds.length
      ? []
      : [{ field: 'serviceIds', code: 'notAllowed' } as const]),
    ...(known.categories === work.categoryIds.length
      ? []
      : [{ field: 'categoryIds', code: 'notAllowed' } as const]),
  ];
}

// Members by their names of now, because accounts are not named by number.
async function fieldsOf(transaction: Transaction, agencyId: number, parts: Parts) {
  const employees = await store.selectEmployees(transaction, agencyId);
  const { memberIds, ...rest } = parts;
  const members = employees.filter(({ id }) => memberIds.includes(id));
  return { ...rest, members: members.map(({ full_name: name }) => name).join(', ') };
}

const reachOf = (agencyId: number, seesWholeAgency: boolean) => ({
  wholeAgencyId: seesWholeAgency ? agencyId : null,
});

/** Creates or changes a team. Throws NotFound, RecordHasChanged, and a ValidationRefusal. */
export function save(
  database: Database,
  author: Author,
  saved: SavedTeam,
): Promise<{ id: number; version: number }> {
  const { agencyId, id: knownId, version } = saved;
  const parts = toParts(saved);
  return changeTeams(database, { caller: author.caller, agencyId }, async (transaction) => {
    const before =
      knownId === undefined
        ? undefined
        : await getTeam(transaction, { agencyId, id: knownId, version });
    const former = before?.memberIds ?? [];
    const issues = await findIssues(transaction, saved, parts, former);
    if (issues.length > 0) throw new ValidationRefusal(issues);
    const fieldsBefore = before && (await fieldsOf(transaction, agencyId, before));
    const id = before?.id ?? (await store.insertTeam(transaction, agencyId, parts.name));
    const next = { name: parts.name, version: before ? before.version + 1 : 1 };
    if (before) await store.updateTeam(transaction, id, next);
    const limited = await store.limitNewcomers(transaction, agencyId, parts.memberIds);
    await store.replaceParts(transaction, agencyId, { id, ...parts });
    const employees = await store.selectEmployees(transaction, agencyId);
    await recordChanges(transaction, author, [
      {
        entity: 'team',
        entityId: id,
        name: parts.name,
        action: before ? 'changed' : 'created',
        before: fieldsBefore,
        after: await fieldsOf(transaction, agencyId, parts),
      },
      ...employees
        .filter((each) => limited.includes(each.id))
        .map((each) => ({
          entity: 'user' as const,
          entityId: each.id,
          name: each.full_name,
          action: 'changed' as const,
          before: reachOf(agencyId, true),
          after: reachOf(agencyId, false),
        })),
    ]);
    return {
      concerned: [...new Set([...former, ...parts.memberIds])],
      result: { id, version: next.version },
    };
  });
}

/** Deletes a team; its members see no more than before. Throws NotFound and RecordHasChanged. */
export function remove(
  database: Database,
  author: Author,
  asked: BodyOf<typeof deleteTeam>,
): Promise<Record<string, never>> {
  const { agencyId, id } = asked;
  return changeTeams(database, { caller: author.caller, agencyId }, async (transaction) => {
    const team = await getTeam(transaction, asked);
    const before = await fieldsOf(transaction, agencyId, team);
    await store.deleteTeam(transaction, id);
    await recordChange(transaction, author, {
      entity: 'team',
      entityId: id,
      name: team.name,
      action: 'deleted',
      before,
    });
    return { concerned: team.memberIds, result: {} };
  });
}

/** Chooses whether an employee sees a whole agency or the work of their teams. Throws NotFound. */
export function changeReach(
  database: Database,
  author: Author,
  { agencyId, userId, seesWholeAgency }: BodyOf<typeof changeTeamReach>,
): Promise<Record<string, never>> {
  return changeTeams(database, { caller: author.caller, agencyId }, async (transaction) => {
    const [employee] = await store.selectEmployees(transaction, agencyId, userId);
    if (!employee) throw new Refusal('NotFound');
    await store.setReach(transaction, agencyId, userId, seesWholeAgency);
    await recordChange(transaction, author, {
      entity: 'user',
      entityId: userId,
      name: employee.full_name,
      action: 'changed',
      before: reachOf(agencyId, employee.seesWholeAgency),
      after: reachOf(agencyId, seesWholeAgency),
    });
    return { concerned: [userId], result: {} };
  });
}
