import { dayInDubai } from '@diwan/contract/wire/days';
import type { Language } from '@diwan/contract/wire/languages';
import type { Transaction } from '../../../platform/database/database.ts';
import {
  inTransaction,
  sendWithCommit,
  sendTogether,
} from '../../../platform/database/send-together.ts';
import { Refusal, ValidationRefusal } from '../../../platform/core/refusals.ts';
import type { Caller } from '../../../platform/auth/caller.ts';
import { claimDraft, endDraft, findEarlierRequest } from '../../drafts/drafts.actions.ts';
import { findNotificationFacts } from '../../messages/notifications.actions.ts';
import { evaluateEligibility, refuseIneligible } from '../../services/eligibility.actions.ts';
import { quoteOf } from '../../services/services.actions.ts';
import { applicantColumns } from '../model/applicant-columns.ts';
import { checkContent, lockSelection } from '../model/request-documents.ts';
import { bindDocuments } from '../model/request-documents.store.ts';
import { makeRequestNumber } from '../model/request-number.ts';
import type { RequestsContext } from '../model/requests-context.ts';
import * as store from '../model/requests.store.ts';
import { providerStatuses, startStatus } from '../workflow/workflow.ts';
import { actorOf, recordStep } from './move-request.ts';
import { findReferralCode, hasUsesLeft } from './referral-codes.store.ts';

/** A new request as its applicant sends it. */
export interface NewRequest {
  serviceId: number;
  answers: Readonly<Record<string, unknown>>;
  attachmentIds: readonly string[];
  hasAgreed: boolean;
  /** The applicant's language. */
  language?: Language | undefined;
  /** The draft that becomes the request. */
  draftId?: string | undefined;
  /** As the applicant typed it. */
  referralCode?: string | undefined;
}

type Catalogue = RequestsContext['catalogue'];
type Service = ReturnType<Catalogue['getService']>;

/** What one round trip reads and locks for a new request. */
async function readCreation(
  { workflow, maximumPerDay, maximumFiles }: RequestsContext,
  transaction: Transaction,
  caller: Caller,
  { sent, service, at }: { sent: NewRequest; service: Service; at: Date },
) {
  const { draftId, referralCode } = sent;
  const code = referralCode?.trim() ? referralCode : undefined;
  const { userId } = caller;
  const companyId = companyOf(caller);
  const [insertPlaceholder, lockDraft] =
    draftId === undefined || draftId === ''
      ? [noQuery, noQuery]
      : claimDraft(caller, draftId, service.id);
  const [, draft, documents, current, facts, notification, eligibility, referral, hasUses] =
    await sendTogether(transaction, [
      insertPlaceholder,
      lockDraft,
      (part) => lockSelection(part, sent.attachmentIds, maximumFiles),
      (part) => workflow.forService(part, service.id),
      (part) =>
        store.findCreationFacts(
          part,
          { userId, maximum: maximumPerDay, serviceId: service.id },
          at,
        ),
      (part) => findNotificationFacts(part, { serviceId: service.id, userId, companyId }),
      (part) => evaluateEligibility(part, caller, service, at),
      code === undefined ? noQuery : (part) => findReferralCode(part, code, at, true),
      code === undefined ? noQuery : (part) => hasUsesLeft(part, code),
    ]);
  return {
    draft,
    documents,
    current,
    facts,
    notification,
    eligibility,
    /** Null without a code; undefined when it cannot be used. */
    referral_code: code === undefined ? null : hasUses ? referral?.code : undefined,
  };
}

const noQuery = async () => undefined;

const companyOf = (caller: Caller): number | null =>
  caller.roles.includes('CompanyUser') ? caller.companyId : null;

// There are ten thousand million numbers a year, so that five taken numbers in a row mean that
// something else is wrong.
async function withNewNumber<Result>(
  now: Date,
  create: (number: string) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await create(makeRequestNumber(now));
    } catch (error) {
      if (attempt === 5 || !store.isNumberTaken(error)) throw error;
    }
  }
}

/**
 * Creates a request, in two round trips to the database: one reads and locks, the other writes and
 * commits. It stores the form, the attachment rules and the price of the service, so that later
 * changes of the catalogue do not affect it. Throws TermsNotAccepted, TooManyRequests,
 * ServiceNotFound, ReferralCodeNotValid, ActionNotAllowed, a ValidationRefusal, and the refusals of
 * eligibility and drafts.
 */
export async function createRequest(
  context: RequestsContext,
  caller: Caller,
  sent: NewRequest,
): Promise<{ id: number; number: string }> {
  const service = context.catalogue.getService(sent.serviceId);
  if (!sent.hasAgreed) throw new Refusal('TermsNotAccepted');
  const details = await context.catalogue.getDetails(service.id);
  const at = context.now();
  const result = await withNewNumber(at, (number) =>
    inTransaction(context.database, (transaction) =>
      createNumbered(context, transaction, caller, { sent, service, details, at, number }),
    ),
  );
  context.announce();
  return result;
}

interface Creation {
  sent: NewRequest;
  service: Service;
  details: Awaited<ReturnType<Catalogue['getDetails']>>;
  at: Date;
  number: string;
}

async function createNumbered(
  context: RequestsContext,
  transaction: Transaction,
  caller: Caller,
  { sent, service, details, at, number }: Creation,
): Promise<{ id: number; number: string }> {
  const read = await readCreation(context, transaction, caller, { sent, service, at });
  const { current, facts, notification, referral_code } = read;
  const quote = quoteOf(service);
  const to = startStatus(current.document, quote.total, caller);
  const earlier = sent.draftId && (await findEarlierRequest(transaction, read.draft, service.id));
  if (earlier) return earlier;
  if (facts.retryAfter > 0) throw new Refusal('TooManyRequests', { retryAfter: facts.retryAfter });
  refuseIneligible(service, read.eligibility);
  const { answers, issues } = checkContent(read.documents, caller, {
    form: details.form,
    rules: details.attachments,
    serviceId: service.id,
    maximumFiles: context.maximumFiles,
    answers: sent.answers,
    attachmentIds: sent.attachmentIds,
    today: dayInDubai(at),
  });
  if (issues.length > 0) throw new ValidationRefusal(issues);
  if (!facts.isOffered || !notification) throw new Refusal('ServiceNotFound');
  if (referral_code === undefined) throw new Refusal('ReferralCodeNotValid');
  const actor = actorOf(caller, caller.roles.includes('CompanyUser') ? 'CompanyUser' : 'Client');
  const row = {
    number,
    service_id: service.id,
    working_days: service.workingDays,
    partner_id: facts.partnerId,
    user_id: caller.userId,
    company_id: companyOf(caller),
    workflow_id: current.id,
    status_id: to,
    form: JSON.stringify(details.form),
    attachment_rules: JSON.stringify(details.attachments),
    answers: JSON.stringify(answers),
    quote: JSON.stringify(quote),
    total: quote.total,
    ...applicantColumns(number, answers, caller),
    came_to_provider: providerStatuses(current.document).includes(to),
    holder_id: null,
    service_provider_request_number: null,
    language: sent.language ?? null,
    sent_by: actor.actedFor ? actor.name : null,
    acted_for: actor.actedFor && JSON.stringify(actor.actedFor),
    referral_code,
    created_at: at,
    updated_at: at,
  };
  const { draftId } = sent;
  const [id] = await sendWithCommit(transaction, [
    (part) => store.insertRequest(part, row),
    (part) => bindDocuments(part, sent.attachmentIds, store.insertedRequestId, false),
    draftId ? (part) => endDraft(part, caller, draftId, store.insertedRequestId) : noQuery,
    ...recordStep(
      { workflow: current.document, notifier: context.notifier },
      notification,
      { ...row, id: undefined, status_id: null, refundable: 0, refunded: 0 },
      { action: 'create', to, actor, at },
    ),
  ]);
  return { id, number };
}
