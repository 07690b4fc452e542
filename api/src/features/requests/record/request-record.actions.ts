import type { ActedFor } from '@diwan/contract/people/acting';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import type { StepNotice } from '@diwan/contract/requests/messages';
import type { Payment } from '@diwan/contract/requests/payments';
import type {
  HistoryEntry,
  RequestRecord,
  RequestSummary,
} from '@diwan/contract/requests/requests';
import type { RequestAction, Workflow } from '@diwan/contract/requests/workflow';
import type { KeptActedFor } from '../../../platform/database/database-types.ts';
import { localize, localizeQuote } from '../../../platform/core/localize.ts';
import { isStaff, personAt, seesAll, type Caller } from '../../../platform/auth/session.ts';
import {
  describeAttachment,
  findAttachments,
  type AttachmentRow,
  type Viewer,
} from '../../attachments/attachments.actions.ts';
import { selectReasons } from '../actions/rejection-reasons.store.ts';
import { withPromise } from '../model/promised-day.ts';
import { describeMarks } from '../actions/return-marks.ts';
import { findStepMessages } from '../../messages/messages.actions.ts';
import { asOwn, isOwnRequest } from '../model/four-eyes.ts';
import { readRefund } from './refunds.actions.ts';
import type { RequestLinks } from '../model/request-links.ts';
import type { SummaryRow } from '../lists/request-lists.store.ts';
import { getVisible, type RequestsContext } from '../requests.actions.ts';
import * as store from '../model/requests.store.ts';
import { allowedActions, chargingActions, getStatus } from '../workflow/workflow.ts';

/** What showing a record stands on. */
export interface RecordContext extends RequestsContext {
  links: RequestLinks;
}

/** A status as it is shown. */
export function describeStatus(
  workflow: Workflow,
  statusId: number,
  language: Language,
): Pick<RequestSummary, 'statusId' | 'statusName' | 'statusTone'> {
  const { name, tone } = getStatus(workflow, statusId);
  return { statusId, statusName: localize(name, language), statusTone: tone };
}

/** A request as lists show it to this caller; `paid` in fils. */
export function describeSummary(
  row: SummaryRow,
  paid: number,
  workflow: Workflow,
  caller: Caller,
  language: Language,
): RequestSummary {
  return {
    requestId: row.id,
    requestNumber: row.number,
    serviceId: row.service_id,
    serviceName: localize(row.service_name, language),
    governmentAgency: {
      id: row.agency_id,
      name: localize(row.agency_name, language),
      logo: row.agency_logo,
    },
    ...describeStatus(workflow, row.status_id, language),
    applicantName: row.applicant_name,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    total: row.total,
    due: Math.max(0, row.total - paid),
    version: row.version,
    ...(seesAll(caller) && row.holder_id !== null
      ? { holder: { name: row.holder_name ?? '', isYou: row.holder_id === caller.userId } }
      : {}),
    ...(row.sent_by !== null && row.acted_for
      ? {
          sentBy: {
            name: row.sent_by,
            actedFor: describeActedFor(row.acted_for, row.user_id, caller, language),
          },
        }
      : {}),
    allowedActions: allowedActions(workflow, row.status_id, caller, row),
  };
}

function describeActedFor(
  { by, name }: KeptActedFor,
  ownerId: string,
  caller: Caller,
  language: Language,
): ActedFor {
  return {
    by,
    name: localize(name, language),
    isYou: by === 'counter' && ownerId === caller.userId,
  };
}

type Telling = {
  workflow: Workflow;
  caller: Caller;
  ownerId: string;
  language: Language;
  reasonNames: ReadonlyMap<number, LocalizedText>;
  told: ReadonlyMap<number, StepNotice['messages']>;
};

// Applicants deal with the office, not with one clerk by name; whom they let act for them they have
// met.
function describeActor(
  entry: store.HistoryRow,
  { caller, ownerId, language }: Telling,
): Pick<HistoryEntry, 'actorKind' | 'actorName' | 'actedFor'> {
  const kind = entry.actor_kind as HistoryEntry['actorKind'];
  const isYou = entry.actor_id === personAt(caller).userId;
  const shown = entry.acted_for?.by === 'counter' ? 'employee' : kind;
  return {
    actorKind: isYou ? 'you' : shown,
    actorName: isStaff(caller) || kind === 'applicant' ? entry.actor_name : '',
    ...(entry.acted_for
      ? { actedFor: describeActedFor(entry.acted_for, ownerId, caller, language) }
      : {}),
  };
}

function describeEntry(entry: store.HistoryRow, telling: Telling): HistoryEntry {
  const { workflow, language, reasonNames, told } = telling;
  return {
    action: entry.action as RequestAction,
    ...(entry.from_status_id === null
      ? {}
      : { fromStatusName: localize(getStatus(workflow, entry.from_status_id).name, language) }),
    ...describeStatus(workflow, entry.to_status_id, language),
    ...describeActor(entry, telling),
    // A reason is told in the words that it had when it was given.
    reasons:
      entry.reason_texts.length > 0
        ? entry.reason_texts.map((text) => text[language])
        : entry.reasons.flatMap((id) => reasonNames.get(id)?.[language] ?? []),
    ...describeMarks(entry, language),
    ...(entry.charged > 0 ? { charged: entry.charged } : {}),
    message: entry.message ? localize(entry.message, language) : '',
    at: entry.at.toISOString(),
    ...(entry.notice === null
      ? {}
      : { notice: { outcome: entry.notice, messages: told.get(entry.id) ?? [] } }),
  };
}

function describePayment(row: store.PaymentRow): Payment {
  return {
    merchantReference: row.merchant_reference,
    amount: row.amount,
    currency: 'AED',
    status: row.status as Payment['status'],
    createdAt: row.created_at.toISOString(),
  };
}

function paidBy(payments: readonly store.PaymentRow[]): number {
  return payments.reduce((sum, { status, amount }) => sum + (status === 'paid' ? amount : 0), 0);
}

/**
 * One request with everything that this caller may see. Throws RequestNotFound, also for one that
 * exists and is not theirs to see.
 */
export async function getRecord(
  context: RecordContext,
  caller: Caller,
  requestId: number,
  language: Language,
): Promise<RequestRecord> {
  const row = await getVisible(context.database, caller, requestId);
  const [workflow, history, payments, attachments, reasons, told, refund] = await Promise.all([
    context.workflow.get(row.workflow_id),
    store.selectHistory(context.database, row.id),
    store.selectPayments(context.database, row.id),
    findAttachments(context.database, row.id),
    selectReasons(context.database),
    findStepMessages(context.database, row.id),
    readRefund(context.database, row, caller),
  ]);
  const describe = (attachment: AttachmentRow & Viewer) =>
    describeAttachment(context.references, attachment, row.attachment_rules, caller, language);
  const telling = {
    workflow,
    caller,
    ownerId: row.user_id,
    language,
    reasonNames: new Map(reasons.map(({ id, name }) => [id, name])),
    told,
  };
  const summary = await withPromise(
    context.database,
    describeSummary(row, paidBy(payments), workflow, caller, language),
  );
  // Whoever owns it, or sent it at the counter, leaves it to others as staff, and is not offered
  // what would be refused.
  const isOwnCounter =
    context.fourEyes &&
    seesAll(caller) &&
    (isOwnRequest(caller, row) ||
      history.some(
        (entry) => entry.actor_id === caller.userId && entry.acted_for?.by === 'counter',
      ));
  return {
    ...summary,
    ...(isOwnCounter ? asOwn(summary.allowedActions) : {}),
    statusDescription: localize(getStatus(workflow, row.status_id).description, language),
    replacedName: row.replaced_name,
    requestLink: context.links.make(row.number),
    // The provider cannot go on; whoever works on the request all the same must know.
    ...(seesAll(caller) && row.partner_state !== null && row.partner_state !== 'active'
      ? { serviceProviderState: row.partner_state }
      : {}),
    form: row.form,
    answers: row.answers,
    attachmentRules: row.attachment_rules,
    fees: localizeQuote(row.quote, language),
    chargingActions: isOwnCounter ? [] : chargingActions(workflow, row.status_id, caller, row),
    addedFeeVatRate: context.rates.feeVatRate,
    attachments: attachments
      .filter((attachment) => attachment.superseded_at === null)
      .map(describe),
    earlierAttachments: attachments
      .filter((attachment) => attachment.superseded_at !== null)
      .map(describe),
    ...(refund ? { refund } : {}),
    payments: payments.map(describePayment),
    history: history.map((entry) => describeEntry(entry, telling)),
  };
}
