import { createHash, randomBytes } from 'node:crypto';
import { invitationDays } from '@diwan/contract/people/companies';
import { Refusal } from '../core/refusals.ts';
import type { Database, Transaction } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import type { MailGateway } from './mail.ts';

/** The tables of invitations: staff and companies have their own, with the same life of a link. */
type InvitationTable = 'company_invitations' | 'staff_invitations';

/** What is stored of a token. One of 256 random bits needs no salt and no slow hash. */
export const hashInvitationToken = (token: string): string =>
  createHash('sha256').update(token).digest('hex');

/** A new link of an invitation: the token is only in its mail, the hash is stored. */
export function makeInvitationToken(): { token: string; tokenHash: string; expiresAt: Date } {
  const token = randomBytes(32).toString('base64url');
  const expiresAt = new Date(Date.now() + invitationDays * 86_400_000);
  return { token, tokenHash: hashInvitationToken(token), expiresAt };
}

/** The condition of an invitation that is neither accepted nor cancelled. */
export const isOpenInvitation = sql<boolean>`accepted_at is null and cancelled_at is null`;

// Both tables have the columns that are used here.
const updateInvitation = (database: Database | Transaction, table: InvitationTable, id: string) =>
  database.updateTable(table as 'staff_invitations').where('id', '=', id);

/**
 * Sends the mail of an invitation immediately and not by the outbox, which would store the token.
 * One that fails is shown as not sent and can be sent again. Throws MailUnreachable.
 */
export async function sendInvitationMail(
  context: { database: Database; mail: MailGateway; report: (error: unknown) => void },
  table: InvitationTable,
  id: string,
  mail: Parameters<MailGateway['send']>[0],
): Promise<void> {
  try {
    await context.mail.send(mail);
  } catch (error) {
    context.report(error);
    throw new Refusal('MailUnreachable');
  }
  await updateInvitation(context.database, table, id).set({ sent_at: new Date() }).execute();
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
