import { describeAttachment } from '#features/attachments/attachments.actions.ts';
import {
  describeCertificate,
  type CertificateFacts,
} from '#features/certificates/issued-certificates.actions.ts';
import { groupStepMessages } from '#features/messages/messages.actions.ts';
import {
  chargingActions,
  findObjectionDay,
  getStatus,
  requiredInputs,
} from '#features/workflow/workflow-rules.actions.ts';
import { getActor, isPortalStaff, isStaff, type Caller } from '#platform/auth/caller.ts';
import { localize, localizePersonName, localizeQuote } from '#platform/core/localize.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Database } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { StepNotification } from '@diwan/contract/requests/messages';
import type { Payment } from '@diwan/contract/requests/payments';
import type { HistoryEntry, RequestRecord } from '@diwan/contract/requests/requests';
import type { ShownMark } from '@diwan/contract/requests/return-marks';
import type { HistoryAction, Workflow } from '@diwan/contract/requests/workflow';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import { isSenderOrOwner, limitToOwnerActions } from '../model/four-eyes.ts';
import { refundableOf } from '../model/paid-lines.ts';
import { refundOf, refundedQuote } from '../model/paid-lines.ts';
import type { PendingAction } from '../model/pending-actions.store.ts';
import { selectReasons } from '../model/rejection-reasons.store.ts';
import type { RequestLinks } from '../model/request-links.ts';
import type { RequestsContext } from '../model/requests-context.ts';
import { readableBy, readableUntil, visibleTo } from '../model/visibility.actions.ts';
import { actingAccess, readerOf, type AccessLogContext } from './access-log.actions.ts';
import { accessInsert, reasonIsMissing } from './access-log.store.ts';
import { describeRefund } from './refunds.actions.ts';
import { describeDiscounts } from './request-discounts.ts';
import type { StoredMark } from './request-history.store.ts';
import {
  findRecord,
  type HistoryRow,
  type PaymentRow,
  type RecordRow,
} from './request-record.store.ts';
import {
  describeActedFor,
  describeStatus,
  describeDueDay,
  describeSummary,
  type Viewing,
} from './request-summary.ts';

/** What a record needs. */
export interface RecordContext extends RequestsContext {
  links: RequestLinks;
}

/** What a call needs that replies with a record. */
export interface OpenRecordContext
  extends RecordContext, Pick<AccessLogContext, 'accessLogMinutes'> {}

interface HistoryContext extends Viewing {
  workflow: Workflow;
  ownerId: string;
  /** The current names of the reasons that the history names by their ids. */
  reasonNames: ReadonlyMap<number, LocalizedText>;
  /** The messages of each step, by the id of its history entry. */
  messages: ReadonlyMap<number, StepNotification['messages']>;
}

// Applicants see the office, not the name of an employee. They know who acts for them at a counter.
function describeActor(
  entry: HistoryRow,
  context: HistoryContext,
): Pick<HistoryEntry, 'actorKind' | 'actorName' | 'actedFor' | 'confirmedBy'> {
  const { actor_kind: kind } = entry;
  const isYou = entry.actor_id === getActor(context.caller).userId;
  const shownKind = entry.acted_for?.by === 'counter' ? 'employee' : kind;
  return {
    actorKind: isYou ? 'you' : shownKind,
    actorName:
      isStaff(context.caller) || kind === 'applicant'
        ? localizePersonName({ ...entry, full_name: entry.actor_name }, context.language)
        : '',
    ...(entry.acted_for
      ? { actedFor: describeActedFor(entry.acted_for, context.ownerId, context) }
      : {}),
    ...(entry.confirmed_by_name !== null && isPortalStaff(context.caller)
      ? {
          confirmedBy: localizePersonName(
            { full_name: entry.confirmed_by_name, full_name_ar: entry.confirmed_by_name_ar },
            context.language,
          ),
        }
      : {}),
  };
}

/** The marks of a history entry, and their answers, in the caller's language. */
function describeMarks(
  { marks, correction: corrected }: Pick<HistoryRow, 'marks' | 'correction'>,
  language: Language,
): Pick<HistoryEntry, 'marks' | 'correction'> {
  const describe = ({ field, attachmentId, title, message }: StoredMark): ShownMark => ({
    field,
    ...(attachmentId === undefined ? {} : { attachmentId }),
    title: title[language],
    message: message[language],
  });
  if (!corrected) return { marks: marks.map(describe) };
  const { marks: answered, ...changes } = corrected;
  return {
    marks: [],
    correction: {
      ...changes,
      marks: answered.map((mark) => ({
        ...describe(mark),
        isChanged: mark.isChanged,
        explanation: mark.explanation,
      })),
    },
  };
}

// The entry stores the wording of the day; older entries have only the ids of the reasons.
function describeReasons(entry: HistoryRow, { language, reasonNames }: HistoryContext): string[] {
  return entry.reason_texts.length > 0
    ? entry.reason_texts.map((text) => text[language])
    : entry.reasons.flatMap((id) => reasonNames.get(id)?.[language] ?? []);
}

// Why an employee lost the request is not the applicant's or the provider's concern.
function shownTo(caller: Caller, entry: HistoryRow): HistoryRow {
  // guard: why an employee lost a request (release-lost)
  if (entry.action === 'release' && !isPortalStaff(caller)) return { ...entry, message: null };
  return entry;
}

function describeEntry(entry: HistoryRow, context: HistoryContext): HistoryEntry {
  const { workflow, language, messages } = context;
  return {
    action: entry.action as HistoryAction,
    ...(entry.from_status_id === null
      ? {}
      : { fromStatusName: describeStatus(workflow, entry.from_status_id, context).statusName }),
    ...describeStatus(workflow, entry.to_status_id, context),
    ...describeActor(entry, context),
    reasons: describeReasons(entry, context),
    ...describeMarks(entry, language),
    ...(entry.charged > 0 ? { charged: entry.charged } : {}),
    ...(entry.hold_until === null ? {} : { holdUntil: entry.hold_until }),
    message: entry.message ? localize(entry.message, language) : '',
    at: new Date(entry.at).toISOString(),
    ...(entry.notice === null
      ? {}
      : { notice: { outcome: entry.notice, messages: messages.get(entry.id) ?? [] } }),
  };
}

function describePayment(row: PaymentRow): Payment {
  return {
    merchantReference: row.merchant_reference,
    amount: row.amount,
    currency: 'AED',
    status: row.status as Payment['status'],
    createdAt: new Date(row.created_at).toISOString(),
  };
}

function paidBy(payments: readonly PaymentRow[]): number {
  return payments.reduce((sum, { status, amount }) => sum + (status === 'paid' ? amount : 0), 0);
}

// Older entries of the history have only the ids of their reasons.
async function namesOfReasons(
  database: Database,
  history: readonly HistoryRow[],
): Promise<HistoryContext['reasonNames']> {
  if (history.every((entry) => entry.reasons.length === 0 || entry.reason_texts.length > 0))
    return new Map();
  return new Map((await selectReasons(database)).map(({ id, name }) => [id, name]));
}

// Until a pending action takes effect, no other action is possible. Applicants do not hear of it.
function describePending(
  pending: PendingAction | null,
  caller: Caller,
): Pick<RequestRecord, 'allowedActions' | 'chargingActions' | 'heldAction'> | undefined {
  if (!pending || !isStaff(caller)) return undefined;
  const { id, action, userName: name, userId, actsInMs, waitsWith } = pending;
  return {
    allowedActions: [],
    chargingActions: [],
    heldAction: {
      action,
      name,
      isYou: userId === caller.userId,
      actsInMs,
      // Service providers do not see the money of a request.
      ...(waitsWith !== null && (isPortalStaff(caller) || userId === caller.userId)
        ? { waiting: { heldActionId: id, amount: waitsWith } }
        : {}),
    },
  };
}

/** What staff need to complete a request, and the certificate of a completed one. */
function describeResult(
  row: {
    issues_document: boolean;
    issues_certificate: boolean;
    applicant_language: Language;
    certificate: CertificateFacts | null;
  },
  { caller, language }: Viewing,
) {
  return {
    ...(isStaff(caller)
      ? {
          isResultRequired: row.issues_document && !row.issues_certificate,
          issuesCertificate: row.issues_certificate,
          applicantLanguage: row.applicant_language,
        }
      : {}),
    ...(row.certificate
      ? { certificate: describeCertificate(row.certificate, { caller, language }) }
      : {}),
  };
}

/** What the caller would get back if the request were withdrawn now; for who may withdraw it. */
function describeWithdrawal(
  row: RecordRow,
  allowed: RequestRecord['allowedActions'],
): Pick<RequestRecord, 'withdrawal'> {
  const actions = ['withdraw', 'askToWithdraw', 'grantWithdrawal'] as const;
  if (!actions.some((action) => allowed.includes(action))) return {};
  const paid = paidBy(row.payments);
  const steps = row.history.map(({ action, actor_kind }) => ({
    action: action as HistoryAction,
    actor_kind,
  }));
  const quote = refundedQuote(row.quote, refundOf(row, steps));
  return { withdrawal: { paid, refund: refundableOf(quote, paid) } };
}

/** Until when the owner may object to the latest decision; for who may do so, and for the portal's staff. */
function describeObjection(
  row: RecordRow,
  allowed: RequestRecord['allowedActions'],
  { workflow, caller }: Pick<HistoryContext, 'workflow' | 'caller'>,
): Pick<RequestRecord, 'objectUntil'> {
  if (!allowed.includes('object') && !isPortalStaff(caller)) return {};
  const until = findObjectionDay(workflow, row);
  return until === null ? {} : { objectUntil: until };
}

/** The record that this row makes. Throws RequestNotFound without one. */
async function describeRecord(
  context: RecordContext,
  caller: Caller,
  row: RecordRow | undefined,
  language: Language,
): Promise<RequestRecord> {
  if (!row) throw new Refusal('RequestNotFound');
  const { database } = context;
  const { history, payments, attachments } = row;
  const workflow = await context.workflow.get(row.workflow_id);
  const refund = await describeRefund(database, row, { caller, language });
  const describe = (attachment: (typeof attachments)[number]) =>
    describeAttachment(context.references, attachment, {
      rules: row.attachment_rules,
      caller,
      language,
    });
  const historyContext = {
    workflow,
    caller,
    language,
    ownerId: row.user_id,
    reasonNames: await namesOfReasons(database, history),
    messages: groupStepMessages(row.messages),
  };
  const times = {
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
  const beside = { service: row, paid: paidBy(payments), times };
  const described = describeSummary(row, beside, workflow, { caller, language });
  const time = await context.calendars.get(row.calendar_id);
  const summary = { ...described, ...describeDueDay(row, time, caller) };
  const discounts = isStaff(caller) ? describeDiscounts(row.quote, language) : [];
  const pending = describePending(row.pending, caller);
  // The four-eyes rule would refuse the other actions.
  const isLimited =
    context.fourEyes &&
    isPortalStaff(caller) &&
    (isSenderOrOwner(caller, row) ||
      history.some(
        (entry) => entry.actor_id === caller.userId && entry.acted_for?.by === 'counter',
      ));
  return {
    ...summary,
    ...(isLimited ? limitToOwnerActions(summary.allowedActions) : {}),
    statusDescription: localize(getStatus(workflow, row.status_id).description, language),
    replacedName: row.replaced_name,
    requestLink: context.links.make(row.number),
    // A partner that is not active cannot continue the request.
    ...(isPortalStaff(caller) && row.partner_state !== null && row.partner_state !== 'active'
      ? { serviceProviderState: row.partner_state }
      : {}),
    form: row.form,
    answers: row.answers,
    attachmentRules: row.attachment_rules,
    fees: localizeQuote(row.quote, language),
    ...(discounts.length > 0 ? { discounts } : {}),
    chargingActions: isLimited ? [] : chargingActions(workflow, caller, row),
    requiredInputs: isLimited ? {} : requiredInputs(workflow, caller, row),
    ...pending,
    ...describeResult(row, { caller, language }),
    addedFeeVatRate: context.rates.feeVatRate,
    attachments: attachments
      .filter((attachment) => attachment.superseded_at === null)
      .map(describe),
    earlierAttachments: attachments
      .filter((attachment) => attachment.superseded_at !== null)
      .map(describe),
    ...(refund ? { refund } : {}),
    ...describeWithdrawal(row, summary.allowedActions),
    ...describeObjection(row, summary.allowedActions, historyContext),
    payments: payments.map(describePayment),
    ...(row.special_consents ? { specialConsents: row.special_consents } : {}),
    sentUnder: row.sent_under.map(({ page, id, published_at: at }) => ({
      page,
      id,
      publishedAt: new Date(at).toISOString(),
    })),
    // Who of the office works on it is not the applicant's or the provider's concern.
    history: history
      .filter(({ action }) => action !== 'reassign' || isPortalStaff(caller))
      .map((entry) => describeEntry(shownTo(caller, entry), historyContext)),
  };
}

/** A record that the caller may read until a time, and do nothing with. */
const limitToReading = (
  { withdrawal: _withdrawal, objectUntil: _objectUntil, ...record }: RequestRecord,
  until: Date,
): RequestRecord => ({
  ...record,
  allowedActions: [],
  chargingActions: [],
  requiredInputs: {},
  openedUrgentlyUntil: until.toISOString(),
});

/**
 * One request with everything that the caller may see. Throws RequestNotFound, also when the
 * request exists and the caller may not see it.
 */
export async function getRecord(
  context: RecordContext,
  caller: Caller,
  { requestId, language }: { requestId: number; language: Language },
): Promise<RequestRecord> {
  const row = await findRecord(context.database, requestId, { visible: visibleTo(caller) });
  return describeRecord(context, caller, row, language);
}

const readActed = (
  context: OpenRecordContext,
  part: Database,
  caller: Caller,
  requestId: number,
): Promise<RecordRow | undefined> =>
  findRecord(part, requestId, {
    visible: visibleTo(caller),
    access: actingAccess(context, caller, requestId),
  });

/**
 * The record of a request that the caller may see, with the access recorded. Every call that
 * only reads a record uses it. Nothing is shown when the access cannot be recorded. Throws
 * RequestNotFound, and ReasonForReadingRequired where staff must say first why they open it.
 */
export async function openRecord(
  context: OpenRecordContext,
  caller: Caller,
  requestId: number,
  language: Language,
): Promise<RequestRecord> {
  const reader = readerOf(context, caller);
  const row = await findRecord(context.database, requestId, {
    visible: readableBy(caller),
    until: readableUntil(caller),
    access: reader && accessInsert(requestId, null, reader),
    refusal: reader && reasonIsMissing(reader),
  });
  // guard: reason for reading a request (access-log)
  if (row?.is_refused) throw new Refusal('ReasonForReadingRequired');
  const record = await describeRecord(context, caller, row, language);
  return row?.read_until ? limitToReading(record, row.read_until) : record;
}

/** The record of a request after the caller acted on it, which needs no reason. */
export async function openActed(
  context: OpenRecordContext,
  caller: Caller,
  requestId: number,
  language: Language,
): Promise<RequestRecord> {
  const row = await readActed(context, context.database, caller, requestId);
  return describeRecord(context, caller, row, language);
}

/**
 * Performs an action on a request and returns the record after it like `openActed`. The action is a
 * part of a transaction, which reads the record with its last statements and the commit.
 */
export async function actAndOpen<Context extends OpenRecordContext>(
  context: Context,
  caller: Caller,
  { requestId, language }: { requestId: number; language: Language },
  act: (context: Context) => Promise<void>,
): Promise<RequestRecord> {
  const { record } = await inTransaction(context.database, async (unit) => {
    await act({ ...context, database: unit });
    return unit.commit({ record: (part) => readActed(context, part, caller, requestId) });
  });
  return describeRecord(context, caller, record, language);
}
