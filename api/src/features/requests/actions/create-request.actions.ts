import { dayInDubai } from '@diwan/contract/wire/days';
import type { Language } from '@diwan/contract/wire/languages';
import type { Transaction } from '../../../platform/database/database.ts';
import { Refusal, ValidationRefusal } from '../../../platform/core/refusals.ts';
import type { Caller } from '../../../platform/auth/caller.ts';
import { claimDraft, endDraft } from '../../drafts/drafts.actions.ts';
import { refuseIneligible } from '../../services/eligibility.actions.ts';
import { quoteOf } from '../../services/services.actions.ts';
import { applicantColumns } from '../model/applicant-columns.ts';
import { checkContent } from '../model/request-documents.ts';
import { bindDocuments } from '../model/request-documents.store.ts';
import { makeRequestNumber } from '../model/request-number.ts';
import type { RequestsContext } from '../model/requests-context.ts';
import * as store from '../model/requests.store.ts';
import { providerStatuses, startStatus } from '../workflow/workflow.ts';
import { actorOf, recordStep } from './move-request.ts';
import { lockReferralCode } from './referral-codes.store.ts';

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

// There are ten thousand million numbers a year, so that five taken numbers in a row mean that
// something else is wrong.
async function insertWithNewNumber(
  transaction: Transaction,
  now: Date,
  rowFor: (number: string) => store.NewRequest,
): Promise<{ id: number; number: string }> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const number = makeRequestNumber(now);
    const id = await store.insertRequest(transaction, rowFor(number));
    if (id !== undefined) return { id, number };
  }
  throw new Error('No free request number was found');
}

async function refuseTooMany(
  transaction: Transaction,
  caller: Caller,
  { maximumPerDay }: RequestsContext,
  at: Date,
): Promise<void> {
  const retryAfter = await store.secondsUntilBelowLimit(
    transaction,
    caller.userId,
    maximumPerDay,
    at,
  );
  if (retryAfter > 0) throw new Refusal('TooManyRequests', { retryAfter });
}

async function claimReferralCode(
  transaction: Transaction,
  typed: string | undefined,
  at: Date,
): Promise<string | null> {
  if (!typed?.trim()) return null;
  const row = await lockReferralCode(transaction, typed, at);
  if (!row) throw new Refusal('ReferralCodeNotValid');
  return row.code;
}

/**
 * Creates a request. It stores the form, the attachment rules and the price of the service, so that
 * later changes of the catalogue do not affect it. Throws TermsNotAccepted, TooManyRequests,
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
  const current = await context.workflow.forService(context.database, service.id);
  const quote = quoteOf(service);
  const to = startStatus(current.document, quote.total, caller);
  const at = context.now();
  const result = await context.database.transaction().execute(async (transaction) => {
    const earlier =
      sent.draftId && (await claimDraft(transaction, caller, sent.draftId, service.id));
    if (earlier) return earlier;
    await refuseTooMany(transaction, caller, context, at);
    await refuseIneligible(transaction, caller, service, at);
    const { answers, issues } = await checkContent(transaction, caller, {
      form: service.form,
      rules: service.attachments,
      serviceId: service.id,
      maximumFiles: context.maximumFiles,
      answers: sent.answers,
      attachmentIds: sent.attachmentIds,
      today: dayInDubai(at),
    });
    if (issues.length > 0) throw new ValidationRefusal(issues);
    const partner = await store.findServicePartner(transaction, service.id);
    if (!partner) throw new Refusal('ServiceNotFound');
    const referral_code = await claimReferralCode(transaction, sent.referralCode, at);
    const isForCompany = caller.roles.includes('CompanyUser');
    const actor = actorOf(caller, isForCompany ? 'CompanyUser' : 'Client');
    const created = await insertWithNewNumber(transaction, at, (number) => ({
      number,
      service_id: service.id,
      working_days: service.workingDays,
      partner_id: partner.partner_id,
      user_id: caller.userId,
      company_id: isForCompany ? caller.companyId : null,
      workflow_id: current.id,
      status_id: to,
      form: JSON.stringify(service.form),
      attachment_rules: JSON.stringify(service.attachments),
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
    }));
    await bindDocuments(transaction, sent.attachmentIds, created.id, false);
    if (sent.draftId) await endDraft(transaction, caller, sent.draftId, created.id);
    await recordStep(
      { transaction, workflow: current.document, notifier: context.notifier },
      { id: created.id, partner_id: partner.partner_id, status_id: null },
      { action: 'create', to, actor, at },
    );
    return created;
  });
  context.announce();
  return result;
}
