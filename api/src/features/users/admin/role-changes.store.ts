import type { Database, Transaction } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import type { RoleChangeKind, RolePosition } from '@diwan/contract/staff/role-changes';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'role_changes.after': RolePosition;
    'role_changes.before': RolePosition;
    'role_changes.kind': RoleChangeKind;
  }
}

// The row of `settings` with the admins' decision; without it nothing waits.
const settingName = 'roleConfirmation';

/** Whether changes of roles wait for a second admin. */
export async function isConfirmationRequired(database: Database | Transaction): Promise<boolean> {
  const row = await database
    .selectFrom('settings')
    .select('value')
    .where('name', '=', settingName)
    .executeTakeFirst();
  return row?.value === true;
}

export async function setConfirmation(transaction: Transaction, value: boolean): Promise<void> {
  await transaction
    .insertInto('settings')
    .values({ name: settingName, value: JSON.stringify(value) })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ value: JSON.stringify(value), changed_at: new Date() }),
    )
    .execute();
}

interface NewRoleChange {
  kind: RoleChangeKind;
  userId?: string;
  userVersion?: number;
  invitationId?: string;
  before?: RolePosition;
  after?: RolePosition;
  askedBy: string;
}

/** Stores a change that waits. Returns `false` where one of the same thing waits already. */
export async function insertRoleChange(
  transaction: Transaction,
  change: NewRoleChange,
): Promise<boolean> {
  const row = await transaction
    .insertInto('role_changes')
    .values({
      kind: change.kind,
      user_id: change.userId ?? null,
      user_version: change.userVersion ?? null,
      invitation_id: change.invitationId ?? null,
      before: JSON.stringify(change.before ?? {}),
      after: JSON.stringify(change.after ?? {}),
      asked_by: change.askedBy,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

const pendingChanges = (database: Database | Transaction) =>
  database
    .selectFrom('role_changes')
    .innerJoin('users as asker', 'asker.id', 'role_changes.asked_by')
    .leftJoin('users', 'users.id', 'role_changes.user_id')
    .leftJoin('staff_invitations', 'staff_invitations.id', 'role_changes.invitation_id')
    .selectAll('role_changes')
    .select([
      'asker.full_name as asked_by_name',
      'asker.full_name_ar as asked_by_name_ar',
      'users.full_name as user_name',
      'users.full_name_ar as user_name_ar',
      'users.version as current_version',
      'staff_invitations.full_name as invited_name',
      'staff_invitations.email as invited_email',
    ])
    .where('role_changes.decision', 'is', null)
    .orderBy('role_changes.asked_at')
    .orderBy('role_changes.id');

/** The changes that wait, the oldest first. */
export const selectPendingChanges = (database: Database) => pendingChanges(database).execute();
export type PendingChange = Awaited<ReturnType<typeof selectPendingChanges>>[number];

/** The change of an account that waits. */
export const findPendingOfUser = (database: Database | Transaction, userId: string) =>
  pendingChanges(database).where('role_changes.user_id', '=', userId).executeTakeFirst();

/** Locks a change that waits. `lockRoles` is held. */
export const findPendingChange = (transaction: Transaction, id: string) =>
  pendingChanges(transaction).where('role_changes.id', '=', id).executeTakeFirst();

export async function closeRoleChange(
  transaction: Transaction,
  id: string,
  decision: 'confirmed' | 'refused' | 'withdrawn',
  decidedBy: string,
): Promise<void> {
  await transaction
    .updateTable('role_changes')
    .set({ decision, decided_by: decidedBy, decided_at: new Date() })
    .where('id', '=', id)
    .where('decision', 'is', null)
    .execute();
}

/** Closes what waits about an invitation that is cancelled or replaced. */
export async function withdrawChangesOfInvitation(
  transaction: Transaction,
  invitationId: string,
  decidedBy: string,
): Promise<void> {
  await transaction
    .updateTable('role_changes')
    .set({ decision: 'withdrawn', decided_by: decidedBy, decided_at: new Date() })
    .where('invitation_id', '=', invitationId)
    .where('decision', 'is', null)
    .execute();
}

/** The number of admins who can sign in. */
export async function countAdmins(database: Database | Transaction): Promise<number> {
  const row = await database
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(sql<boolean>`'Admin' = any(roles)`)
    .where('suspended_at', 'is', null)
    .where(({ or, eb }) =>
      or([eb('password_hash', 'is not', null), eb('uaepass_id', 'is not', null)]),
    )
    .executeTakeFirstOrThrow();
  return row.count;
}
