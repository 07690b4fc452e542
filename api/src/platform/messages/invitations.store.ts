import { Refusal } from '../core/refusals.ts';
import type { Database, Transaction } from '../database/database.ts';
import { sql } from '../database/sql.ts';

/** The tables of invitations: staff and companies have their own, with the same life of a link. */
export type InvitationTable = 'company_invitations' | 'staff_invitations';

/** The condition of an invitation that is neither accepted nor cancelled. */
export const isOpenInvitation = sql<boolean>`accepted_at is null and cancelled_at is null`;

// Both tables have the columns that are used here.
const updateInvitation = (database: Database | Transaction, table: InvitationTable, id: string) =>
  database.updateTable(table as 'staff_invitations').where('id', '=', id);

/** Records that the mail of an invitation was sent. */
export async function markInvitationSent(
  database: Database,
  table: InvitationTable,
  id: string,
): Promise<void> {
  await updateInvitation(database, table, id).set({ sent_at: new Date() }).execute();
}

/** Ends an invitation: its link no longer works. */
export async function cancelInvitation(
  transaction: Transaction,
  table: InvitationTable,
  id: string,
): Promise<void> {
  await updateInvitation(transaction, table, id).set({ cancelled_at: new Date() }).execute();
}

/** Marks an invitation as accepted. Throws InvitationNotValid where another call was faster. */
export async function acceptInvitation(
  transaction: Transaction,
  table: InvitationTable,
  id: string,
  userId: string,
): Promise<void> {
  const { numUpdatedRows } = await updateInvitation(transaction, table, id)
    .set({ accepted_at: new Date(), accepted_by: userId })
    .where(isOpenInvitation)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new Refusal('InvitationNotValid');
}
