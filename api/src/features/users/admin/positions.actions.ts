import { findAdministered } from '#platform/auth/agencies/agency-administration.store.ts';
import { administeredAgencies } from '#platform/auth/agencies/agency-administration.ts';
import type { AgencyScope, Caller } from '#platform/auth/caller.ts';
import { recordChange, recordChanges } from '#platform/auth/changes.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import type { Transaction } from '#platform/database/database.ts';
import type { ChangeAction } from '@diwan/contract/people/changes';
import type { RolePosition } from '@diwan/contract/staff/role-changes';
import {
  governmentRoles,
  grantedRoles,
  portalWideRoles,
  type GrantedRole,
} from '@diwan/contract/wire/call';
import { selectNames } from './audit.store.ts';
import { insertRoleChange, isConfirmationRequired } from './role-changes.store.ts';
import * as store from './user-records.store.ts';

/** The admin who makes a change, and from which network address. */
export interface Admin {
  caller: Caller;
  address: string;
}

/**
 * The roles of an account, the partner that it works for, the agencies that it sees, and whether it has
 * the urgent right; `undefined` keeps what it has.
 */
interface Position {
  roles: readonly string[];
  partnerId: number | null;
  agencies?: AgencyScope | undefined;
  readsUrgently?: boolean | undefined;
}

const hasOneOf = (userRoles: readonly string[], wanted: readonly string[]) =>
  wanted.some((role) => userRoles.includes(role));

/**
 * Waits for all other changes of roles that are under way. The caller may have lost the role since
 * the call began.
 */
export async function lockRolesAs(transaction: Transaction, { caller }: Admin): Promise<void> {
  await store.lockRoles(transaction);
  // guard: administrator who lost the role meanwhile (user-records)
  if (!(await store.isActiveAdmin(transaction, caller.userId)))
    throw new Refusal('YouAreUnauthorized');
}

/**
 * Like `lockRolesAs`, also for an administrator of agencies. Returns the agencies that the caller
 * administers now, which may have changed since the call began.
 */
export async function lockStaffAs(transaction: Transaction, admin: Admin): Promise<AgencyScope> {
  if (administeredAgencies(admin.caller) === 'all') {
    await lockRolesAs(transaction, admin);
    return 'all';
  }
  await store.lockRoles(transaction);
  const agencyIds = await findAdministered(transaction, admin.caller.userId);
  if (!agencyIds) throw new Refusal('YouAreUnauthorized');
  return agencyIds;
}

/**
 * What an administrator of agencies gives: the role of an employee in agencies of theirs. Throws a
 * ValidationRefusal.
 */
export function requireOwnPosition(
  scope: AgencyScope,
  { roles, agencies, readsUrgently }: Position,
): void {
  if (scope === 'all') return;
  // guard: urgent right that an agency administrator gives (urgent-reading)
  if (readsUrgently !== undefined)
    throw new ValidationRefusal([{ field: 'readsUrgently', code: 'notAllowed' }]);
  // guard: roles that an agency administrator gives (agency-staff)
  if (roles.length !== 1 || roles[0] !== 'Employee')
    throw new ValidationRefusal([{ field: 'roles', code: 'notAllowed' }]);
  if (agencies === undefined || agencies.length === 0)
    throw new ValidationRefusal([{ field: 'agencyIds', code: 'required' }]);
  // guard: agencies that an agency administrator gives (agency-staff)
  if (agencies === 'all' || agencies.some((id) => !scope.includes(id)))
    throw new ValidationRefusal([{ field: 'agencyIds', code: 'otherAgency' }]);
}

/**
 * Refuses a change after which too few admins could sign in: one, or two where a second one has to
 * confirm.
 */
export async function requireOtherAdmins(
  transaction: Transaction,
  user: store.UserRow,
): Promise<void> {
  if (!user.roles.includes('Admin') || user.suspended_at !== null) return;
  const others = await store.countOtherAdmins(transaction, user.id);
  // guard: last administrator (user-records)
  if (others < 1) throw new Refusal('LastAdministrator');
  // guard: last two administrators where a second one confirms (staff)
  if (others < 2 && (await isConfirmationRequired(transaction)))
    throw new Refusal('TwoAdministratorsNeeded');
}

/** What an admin chooses, as on the wire. */
export interface ChosenPosition {
  roles: readonly GrantedRole[];
  partnerId?: number | undefined;
  allAgencies?: boolean | undefined;
  agencyIds?: readonly number[] | undefined;
  readsUrgently?: boolean | undefined;
}

function parseAgencies({ roles, allAgencies, agencyIds }: ChosenPosition): Position['agencies'] {
  if (allAgencies === undefined && agencyIds === undefined) return undefined;
  const agencies = allAgencies ? 'all' : [...new Set(agencyIds)].sort((a, b) => a - b);
  // guard: some agencies for a role that concerns all (staff-agencies)
  if (agencies !== 'all' && hasOneOf(roles, portalWideRoles))
    throw new ValidationRefusal([{ field: 'allAgencies', code: 'needsAllAgencies' }]);
  return agencies;
}

function parseUrgentRight({ roles, readsUrgently }: ChosenPosition): boolean | undefined {
  if (readsUrgently && !roles.includes('Employee'))
    throw new ValidationRefusal([{ field: 'readsUrgently', code: 'notAllowed' }]);
  return readsUrgently;
}

/** The roles as they are stored, in one order. Throws a ValidationRefusal. */
export function parsePosition(given: ChosenPosition): Position {
  const granted = grantedRoles.filter((role) => given.roles.includes(role));
  const isSupervisor = granted.includes('ServiceProvider');
  // Portal staff who also work for a provider could accept the work that they approve.
  // guard: roles of staff for a supervisor (user-records)
  if (isSupervisor && granted.length > 1)
    throw new ValidationRefusal([{ field: 'roles', code: 'notAllowed' }]);
  if (isSupervisor && given.partnerId === undefined)
    throw new ValidationRefusal([{ field: 'partnerId', code: 'required' }]);
  return {
    roles: granted,
    partnerId: isSupervisor ? (given.partnerId ?? null) : null,
    agencies: parseAgencies(given),
    readsUrgently: parseUrgentRight(given),
  };
}

/** What somebody sees by their roles, where an admin chose these agencies or none. */
export const agenciesOf = (userRoles: readonly string[], chosen: AgencyScope): AgencyScope =>
  hasOneOf(userRoles, portalWideRoles) ? 'all' : hasOneOf(userRoles, governmentRoles) ? chosen : [];

/** Refuses agencies that do not exist. */
export async function requireAgencies(
  transaction: Transaction,
  agencies: AgencyScope | undefined,
): Promise<void> {
  if (agencies === undefined || agencies === 'all' || agencies.length === 0) return;
  if ((await selectNames(transaction, 'agencies', agencies)).size < agencies.length)
    throw new ValidationRefusal([{ field: 'agencyIds', code: 'notAllowed' }]);
}

/**
 * Locks the partners that a change concerns, before `lockRoles`. The supervisor who leaves a partner
 * must not be the last one who can work on its requests.
 */
export async function lockPartners(
  transaction: Transaction,
  user: { id: string; roles: readonly string[]; partner_id: number | null },
  position: Omit<Position, 'agencies' | 'readsUrgently'>,
): Promise<void> {
  const left =
    user.roles.includes('ServiceProvider') && user.partner_id !== position.partnerId
      ? user.partner_id
      : null;
  // In one order, so that two changes cannot deadlock.
  const ids = [left, position.partnerId].filter((id) => id !== null).sort((a, b) => a - b);
  for (const id of ids) {
    const others = await store.countOtherSupervisors(transaction, id, user.id);
    // guard: last supervisor of a provider at a change of roles (user-records)
    if (id === left && others === 0) throw new Refusal('ProviderNeedsSupervisor');
    if (id === position.partnerId && others === undefined)
      throw new ValidationRefusal([{ field: 'partnerId', code: 'notAllowed' }]);
  }
}

/** A position as the history shows it. */
export const fieldsOf = ({ roles, partnerId, agencies, readsUrgently }: SetPosition) => ({
  roles: roles.toSorted(),
  partnerId,
  allAgencies: agencies === 'all',
  agencyIds: agencies === 'all' ? [] : agencies,
  readsUrgently,
});

/** A position whose agencies are known. An invitation gives no urgent right. */
type SetPosition = Position & { agencies: AgencyScope };

/** Refuses an administrator of agencies who would administer all. Throws a ValidationRefusal. */
export function requireSomeAgencies({ roles, agencies }: SetPosition): void {
  // guard: administrator of agencies with the right to all (agency-staff)
  if (roles.includes('AgencyAdmin') && agencies === 'all')
    throw new ValidationRefusal([{ field: 'allAgencies', code: 'needsSomeAgencies' }]);
}

/** The position of a locked account before a change, and after it. */
async function readPositions(
  transaction: Transaction,
  user: store.UserRow,
  wanted: Position,
): Promise<{ before: SetPosition; after: SetPosition }> {
  const agencies = await store.readAgencies(transaction, user.id);
  const { reads_urgently: readsUrgently } = user;
  const after = {
    ...wanted,
    agencies: agenciesOf(wanted.roles, wanted.agencies ?? agencies),
    readsUrgently: wanted.roles.includes('Employee') && (wanted.readsUrgently ?? readsUrgently),
  };
  requireSomeAgencies(after);
  return {
    before: { roles: user.roles, partnerId: user.partner_id, agencies, readsUrgently },
    after,
  };
}

async function checkPosition(
  transaction: Transaction,
  user: store.UserRow,
  position: Position,
): Promise<void> {
  // guard: roles of staff for a user of a company (user-records)
  if (user.company_id !== null) throw new Refusal('AccountCannotHaveRoles');
  if (!position.roles.includes('Admin')) await requireOtherAdmins(transaction, user);
  const isNewcomer = position.roles.length > 0 && user.roles.length === 0;
  // guard: roles of staff for an account with own requests (user-records)
  if (isNewcomer && (await store.hasOwnRequests(transaction, user.id)))
    throw new Refusal('AccountCannotHaveRoles');
  await requireAgencies(transaction, position.agencies);
}

const recordPosition = (
  transaction: Transaction,
  admin: Admin,
  user: store.UserRow,
  { action, before, after }: { action: ChangeAction; before: SetPosition; after: SetPosition },
) =>
  recordChange(transaction, admin, {
    entity: 'user',
    entityId: user.id,
    name: user.full_name,
    action,
    before: fieldsOf(before),
    after: fieldsOf(after),
  });

/**
 * Sets the roles of a locked account; the caller has called `lockRoles`. `askedBy` is who asked for
 * what the admin confirms.
 */
export async function applyPosition(
  transaction: Transaction,
  admin: Admin,
  user: store.UserRow,
  {
    action = 'changed',
    askedBy = admin.caller.userId,
    ...position
  }: Position & { action?: ChangeAction; askedBy?: string },
): Promise<void> {
  await checkPosition(transaction, user, position);
  const positions = await readPositions(transaction, user, position);
  await store.setPosition(transaction, user.id, { ...positions.after, by: askedBy });
  await recordPosition(transaction, admin, user, { action, ...positions });
  await recordSupervisor(transaction, admin, user, position);
}

// On the page of a service provider: who works for it now, and who no longer does.
async function recordSupervisor(
  transaction: Transaction,
  admin: Admin,
  user: store.UserRow,
  position: Position,
): Promise<void> {
  if (user.partner_id === position.partnerId) return;
  const ids = [user.partner_id, position.partnerId].filter((id) => id !== null);
  const names = await selectNames(transaction, 'partners', ids);
  await recordChanges(
    transaction,
    admin,
    ids.map((entityId) => ({
      entity: 'partner',
      entityId,
      name: names.get(entityId),
      action: 'changed',
      [entityId === position.partnerId ? 'after' : 'before']: { supervisor: user.full_name },
    })),
  );
}

/** A position as a change that waits holds it. */
export const toStored = ({
  roles,
  partnerId,
  agencies,
  readsUrgently,
}: SetPosition): RolePosition => ({
  roles: [...roles],
  partnerId,
  agencies: agencies === 'all' ? 'all' : [...agencies],
  readsUrgently,
});

/**
 * Sets the roles of a locked account, or stores them for another admin to confirm, where the rule
 * says so. Returns which. Throws ChangeIsPending where others wait already.
 */
export async function changePosition(
  transaction: Transaction,
  admin: Admin,
  user: store.UserRow,
  position: Position,
): Promise<'changed' | 'requested'> {
  // guard: roles that wait for a second administrator (staff) => true
  if (!(await isConfirmationRequired(transaction))) {
    await applyPosition(transaction, admin, user, position);
    return 'changed';
  }
  await checkPosition(transaction, user, position);
  const { before, after } = await readPositions(transaction, user, position);
  const isStored = await insertRoleChange(transaction, {
    kind: 'roles',
    userId: user.id,
    userVersion: user.version,
    before: toStored(before),
    after: toStored(after),
    askedBy: admin.caller.userId,
  });
  if (!isStored) throw new Refusal('ChangeIsPending');
  await recordPosition(transaction, admin, user, { action: 'requested', before, after });
  return 'requested';
}
