import { createHash, randomBytes } from 'node:crypto';
import { invitationDays } from '@diwan/contract/people/company-users';
import { checkContacts } from '@diwan/contract/forms/contact-details';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { localize } from '../../platform/core/localize.ts';
import type { MailGateway } from '../../platform/messages/mail.ts';
import { Refusal, ValidationRefusal } from '../../platform/core/refusals.ts';
import type { Caller } from '../../platform/auth/session.ts';
import { asManager } from './company-users.actions.ts';
import * as store from './company-users.store.ts';
import { invitationMail } from './invitation-mail.ts';

export interface InvitationsContext {
  database: Database;
  mail: MailGateway;
  publicUrl: string;
  warn(message: string): void;
}

// Far more than a company takes in a day, far fewer than somebody wants who sends mail in our name.
const invitationsInDay = 50;

// 256 random bits need no salt and no slow hash.
const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');

interface Sendable {
  id: string;
  token: string;
  email: string;
  language: Language;
  companyName: LocalizedText;
}

async function prepare(
  transaction: Transaction,
  caller: Caller,
  companyId: number,
  email: string,
  language: Language,
): Promise<Sendable> {
  if (await store.isUserOfCompany(transaction, companyId, email))
    throw new Refusal('AlreadyInCompany');
  if ((await store.countInvitationsToday(transaction, companyId)) >= invitationsInDay)
    throw new Refusal('TooManyRequests', { retryAfter: 3600 });
  const token = randomBytes(32).toString('base64url');
  const expires_at = new Date(Date.now() + invitationDays * 86_400_000);
  const id = await store.replaceInvitation(transaction, {
    company_id: companyId,
    email,
    token_hash: hashOf(token),
    language,
    invited_by: caller.userId,
    expires_at,
  });
  return {
    id,
    token,
    email,
    language,
    companyName: await store.getCompanyName(transaction, companyId),
  };
}

// At once and not by the outbox, which would hold the token; what did not go is shown as not sent
// and can be sent again.
async function send(
  context: InvitationsContext,
  caller: Caller,
  { id, token, email, language, companyName }: Sendable,
): Promise<void> {
  const link = `${context.publicUrl}/companies/join#${token}`;
  try {
    await context.mail.send({
      to: email,
      language,
      ...invitationMail(language, {
        company: localize(companyName, language),
        person: caller.fullName,
        link,
      }),
    });
  } catch (error) {
    context.warn(
      `an invitation was not taken: ${error instanceof Error ? error.message : 'unknown'}`,
    );
    throw new Refusal('MailUnreachable');
  }
  await store.setSent(context.database, id);
}

/** Invites an address; one that has an open invitation gets a new one in its place. */
export async function invite(
  context: InvitationsContext,
  caller: Caller,
  typed: string,
  language: Language,
): Promise<void> {
  const { values, issues } = checkContacts({ email: 'email' }, { email: typed });
  const prepared = await asManager(context.database, caller, (transaction, companyId) => {
    if (issues.length > 0) throw new ValidationRefusal(issues);
    return prepare(transaction, caller, companyId, values.email.toLowerCase(), language);
  });
  await send(context, caller, prepared);
}

async function getOpen(
  transaction: Transaction,
  companyId: number,
  id: string,
): Promise<store.InvitationRow> {
  const invitation = await store.findOpenInvitation(transaction, companyId, id);
  if (!invitation) throw new Refusal('NotFound');
  return invitation;
}

/** Sends an invitation again, with a link of its own and seven new days. */
export async function resend(
  context: InvitationsContext,
  caller: Caller,
  id: string,
): Promise<void> {
  const prepared = await asManager(context.database, caller, async (transaction, companyId) => {
    const { email, language } = await getOpen(transaction, companyId, id);
    return prepare(transaction, caller, companyId, email, language as Language);
  });
  await send(context, caller, prepared);
}

export async function cancel(database: Database, caller: Caller, id: string): Promise<void> {
  await asManager(database, caller, async (transaction, companyId) =>
    store.cancelInvitation(transaction, (await getOpen(transaction, companyId, id)).id),
  );
}

/**
 * The invitation that a token opens. Unknown, used, cancelled and expired ones are all the same to
 * whoever holds it.
 */
export async function getInvitation(database: Database | Transaction, token: string) {
  const invitation = await store.findByToken(database, hashOf(token));
  if (!invitation) throw new Refusal('InvitationNotValid');
  return invitation;
}
