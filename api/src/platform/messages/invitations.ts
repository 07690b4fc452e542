import { createHash, randomBytes } from 'node:crypto';
import { invitationDays } from '@diwan/contract/people/companies';
import { Refusal } from '../core/refusals.ts';
import type { Database } from '../database/database.ts';
import { markInvitationSent, type InvitationTable } from './invitations.store.ts';
import type { MailGateway } from './mail.ts';

/** What is stored of a token. One of 256 random bits needs no salt and no slow hash. */
export const hashInvitationToken = (token: string): string =>
  createHash('sha256').update(token).digest('hex');

/** A new link of an invitation: the token is only in its mail, the hash is stored. */
export function makeInvitationToken(): { token: string; tokenHash: string; expiresAt: Date } {
  const token = randomBytes(32).toString('base64url');
  const expiresAt = new Date(Date.now() + invitationDays * 86_400_000);
  return { token, tokenHash: hashInvitationToken(token), expiresAt };
}

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
  await markInvitationSent(context.database, table, id);
}
