import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import { partnerMoves, type PartnerAction } from '@diwan/contract/people/partner-states';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { localize } from '../../platform/core/localize.ts';
import { companyNameForMessage, textForMessage } from '../../platform/core/message-fill.ts';
import { enqueueMessages, type OutgoingMessage } from '../../platform/messages/message-outbox.ts';
import { Refusal } from '../../platform/core/refusals.ts';
import type { Caller } from '../../platform/auth/session.ts';
import type { Catalogue } from '../services/services.actions.ts';
import type { PartnerDocumentsContext } from './partner-documents.actions.ts';
import * as store from './partner-records.store.ts';
import { partnerMails, reasonsFor } from './partner-words.ts';

/**
 * What the life of service providers stands on. `openStatuses`: the statuses in which a request is
 * not finished.
 */
export interface PartnersContext extends PartnerDocumentsContext {
  database: Database;
  catalogue: Catalogue;
  publicUrl: string;
  openStatuses(): readonly number[];
  /** To be called after the commit of what writes mail. */
  mailWaits(): void;
}

export interface Move {
  caller: Caller;
  partnerId: number;
  action: PartnerAction;
  /**
   * What the caller had before their eyes; without it nothing is there yet that could have changed.
   */
  version?: number;
  reasons?: readonly string[];
  message?: LocalizedText | undefined;
  /**
   * Of who acts; a supervisor who chose none is written to in the provider's own: see `writeMails`.
   */
  language: Language;
}

const elsewhere: LocalizedText = {
  'ar-EG': '(الرابط في ملف مزود الخدمة)',
  'en-US': '(the link is on your provider profile)',
  'ur-PK': '(لنک آپ کی پروفائل پر ہے)',
};
const signature: LocalizedText = {
  'ar-EG': 'فريق ديوان',
  'en-US': 'The Diwan team',
  'ur-PK': 'دیوان ٹیم',
};

async function writeMails(
  context: PartnersContext,
  transaction: Transaction,
  { partnerId, action, reasons = [], message, caller, language }: Move,
): Promise<void> {
  const words = partnerMails[action];
  if (!words) return;
  const partner = await store.lockPartner(transaction, partnerId);
  const people = await store.selectSupervisors(transaction, partnerId);
  const fallback: Language = action === 'register' ? language : 'ar-EG';
  const recipients = new Map(
    people
      .filter(({ email }) => email !== '')
      .map((person) => [
        person.email.toLowerCase(),
        { to: person.email, language: person.language ?? fallback },
      ]),
  );
  if (partner?.contact_email && !recipients.has(partner.contact_email.toLowerCase()))
    recipients.set(partner.contact_email.toLowerCase(), {
      to: partner.contact_email,
      language: people.find(({ id }) => id === caller.userId)?.language ?? fallback,
    });
  const mails = [...recipients.values()].map(({ to, language: own }): OutgoingMessage => {
    const list = reasonsFor(action)
      .filter(({ name }) => reasons.includes(name))
      .map(({ text }) => `- ${localize(text, own)}`)
      .join('\n');
    const parts = [
      partner ? companyNameForMessage(localize(partner.name, own)) : '',
      localize(words.text, own),
      list,
      message ? textForMessage(localize(message, own), context.publicUrl, elsewhere[own]) : '',
      `${context.publicUrl}/partner/profile`,
      localize(signature, own),
    ];
    return {
      kind: 'partner',
      channel: 'email',
      recipient: to,
      language: own,
      subject: localize(words.subject, own),
      body: parts.filter(Boolean).join('\n\n'),
    };
  });
  await enqueueMessages(transaction, ...mails);
}

/**
 * Moves a service provider as the table of `partner-states.ts` allows, writes down who, when and
 * why, and writes to its people. In the transaction of the caller.
 */
export async function move(
  context: PartnersContext,
  transaction: Transaction,
  wanted: Move,
): Promise<void> {
  const { caller, partnerId, action, version, reasons = [], message } = wanted;
  const { from, to, isReasoned } = partnerMoves[action];
  const partner = await store.lockPartner(transaction, partnerId);
  if (!partner) throw new Refusal('NotFound');
  const isBeginning = action === 'register' && partner.state === 'registered';
  if (version !== undefined && version !== partner.version) throw new Refusal('ProviderHasChanged');
  if (!isBeginning && !from.includes(partner.state)) throw new Refusal('ProviderActionNotAllowed');
  const known = reasonsFor(action).map(({ name }) => name);
  if (reasons.some((name) => !known.includes(name)) || (isReasoned && reasons.length === 0))
    throw new Refusal('ReasonRequired');
  if (!isBeginning) await store.updatePartner(transaction, partnerId, { state: to });
  await store.appendStep(transaction, {
    partner_id: partnerId,
    action,
    from_state: isBeginning ? null : partner.state,
    to_state: to,
    actor_id: caller.userId,
    actor_name: caller.fullName,
    reasons: [...new Set(reasons)],
    message: message ? JSON.stringify(message) : null,
  });
  await writeMails(context, transaction, wanted);
}

/** A move by an admin. */
export async function changeState(context: PartnersContext, wanted: Move): Promise<void> {
  if (partnerMoves[wanted.action].by !== 'admin') throw new Refusal('ProviderActionNotAllowed');
  await context.database
    .transaction()
    .execute((transaction) => move(context, transaction, wanted))
    .catch((error: Error & { constraint?: string }) => {
      // Somebody else registered with the licence after this one was refused.
      throw error.constraint === 'partners_licence' ? new Refusal('LicenceNumberInUse') : error;
    });
  context.mailWaits();
}
