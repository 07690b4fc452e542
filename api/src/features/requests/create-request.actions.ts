import { checkAnswers } from '@diwan/contract/check-answers';
import type { Answers } from '@diwan/contract/forms';
import type { Transaction } from '../../platform/database.ts';
import { Refusal, ValidationRefusal } from '../../platform/refusals.ts';
import type { Caller } from '../../platform/session.ts';
import { quoteOf, type CatalogueService } from '../services/services.actions.ts';
import { dayInDubai } from './dubai-days.ts';
import { moveCount } from './request-counts.store.ts';
import { checkDocuments } from './request-documents.ts';
import { bindDocuments } from './request-documents.store.ts';
import { writeMoveNews } from './request-hubs.ts';
import { makeRequestNumber } from './request-number.ts';
import { searchTextOf } from './request-search-text.ts';
import type { RequestsHouse } from './requests.actions.ts';
import * as store from './requests.store.ts';
import { startStatus } from './workflow.ts';

export interface NewRequest {
  serviceId: number;
  answers: Answers;
  attachmentIds: readonly string[];
  hasAgreed: boolean;
}

/** Who a request is for and how to reach them: as its form says, else as the account says. */
export function contactOf(answers: Answers, caller: Pick<Caller, 'fullName' | 'phoneNumber'>): { applicantName: string; phoneNumber: string } {
  const text = (name: string) => (typeof answers[name] === 'string' && answers[name] !== '' ? answers[name] : undefined);
  return { applicantName: text('applicantName') ?? caller.fullName, phoneNumber: text('applicantMobile') ?? caller.phoneNumber };
}

// Ten thousand million numbers a year: a second try is rare, a fifth one means that something else is wrong.
async function insertUnderFreeNumber(transaction: Transaction, now: Date, rowFor: (number: string) => store.NewRequest): Promise<{ id: number; number: string }> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const number = makeRequestNumber(now);
    const id = await store.insertRequest(transaction, rowFor(number));
    if (id !== undefined) return { id, number };
  }
  throw new Error('No free request number was found');
}

async function checkSent(transaction: Transaction, caller: Caller, service: CatalogueService, sent: NewRequest, today: string): Promise<Answers> {
  const checked = checkAnswers(service.form, sent.answers, today);
  const documents = await checkDocuments(transaction, caller, { ids: sent.attachmentIds, serviceId: service.id, rules: service.attachments });
  const issues = [...checked.issues, ...documents];
  if (issues.length > 0) throw new ValidationRefusal(issues);
  return checked.answers;
}

/** Sends a request: form, rules and price stay with it as they are today, whatever the catalogue becomes. */
export async function createRequest(house: RequestsHouse, caller: Caller, sent: NewRequest): Promise<{ id: number; number: string }> {
  const service = house.catalogue.getService(sent.serviceId);
  if (!sent.hasAgreed) throw new Refusal('TermsNotAccepted');
  const { current } = house.workflow;
  const quote = quoteOf(service);
  const to = startStatus(current.document, quote.total, caller);
  const at = house.now();
  const sentRequest = await house.database.transaction().execute(async (transaction) => {
    const answers = await checkSent(transaction, caller, service, sent, dayInDubai(at));
    const offer = await store.findOffer(transaction, service.id);
    if (!offer) throw new Refusal('ServiceNotFound');
    const contact = contactOf(answers, caller);
    const created = await insertUnderFreeNumber(transaction, at, (number) => ({
      number, service_id: service.id, partner_id: offer.partner_id, user_id: caller.userId, company_id: caller.roles.includes('CompanyUser') ? caller.companyId : null,
      workflow_id: current.id, status_id: to, form: JSON.stringify(service.form), attachment_rules: JSON.stringify(service.attachments), answers: JSON.stringify(answers),
      quote: JSON.stringify(quote), total: quote.total, applicant_name: contact.applicantName, phone_number: contact.phoneNumber,
      search_text: searchTextOf({ number, ...contact, serviceName: offer.service_name, agencyName: offer.agency_name }),
      holder_id: null, service_provider_request_number: null, created_at: at, updated_at: at,
    }));
    await bindDocuments(transaction, sent.attachmentIds, created.id, false);
    await store.appendHistory(transaction, {
      request_id: created.id, action: 'create', from_status_id: null, to_status_id: to, actor_kind: 'applicant', actor_id: caller.userId, actor_name: caller.fullName, reasons: '[]', message: null, at,
    });
    await moveCount(transaction, offer.partner_id, null, to);
    await writeMoveNews(transaction, current.document, { partnerId: offer.partner_id, from: null, to });
    return created;
  });
  house.announce();
  return sentRequest;
}
