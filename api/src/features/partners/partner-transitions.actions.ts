import { announceAccessChange } from '#platform/auth/access-changes.ts';
import type { Caller } from '#platform/auth/caller.ts';
import { recordChange } from '#platform/auth/changes.ts';
import { createTranslator } from '#platform/core/locale-texts.ts';
import { localize } from '#platform/core/localize.ts';
import { sanitizeCompanyName, sanitizeMessageText } from '#platform/core/message-template.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { enqueueMessages, type OutgoingMessage } from '#platform/messages/message-outbox.ts';
import { partnerTransitions, type PartnerAction } from '@diwan/contract/people/partner-states';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import type { Catalogue } from '../services/services.actions.ts';
import type { PartnerDocumentsContext } from './partner-documents.actions.ts';
import * as store from './partner-records.store.ts';

/**
 * The dependencies of service provider actions. `openStatuses` are the statuses of requests that
 * are not finished.
 */
export interface PartnersContext extends PartnerDocumentsContext {
  database: Database;
  catalogue: Catalogue;
  publicUrl: string;
  openStatuses(): readonly number[];
  /** Call it after the commit of a transaction that enqueues mails. */
  wakeOutbox(): void;
}

interface TransitionInput {
  caller: Caller;
  /** The network address of an admin. */
  address?: string;
  partnerId: number;
  action: PartnerAction;
  /** The version that the caller saw. A new registration has none. */
  version?: number;
  reasons?: readonly string[];
  message?: LocalizedText | undefined;
  /** The language of the caller. `enqueueMails` says when it applies to mails. */
  language: Language;
}

const t = createTranslator('partner-messages');

// The reasons that an admin can give, by the actions that they are for. The specification shows
// none; see docs/unknowns.md.
const reasonActions: Readonly<Record<string, readonly PartnerAction[]>> = {
  licenceExpired: ['askAgain', 'refuse', 'suspend'],
  documentUnreadable: ['askAgain'],
  letterNotSigned: ['askAgain'],
  detailsDiffer: ['askAgain', 'refuse'],
  agencyNotConfirmed: ['askAgain', 'refuse'],
  activityNotCovered: ['refuse'],
  complaints: ['suspend'],
  rulesBroken: ['suspend'],
  agencyRequest: ['suspend'],
};
const reasonNames = Object.keys(reasonActions);

/** The names of the reasons for an action, in the order in which they are shown. */
export const reasonsFor = (action: PartnerAction): readonly string[] =>
  reasonNames.filter((name) => reasonActions[name]?.includes(action));

/** Known reasons in the order in which they are shown. */
export const sortReasons = (names: readonly string[]): readonly string[] =>
  reasonNames.filter((name) => names.includes(name));

export const describeReason = (name: string, language: Language): string =>
  t(`reasons.${name}`, language);

const actionsWithMail: readonly PartnerAction[] = [
  'register',
  'askAgain',
  'accept',
  'refuse',
  'suspend',
  'reactivate',
];

// To all supervisors and the contact address, each in the language that the person has chosen. The
// mail of a registration falls back to the language of the caller, every other mail to Arabic.
async function enqueueMails(
  { publicUrl }: PartnersContext,
  transaction: Transaction,
  { partnerId, action, reasons = [], message, caller, language }: TransitionInput,
): Promise<void> {
  if (!actionsWithMail.includes(action)) return;
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
  const given = reasonsFor(action).filter((name) => reasons.includes(name));
  const mails = [...recipients.values()].map(({ to, language: own }): OutgoingMessage => {
    const paragraphs = [
      partner ? sanitizeCompanyName(localize(partner.name, own)) : '',
      t(`mails.${action}.text`, own),
      given.map((name) => `- ${describeReason(name, own)}`).join('\n'),
      message
        ? sanitizeMessageText(localize(message, own), publicUrl, t('linkReplacement', own))
        : '',
      `${publicUrl}/partner/profile`,
      t('signature', own),
    ];
    return {
      kind: 'partner',
      channel: 'email',
      recipient: to,
      language: own,
      subject: t(`mails.${action}.subject`, own),
      body: paragraphs.filter(Boolean).join('\n\n'),
    };
  });
  await enqueueMessages(transaction, ...mails);
}

/**
 * Changes the state of a service provider as the table in `partner-states.ts` allows, appends the
 * change to its history, and enqueues mails to its people.
 */
export async function applyTransition(
  context: PartnersContext,
  transaction: Transaction,
  input: TransitionInput,
): Promise<void> {
  const { caller, partnerId, action, version, reasons = [], message } = input;
  const { from, to, requiresReason: isReasoned } = partnerTransitions[action];
  const partner = await store.lockPartner(transaction, partnerId);
  if (!partner) throw new Refusal('NotFound');
  const isRegistration = action === 'register' && partner.state === 'registered';
  // guard: step of a provider’s life (partner-life)
  if (version !== undefined && version !== partner.version) throw new Refusal('ProviderHasChanged');
  if (!isRegistration && !from.includes(partner.state))
    throw new Refusal('ProviderActionNotAllowed');
  const known = reasonsFor(action);
  if (reasons.some((name) => !known.includes(name)) || (isReasoned && reasons.length === 0))
    throw new Refusal('ReasonRequired');
  if (!isRegistration) await store.updatePartner(transaction, partnerId, { state: to });
  await store.appendStep(transaction, {
    partner_id: partnerId,
    action,
    from_state: isRegistration ? null : partner.state,
    to_state: to,
    actor_id: caller.userId,
    actor_name: caller.fullName,
    reasons: [...new Set(reasons)],
    message: message ? JSON.stringify(message) : null,
  });
  await enqueueMails(context, transaction, input);
}

/**
 * Runs a change of a service provider. Throws LicenceNumberInUse where another provider has the
 * licence, which the index decides for two registrations at the same moment.
 */
export async function rejectDuplicateLicence<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: Error & { constraint?: string }) => {
    throw error.constraint === 'partners_licence' ? new Refusal('LicenceNumberInUse') : error;
  });
}

/** Changes the state of a service provider as an admin. */
export async function changeState(context: PartnersContext, input: TransitionInput): Promise<void> {
  if (partnerTransitions[input.action].by !== 'admin')
    throw new Refusal('ProviderActionNotAllowed');
  const { database } = context;
  // Another provider may have registered with the licence after this one was refused.
  const people = await rejectDuplicateLicence(
    inTransaction(database, async (transaction) => {
      const before = await store.lockPartner(transaction, input.partnerId);
      await applyTransition(context, transaction, input);
      await recordChange(transaction, input, {
        entity: 'partner',
        entityId: input.partnerId,
        name: before?.name,
        action: 'changed',
        before: { state: before?.state },
        after: {
          state: partnerTransitions[input.action].to,
          ...(input.reasons?.length ? { reasons: input.reasons } : {}),
        },
      });
      return store.selectSupervisors(transaction, input.partnerId);
    }),
  );
  context.wakeOutbox();
  // The live connections of a suspended provider close immediately, in all processes.
  await Promise.all(people.map(({ id }) => announceAccessChange(database, id)));
}
