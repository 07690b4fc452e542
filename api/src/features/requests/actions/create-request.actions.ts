import { claimDraft, endDraft, findEarlierRequest } from '#features/drafts/drafts.actions.ts';
import {
  claimFines,
  dueFines,
  hasLostFine,
  listFineIssues,
  lookUpChosen,
  withDueFines,
  type FoundFines,
} from '#features/fines/fines.actions.ts';
import { refuseClosed } from '#features/services/closures.actions.ts';
import { findApplicant, readDiscountFacts } from '#features/services/discounts.actions.ts';
import { evaluateEligibility, refuseIneligible } from '#features/services/eligibility.actions.ts';
import { quoteOf, refuseUnavailable } from '#features/services/services.actions.ts';
import { providerStatuses, startStatus } from '#features/workflow/workflow-rules.actions.ts';
import type { Caller } from '#platform/auth/caller.ts';
import { formatDirhams } from '#platform/core/localize.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import { runOutsideCall } from '#platform/database/calls/call-connection.ts';
import { inTransaction, type Query, type UnitOfWork } from '#platform/database/unit-of-work.ts';
import { evidenceRules } from '@diwan/contract/catalogue/fees';
import { readFormAnswers } from '@diwan/contract/forms/check-answers';
import type { Answers } from '@diwan/contract/forms/forms';
import { kindsOf, listSpecialData } from '@diwan/contract/forms/special-data';
import { dayInDubai } from '@diwan/contract/wire/days';
import type { Language } from '@diwan/contract/wire/languages';
import { applicantColumns } from '../model/applicant-columns.ts';
import { bindDocuments } from '../model/request-documents.store.ts';
import { checkContent, consentsTo, lockSelection } from '../model/request-documents.ts';
import { makeRequestNumber } from '../model/request-number.ts';
import type { RequestsContext } from '../model/requests-context.ts';
import { insertedRequestId } from '../model/requests.store.ts';
import { findReferralCode, hasUsesLeft } from '../referral-codes/referral-codes.store.ts';
import { actorOf } from './actor.ts';
import * as store from './create-request.store.ts';
import { dueDaysFrom } from './due-days.ts';
import { writesOfStep } from './step.ts';

/** A new request as its applicant sends it. */
interface NewRequest {
  serviceId: number;
  answers: Readonly<Record<string, unknown>>;
  attachmentIds: readonly string[];
  hasAgreed: boolean;
  /** To the use of the special data in the request. */
  hasConsented?: boolean | undefined;
  /** The applicant's language. */
  language?: Language | undefined;
  /** The draft that becomes the request. */
  draftId?: string | undefined;
  /** As the applicant typed it. */
  referralCode?: string | undefined;
  /** The total that the applicant saw, in fils. */
  expectedTotal?: number | undefined;
}

type Catalogue = RequestsContext['catalogue'];
type Service = ReturnType<Catalogue['getService']>;

interface Creation {
  sent: NewRequest;
  service: Service;
  details: Awaited<ReturnType<Catalogue['getDetails']>>;
  at: Date;
  number: string;
  /** What the registers of fines say to the answers. */
  fines: readonly FoundFines[];
}

const codeOf = ({ referralCode }: NewRequest) => (referralCode?.trim() ? referralCode : undefined);

/** What one round trip reads and locks for a new request. */
async function readCreation(
  { database, maximumPerDay: maximum, maximumFiles }: RequestsContext,
  unit: UnitOfWork,
  caller: Caller,
  { sent, service, at }: { sent: NewRequest; service: Service; at: Date },
) {
  const { userId } = caller;
  const companyId = companyOf(caller);
  const creation = { userId, companyId, serviceId: service.id, maximum, now: at };
  const { draftId } = sent;
  const code = codeOf(sent);
  // What locks nothing is read together with other new requests.
  if (sent.attachmentIds.length === 0 && !draftId && code === undefined) {
    const [facts, eligibility, person] = await Promise.all([
      store.shareCreationFacts(database, creation),
      evaluateEligibility(database, caller, service, at),
      readDiscountFacts(database, caller, service),
    ]);
    return { draft: undefined, documents: [], facts, eligibility, person, referral_code: null };
  }
  const [insertPlaceholder, lockDraft] =
    draftId === undefined || draftId === ''
      ? [noQuery, noQuery]
      : claimDraft(caller, draftId, service.id);
  const {
    facts,
    referral,
    hasUses,
    placeholder: _,
    ...read
  } = await unit.send({
    placeholder: insertPlaceholder,
    draft: lockDraft,
    documents: (part) => lockSelection(part, sent.attachmentIds, maximumFiles),
    facts: (part) => store.readCreationFacts(part, [creation]),
    eligibility: (part) => evaluateEligibility(part, caller, service, at),
    person: (part) => readDiscountFacts(part, caller, service),
    referral: code === undefined ? noQuery : (part) => findReferralCode(part, code, at, true),
    hasUses: code === undefined ? noQuery : (part) => hasUsesLeft(part, code),
  });
  return {
    ...read,
    facts: facts[0] as store.CreationFacts,
    /** Null without a code; undefined when it cannot be used. */
    referral_code: code === undefined ? null : hasUses ? referral?.code : undefined,
  };
}

const noQuery = async () => undefined;

const companyOf = (caller: Caller): number | null =>
  caller.roles.includes('CompanyUser') ? caller.companyId : null;

// Repeats a creation that another one or a change of the catalogue has prevented. There are ten
// thousand million numbers a year, so that five failures in a row mean that something else is wrong.
async function withNewNumber<Result>(
  now: Date,
  create: (number: string) => Promise<Result>,
  renewForm: () => Promise<void>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await create(makeRequestNumber(now));
    } catch (error) {
      const isFormMissing = store.isFormMissing(error);
      const isTaken = store.isNumberTaken(error) || hasLostFine(error);
      if (attempt === 5 || !(isFormMissing || isTaken)) throw error;
      if (isFormMissing) await renewForm();
    }
  }
}

/**
 * Creates a request, in two round trips to the database: one reads and locks, the other writes and
 * commits; the first with a form stores that form before. A request has the form, the attachment rules,
 * the price and the legal texts of its day, so that later changes of the catalogue do not affect it. Throws
 * TermsNotAccepted, TooManyRequests, ServiceNotFound, ServiceClosed, ServiceNotAvailable,
 * TotalHasChanged, FinesRegisterUnreachable,
 * ReferralCodeNotValid, SpecialDataConsentMissing, ActionNotAllowed, a ValidationRefusal, and the refusals of
 * eligibility and drafts.
 */
export async function createRequest(
  context: RequestsContext,
  caller: Caller,
  sent: NewRequest,
): Promise<{ id: number; number: string }> {
  const { catalogue, database } = context;
  // The request is refused before anything is read.
  catalogue.getService(sent.serviceId);
  // guard: agreement to the terms (create-request, requests)
  if (!sent.hasAgreed) throw new Refusal('TermsNotAccepted');
  const at = context.now();
  let formHash = '';
  const create = async (number: string) => {
    const details = await catalogue.getDetails(sent.serviceId);
    const service = catalogue.getService(sent.serviceId);
    ({ formHash } = details);
    // Of use to the next request too, whatever becomes of this one.
    await runOutsideCall(() => store.ensureForm(database, { serviceId: service.id, ...details }));
    // Outside of the transaction: nothing is locked while the register answers.
    const [{ form }, { agency }] = [details, service];
    const given = readFormAnswers(form, sent.answers, dayInDubai(at));
    const fines = await lookUpChosen(context.fines, { form, agency }, given);
    const creation = { sent, service, details, at, number, fines };
    return inTransaction(database, (unit) => createNumbered(context, unit, caller, creation));
  };
  // The catalogue has changed, or the database no longer has what this process remembers.
  return withNewNumber(at, create, async () => {
    store.forgetForm(database, formHash);
    await catalogue.refresh();
  });
}

/**
 * The legal texts in force, and the consents to the special data of the request. Throws
 * SpecialDataConsentMissing.
 */
function agreementColumns(
  { legal }: RequestsContext,
  { sent, details, at }: Pick<Creation, 'sent' | 'details' | 'at'>,
  answers: Answers,
  documents: readonly string[],
) {
  const versionId = legal.inForce('privacy')?.id;
  const special = listSpecialData(details.form, details.attachments, answers, documents);
  const isGiven = sent.hasConsented === true;
  const consents = consentsTo(kindsOf(special), [], { isGiven, at, versionId });
  return {
    terms_version_id: legal.inForce('terms')?.id ?? null,
    privacy_version_id: versionId ?? null,
    special_consents: consents.length > 0 ? JSON.stringify(consents) : null,
  };
}

async function createNumbered(
  context: RequestsContext,
  unit: UnitOfWork,
  caller: Caller,
  { sent, service, details, at, number, fines }: Creation,
): Promise<{ id: number; number: string }> {
  const read = await readCreation(context, unit, caller, { sent, service, at });
  const { facts, referral_code } = read;
  const current = await context.workflow.getChosen(unit, facts.workflowId);
  const earlier = sent.draftId ? await findEarlierRequest(unit, read.draft, service.id) : undefined;
  if (earlier) return earlier;
  refuseClosed(context.catalogue, service, at);
  // guard: requests of a person in a day (flood)
  if (facts.retryAfter > 0) throw new Refusal('TooManyRequests', { retryAfter: facts.retryAfter });
  const today = dayInDubai(at);
  refuseUnavailable(service, today);
  // guard: eligibility for a service (services/eligibility)
  refuseIneligible(service, read.eligibility);
  const { given, issues, ...checked } = checkContent(read.documents, caller, {
    form: details.form,
    rules: details.attachments,
    serviceId: service.id,
    maximumFiles: context.maximumFiles,
    answers: sent.answers,
    attachmentIds: sent.attachmentIds,
    today,
  });
  const fineIssues = await listFineIssues(unit, fines);
  // guard: answers of a form
  if (issues.length + fineIssues.length > 0)
    throw new ValidationRefusal([...issues, ...fineIssues]);
  const answers = withDueFines(checked.answers, details.form, fines);
  if (referral_code === undefined) throw new Refusal('ReferralCodeNotValid');
  const documents = read.documents.map(({ name }) => name);
  const applicant = findApplicant(service, read.person, {
    today,
    documents,
  });
  const quote = quoteOf(service, given, { ...applicant, fines: dueFines(fines) });
  refuseOtherTotal(quote.total, sent.expectedTotal);
  const to = startStatus(current.document, quote.total, caller);
  const actor = actorOf(caller, caller.roles.includes('CompanyUser') ? 'CompanyUser' : 'Client');
  const calendar = context.calendars.current(service.agency.id);
  const row = {
    number,
    service_id: service.id,
    agency_id: service.agency.id,
    working_days: service.workingDays,
    ...dueDaysFrom(current.document, { to, at }, service.workingDays, calendar),
    partner_id: service.partnerId,
    user_id: caller.userId,
    company_id: companyOf(caller),
    workflow_id: current.id,
    status_id: to,
    answers: JSON.stringify(answers),
    quote: JSON.stringify(quote),
    total: quote.total,
    ...applicantColumns(number, answers, caller),
    came_to_provider: providerStatuses(current.document).includes(to),
    holder_id: null,
    service_provider_request_number: null,
    language: sent.language ?? null,
    sent_by: actor.actedFor ? actor.name : null,
    acted_for: actor.actedFor ? JSON.stringify(actor.actedFor) : null,
    referral_code,
    withdrawal: JSON.stringify(service.withdrawal),
    ...agreementColumns(context, { sent, details, at }, answers, documents),
    created_at: at,
    updated_at: at,
  };
  const evidence = evidenceRules(service.agency.discounts);
  const { writes, messages } = writesOfStep(
    { workflow: current.document, notifier: context.notifier },
    { service_name: service.name, agency_name: service.agency.name, paid: 0, people: facts.people },
    {
      id: undefined,
      number,
      user_id: row.user_id,
      company_id: row.company_id,
      agency_id: row.agency_id,
      service_id: row.service_id,
      partner_id: row.partner_id,
      holder_id: null,
      status_id: null,
      language: row.language,
      promised_on: row.promised_on,
      total: row.total,
      refundable: 0,
      refunded: 0,
    },
    { action: 'create', to, actor, at },
  );
  const { id } = await unit.commit({
    id: (part) => store.insertRequest(part, row, { ...details, evidence }, writes),
    ...messages,
    ...claimFines(quote, fines, insertedRequestId),
    ...claim(caller, sent),
  });
  unit.afterCommit(() => context.announce('messages' in messages));
  return { id, number };
}

/** Throws TotalHasChanged, which names both totals and the difference, in dirhams. */
function refuseOtherTotal(total: number, expected: number | undefined): void {
  if (expected === undefined || expected === total) return;
  throw new Refusal('TotalHasChanged', {
    total: formatDirhams(total),
    expected: formatDirhams(expected),
    difference: formatDirhams(Math.abs(total - expected)),
  });
}

/** The writes that give the documents and the draft to the request that was just inserted. */
const claim = (caller: Caller, { attachmentIds, draftId }: NewRequest): Record<string, Query> => ({
  ...(attachmentIds.length > 0
    ? { documents: (part) => bindDocuments(part, attachmentIds, insertedRequestId, false) }
    : {}),
  ...(draftId ? { draft: (part) => endDraft(part, caller, draftId, insertedRequestId) } : {}),
});
