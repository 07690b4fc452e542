import type { Language, LocalizedText } from '@diwan/contract/languages';
import type { Payment } from '@diwan/contract/payments';
import type { HistoryEntry, RequestRecord, RequestSummary } from '@diwan/contract/requests';
import type { RequestAction, Workflow } from '@diwan/contract/workflow';
import { localize, localizeQuote } from '../../platform/localize.ts';
import { Refusal } from '../../platform/refusals.ts';
import type { Caller } from '../../platform/session.ts';
import { describeAttachment, findAttachments } from '../attachments/attachments.actions.ts';
import type { RequestLinks } from './request-links.actions.ts';
import type { SummaryRow } from './request-lists.store.ts';
import { visibleToCaller, type RequestsHouse } from './requests.actions.ts';
import * as store from './requests.store.ts';
import { seesAll } from './visibility.store.ts';
import { allowedActions, getStatus } from './workflow.ts';

/** What showing a record stands on. */
export interface RecordHouse extends RequestsHouse {
  links: RequestLinks;
}

/** A status as it is shown. */
export function describeStatus(workflow: Workflow, statusId: number, language: Language): Pick<RequestSummary, 'statusId' | 'statusName' | 'statusTone'> {
  const { name, tone } = getStatus(workflow, statusId);
  return { statusId, statusName: localize(name, language), statusTone: tone };
}

/** A request as lists show it to this caller. */
export function describeSummary(row: SummaryRow, workflow: Workflow, caller: Caller, language: Language): RequestSummary {
  return {
    requestId: row.id, requestNumber: row.number, serviceId: row.service_id, serviceName: localize(row.service_name, language),
    governmentAgency: { id: row.agency_id, name: localize(row.agency_name, language), logo: row.agency_logo }, ...describeStatus(workflow, row.status_id, language),
    applicantName: row.applicant_name, createdAt: row.created_at.toISOString(), updatedAt: row.updated_at.toISOString(), total: row.total, version: row.version,
    allowedActions: allowedActions(workflow, row.status_id, caller, row),
  };
}

type Telling = { workflow: Workflow; caller: Caller; language: Language; reasonNames: ReadonlyMap<number, LocalizedText> };

// Applicants deal with the office, not with one clerk by name.
function describeActor(entry: store.HistoryRow, caller: Caller): Pick<HistoryEntry, 'actorKind' | 'actorName'> {
  const isStaff = caller.roles.some((role) => role === 'Admin' || role === 'Employee' || role === 'ServiceProvider');
  const kind = entry.actor_kind as HistoryEntry['actorKind'];
  return { actorKind: entry.actor_id === caller.userId ? 'you' : kind, actorName: isStaff || kind === 'applicant' ? entry.actor_name : '' };
}

function describeEntry(entry: store.HistoryRow, { workflow, caller, language, reasonNames }: Telling): HistoryEntry {
  return {
    action: entry.action as RequestAction, ...(entry.from_status_id === null ? {} : { fromStatusName: localize(getStatus(workflow, entry.from_status_id).name, language) }),
    ...describeStatus(workflow, entry.to_status_id, language), ...describeActor(entry, caller),
    reasons: entry.reasons.flatMap((id) => reasonNames.get(id)?.[language] ?? []), message: entry.message ? localize(entry.message, language) : '', at: entry.at.toISOString(),
  };
}

function describePayment(row: store.PaymentRow): Payment {
  return { merchantReference: row.merchant_reference, amount: row.amount, currency: 'AED', status: row.status as Payment['status'], createdAt: row.created_at.toISOString() };
}

/** One request with everything that this caller may see. Throws RequestNotFound, also for one that exists and is not theirs to see. */
export async function getRecord(house: RecordHouse, caller: Caller, requestId: number, language: Language): Promise<RequestRecord> {
  const row = await store.findVisible(house.database, requestId, visibleToCaller(house, caller));
  if (!row) throw new Refusal('RequestNotFound');
  const [workflow, history, payments, attachments, reasons] = await Promise.all([
    house.workflow.get(row.workflow_id), store.selectHistory(house.database, row.id), store.selectPayments(house.database, row.id),
    findAttachments(house.database, row.id), store.selectRejectionReasons(house.database),
  ]);
  const telling = { workflow, caller, language, reasonNames: new Map(reasons.map(({ id, name }) => [id, name])) };
  return {
    ...describeSummary(row, workflow, caller, language),
    statusDescription: localize(getStatus(workflow, row.status_id).description, language), replacedName: row.replaced_name, requestLink: house.links.make(row.number),
    // The provider cannot go on; whoever works on the request all the same must know.
    ...(seesAll(caller) && row.partner_state !== null && row.partner_state !== 'active' ? { serviceProviderState: row.partner_state } : {}),
    form: row.form, answers: row.answers, attachmentRules: row.attachment_rules, fees: localizeQuote(row.quote, language),
    attachments: attachments.map((attachment) => describeAttachment(house.references, attachment, row.attachment_rules, caller, language)),
    payments: payments.map(describePayment), history: history.map((entry) => describeEntry(entry, telling)),
  };
}
