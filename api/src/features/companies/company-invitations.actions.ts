import { nameOfCaller, type Caller } from '#platform/auth/caller.ts';
import { createTranslator } from '#platform/core/locale-texts.ts';
import { localize } from '#platform/core/localize.ts';
import { sanitizeCompanyName, sanitizePersonName } from '#platform/core/message-template.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { cancelInvitation } from '#platform/messages/invitations.store.ts';
import {
  hashInvitationToken,
  makeInvitationToken,
  sendInvitationMail,
} from '#platform/messages/invitations.ts';
import type { MailGateway } from '#platform/messages/mail.ts';
import { checkContacts } from '@diwan/contract/forms/contact-details';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import { asManager } from './company-users.actions.ts';
import * as store from './company-users.store.ts';

export interface InvitationsContext {
  database: Database;
  mail: MailGateway;
  publicUrl: string;
  report(error: unknown): void;
}

// Far above what a company needs in a day, and too few for spam in our name.
const invitationsInDay = 50;

interface PreparedInvitation {
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
  { email, language }: { email: string; language: Language },
): Promise<PreparedInvitation> {
  if (await store.isUserOfCompany(transaction, companyId, email))
    throw new Refusal('AlreadyInCompany');
  // guard: invitations in a day (company-users)
  if ((await store.countInvitationsToday(transaction, companyId)) >= invitationsInDay)
    throw new Refusal('TooManyRequests', { retryAfter: 3600 });
  const { token, tokenHash, expiresAt } = makeInvitationToken();
  const id = await store.replaceInvitation(transaction, {
    company_id: companyId,
    email,
    token_hash: tokenHash,
    language,
    invited_by: caller.userId,
    expires_at: expiresAt,
  });
  return {
    id,
    token,
    email,
    language,
    companyName: await store.getCompanyName(transaction, companyId),
  };
}

const t = createTranslator('company-messages');

/** Writes the mail of an invitation. Names in it cannot become links. */
export function writeInvitationMail(
  language: Language,
  { company, person, link }: { company: string; person: string; link: string },
): { subject: string; text: string } {
  const values = {
    company: sanitizeCompanyName(company),
    person: sanitizePersonName(person),
    link,
  };
  return {
    subject: t('invitation.subject', language, values),
    text: t('invitation.text', language, values),
  };
}

async function send(
  context: InvitationsContext,
  caller: Caller,
  { id, token, email, language, companyName }: PreparedInvitation,
): Promise<void> {
  await sendInvitationMail(context, 'company_invitations', id, {
    to: email,
    language,
    ...writeInvitationMail(language, {
      company: localize(companyName, language),
      person: nameOfCaller(caller, language),
      link: `${context.publicUrl}/companies/join#${token}`,
    }),
  });
}

/** Invites an address. A new invitation replaces an open one. */
export async function invite(
  context: InvitationsContext,
  caller: Caller,
  typed: string,
  language: Language,
): Promise<void> {
  const { values, issues } = checkContacts({ email: 'email' }, { email: typed });
  const prepared = await asManager(context.database, caller, (transaction, companyId) => {
    if (issues.length > 0) throw new ValidationRefusal(issues);
    return prepare(transaction, caller, companyId, { email: values.email.toLowerCase(), language });
  });
  await send(context, caller, prepared);
}

async function getOpenInvitation(
  transaction: Transaction,
  companyId: number,
  id: string,
): Promise<store.InvitationRow> {
  const invitation = await store.findOpenInvitation(transaction, companyId, id);
  if (!invitation) throw new Refusal('NotFound');
  return invitation;
}

/** Sends an invitation again, with a new link that is valid for seven more days. */
export async function resend(
  context: InvitationsContext,
  caller: Caller,
  id: string,
): Promise<void> {
  const prepared = await asManager(context.database, caller, async (transaction, companyId) => {
    const { email, language } = await getOpenInvitation(transaction, companyId, id);
    return prepare(transaction, caller, companyId, { email, language: language as Language });
  });
  await send(context, caller, prepared);
}

export async function cancel(database: Database, caller: Caller, id: string): Promise<void> {
  await asManager(database, caller, async (transaction, companyId) =>
    cancelInvitation(
      transaction,
      'company_invitations',
      (await getOpenInvitation(transaction, companyId, id)).id,
    ),
  );
}

/**
 * Returns the invitation of a token. Unknown, used, cancelled and expired tokens get the same
 * error.
 */
export async function getInvitation(database: Database | Transaction, token: string) {
  const invitation = await store.findByToken(database, hashInvitationToken(token));
  if (!invitation) throw new Refusal('InvitationNotValid');
  return invitation;
}
