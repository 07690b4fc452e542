import type { Caller } from '#platform/auth/caller.ts';
import { recordChange, recordChanges } from '#platform/auth/changes.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import type { Transaction } from '#platform/database/database.ts';
import type { ChangeAction } from '@diwan/contract/people/changes';
import { grantedRoles, type GrantedRole } from '@diwan/contract/wire/call';
import {
  insertRoleChange,
  isConfirmationRequired,
  selectPartnerNames,
} from './role-changes.store.ts';
import * as store from './user-records.store.ts';

/** The admin who makes a change, and from which network address. */
export interface Admin {
  caller: Caller;
  address: string;
}

/** The roles of an account and the partner that it works for. */
interface Position {
  roles: readonly string[];
  partnerId: number | null;
}

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

/** The roles as they are stored, in one order. Throws a ValidationRefusal. */
export function parsePosition(given: {
  roles: readonly GrantedRole[];
  partnerId?: number | undefined;
}): Position {
  const granted = grantedRoles.filter((role) => given.roles.includes(role));
  const isSupervisor = granted.includes('ServiceProvider');
  // Portal staff who also work for a provider could accept the work that they approve.
  // guard: roles of staff for a supervisor (user-records)
  if (isSupervisor && granted.length > 1)
    throw new ValidationRefusal([{ field: 'roles', code: 'notAllowed' }]);
  if (isSupervisor && given.partnerId === undefined)
    throw new ValidationRefusal([{ field: 'partnerId', code: 'required' }]);
  return { roles: granted, partnerId: isSupervisor ? (given.partnerId ?? null) : null };
}

/**
 * Locks the partners that a change concerns, before `lockRoles`. The supervisor who leaves a partner
 * must not be the last one who can work on its requests.
 */
export async function lockPartners(
  transaction: Transaction,
  user: { id: string; roles: readonly string[]; partner_id: number | null },
  position: Position,
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

const fieldsOf = ({ roles, partnerId }: Position) => ({
  roles: roles.toSorted(),
  partnerId,
});

const positionOf = (user: Pick<store.UserRow, 'roles' | 'partner_id'>): Position => ({
  roles: user.roles,
  partnerId: user.partner_id,
});

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
}

const recordPosition = (
  transaction: Transaction,
  admin: Admin,
  user: store.UserRow,
  { action, position }: { action: ChangeAction; position: Position },
) =>
  recordChange(transaction, admin, {
    entity: 'user',
    entityId: user.id,
    name: user.full_name,
    action,
    before: fieldsOf(positionOf(user)),
    after: fieldsOf(position),
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
  await store.setRoles(transaction, user.id, { ...position, by: askedBy });
  await recordPosition(transaction, admin, user, { action, position });
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
  const names = await selectPartnerNames(transaction, ids);
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
  const isStored = await insertRoleChange(transaction, {
    kind: 'roles',
    userId: user.id,
    userVersion: user.version,
    before: { roles: user.roles, partnerId: user.partner_id },
    after: { roles: [...position.roles], partnerId: position.partnerId },
    askedBy: admin.caller.userId,
  });
  if (!isStored) throw new Refusal('ChangeIsPending');
  await recordPosition(transaction, admin, user, { action: 'requested', position });
  return 'requested';
}
