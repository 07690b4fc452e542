import { checkAnswers, documentsAsked } from '@diwan/contract/forms/check-answers';
import { dayInDubai } from '@diwan/contract/wire/days';
import type { Answers } from '@diwan/contract/forms/forms';
import type { Language } from '@diwan/contract/wire/languages';
import type { Transaction } from '../../../platform/database/database.ts';
import { Refusal, ValidationRefusal } from '../../../platform/core/refusals.ts';
import type { Caller } from '../../../platform/auth/session.ts';
import { claimDraft, endDraft } from '../../drafts/drafts.actions.ts';
import { refuseIneligible } from '../../services/eligibility.actions.ts';
import { quoteOf, type CatalogueService } from '../../services/services.actions.ts';
import { checkDocuments } from '../model/request-documents.ts';
import { bindDocuments } from '../model/request-documents.store.ts';
import { actorOf, recordStep } from './move-request.ts';
import { takeReferralCode } from './referral-codes.actions.ts';
import { makeRequestNumber } from '../model/request-number.ts';
import { searchTextOf } from '../model/request-search-text.ts';
import type { RequestsContext } from '../requests.actions.ts';
import * as store from '../model/requests.store.ts';
import { providerStatuses, startStatus } from '../workflow/workflow.ts';

export interface NewRequest {
  serviceId: number;
  answers: Readonly<Record<string, unknown>>;
  attachmentIds: readonly string[];
  hasAgreed: boolean;
  /** In which the person reads. */
  language?: Language | undefined;
  /** The draft that it is made of, by its writer's own id. */
  draftId?: string | undefined;
  /** As it was typed. */
  referralCode?: string | undefined;
}

/** Who a request is for and how to reach them: as its form says, else as the account says. */
export function contactOf(
  answers: Answers,
  caller: Pick<Caller, 'fullName' | 'phoneNumber'>,
): { applicantName: string; phoneNumber: string } {
  const text = (name: string) =>
    typeof answers[name] === 'string' && answers[name] !== '' ? answers[name] : undefined;
  return {
    applicantName: text('applicantName') ?? caller.fullName,
    phoneNumber: text('applicantMobile') ?? caller.phoneNumber,
  };
}

// Ten thousand million numbers a year: a second try is rare, a fifth one means that something else
// is wrong.
async function insertUnderFreeNumber(
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

async function checkSent(
  transaction: Transaction,
  { mostFiles }: RequestsContext,
  caller: Caller,
  service: CatalogueService,
  sent: NewRequest,
  today: string,
): Promise<Answers> {
  const checked = checkAnswers(service.form, sent.answers, today);
  const rules = documentsAsked(service.form, service.attachments, sent.answers, today).map(
    ({ rule }) => rule,
  );
  const documents = await checkDocuments(transaction, caller, {
    ids: sent.attachmentIds,
    serviceId: service.id,
    rules,
    mostFiles,
  });
  const issues = [...checked.issues, ...documents];
  if (issues.length > 0) throw new ValidationRefusal(issues);
  return checked.answers;
}

/**
 * Sends a request: form, rules and price stay with it as they are today, whatever the catalogue
 * becomes.
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
  const sentRequest = await context.database.transaction().execute(async (transaction) => {
    const sentBefore =
      sent.draftId && (await claimDraft(transaction, caller, sent.draftId, service.id));
    if (sentBefore) return sentBefore;
    const retryAfter = await store.secondsUntilFewer(
      transaction,
      caller.userId,
      context.mostInDay,
      at,
    );
    if (retryAfter > 0) throw new Refusal('TooManyRequests', { retryAfter });
    await refuseIneligible(transaction, caller, service, at);
    const answers = await checkSent(transaction, context, caller, service, sent, dayInDubai(at));
    const offer = await store.findOffer(transaction, service.id);
    if (!offer) throw new Refusal('ServiceNotFound');
    const referral_code = await takeReferralCode(transaction, sent.referralCode, at);
    const contact = contactOf(answers, caller);
    const actor = actorOf(caller, caller.roles.includes('CompanyUser') ? 'CompanyUser' : 'Client');
    const created = await insertUnderFreeNumber(transaction, at, (number) => ({
      number,
      service_id: service.id,
      partner_id: offer.partner_id,
      user_id: caller.userId,
      company_id: caller.roles.includes('CompanyUser') ? caller.companyId : null,
      workflow_id: current.id,
      status_id: to,
      form: JSON.stringify(service.form),
      attachment_rules: JSON.stringify(service.attachments),
      answers: JSON.stringify(answers),
      quote: JSON.stringify(quote),
      total: quote.total,
      applicant_name: contact.applicantName,
      phone_number: contact.phoneNumber,
      search_text: searchTextOf({ number, ...contact }),
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
      context.notices,
      transaction,
      current.document,
      { id: created.id, partner_id: offer.partner_id, status_id: null },
      { action: 'create', to, actor, at },
    );
    return created;
  });
  context.announce();
  return sentRequest;
}
