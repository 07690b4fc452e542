import type { OperationNodeSource } from 'kysely';
import type { Calendars } from '#features/calendars/calendars.actions.ts';
import { endCorrections } from '#features/drafts/drafts.actions.ts';
import { finesAfter } from '#features/fines/fines.actions.ts';
import {
  insertOwnNotice,
  type NotifiableStep,
  type NotificationFacts,
  type Notifier,
  type StepNotification,
} from '#features/messages/notifications.actions.ts';
import {
  findPaidStatus,
  getStatus,
  providerStatuses,
} from '#features/workflow/workflow-rules.actions.ts';
import type { Workflows } from '#features/workflow/workflows.actions.ts';
import type { Sql } from '#platform/database/sql.ts';
import type { Query, UnitOfWork } from '#platform/database/unit-of-work.ts';
import { enqueueMessages } from '#platform/messages/message-outbox.ts';
import type { WithdrawalRefund } from '@diwan/contract/catalogue/fees';
import { getAction, type RequestAction } from '@diwan/contract/requests/actions';
import { isEndWithoutResult, type Workflow } from '@diwan/contract/requests/workflow';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import { refundableOf } from '../model/paid-lines.ts';
import { refundedQuote } from '../model/paid-lines.ts';
import { moveCount } from '../model/request-counts.store.ts';
import {
  insertedRequestId,
  lockVisible,
  requestUpdate,
  type RequestChanges,
  type RequestRow,
  type VisibilityCondition,
} from '../model/requests.store.ts';
import { findStepFacts, type StepFacts } from '../model/step-facts.store.ts';
import { noteStep } from '../notices/notices.actions.ts';
import type { StoredMark, StoredCorrection } from '../record/request-history.store.ts';
import { appendedHistoryId, historyInsert, idOfInserted } from '../record/request-history.store.ts';
import type { Actor } from './actor.ts';
import { dueDaysAfter, type RequestCalendars } from './due-days.ts';
import { insertMoveEvents } from './request-hubs.ts';
import { appendMarks } from './return-marks.ts';

/** One step of a request, which the workflow allows. */
export interface Step {
  action: RequestAction;
  to: number;
  actor: Actor;
  at: Date;
  reasons?: readonly number[];
  message?: LocalizedText | null;
  /** See `NotifiableStep`. */
  issuedDocuments?: number | undefined;
  changes?: RequestChanges;
  /** The request is on hold after the step: until a day in Asia/Dubai, and why. */
  hold?: { until: string; reason: LocalizedText } | undefined;
  /** The request ends without a result: what of its fees is paid back, if not the refundable ones. */
  refund?: WithdrawalRefund | undefined;
  /** What else the step changes, each by one query. */
  writes?: readonly Query[];
  /**
   * The last day on which the applicant may object to it; null where the service has no such days.
   * Undefined: it is nothing to object to.
   */
  objectUntil?: string | null | undefined;
  /** The applicant gets no message about the step. */
  isSilent?: boolean;
  details?: StepDetails;
}

/** Further columns of the history. */
interface StepDetails {
  /** In fils. */
  charged?: number;
  /** The fines and fees among it that the actor adds, without VAT. */
  added?: number;
  /** The second person who confirmed them. */
  confirmedBy?: string | null;
  marks?: readonly StoredMark[];
  /** The changes of an update, and its answer to each mark. */
  corrected?: StoredCorrection;
  /** The reasons in the wording of the day of the step. */
  reasonTexts?: readonly LocalizedText[];
  /** Recognises a repeated call: see `hashAction`. */
  sentHash?: string | null;
}

/** A request under its lock, and what its next step needs. */
export interface LockedRequest {
  row: RequestRow;
  facts: StepFacts;
  workflow: Workflow;
  calendars: RequestCalendars;
}

/** What a step is decided by. */
export interface StepRules {
  workflow: Pick<Workflows, 'get'>;
  calendars: Pick<Calendars, 'get' | 'current'>;
}

/**
 * Locks a request that fits the condition, in one round trip with what its next step needs to know,
 * also of the user who takes it; `undefined` when there is none.
 */
export async function lockForStep(
  unit: UnitOfWork,
  { workflow, calendars }: StepRules,
  requestId: number,
  { visible, userId }: { visible: VisibilityCondition; userId: string | null },
): Promise<LockedRequest | undefined> {
  // The facts are read by a separate statement, which sees what changed while the row was locked.
  const { row, facts } = await unit.send({
    row: (part) => lockVisible(part, requestId, visible),
    facts: (part) => findStepFacts(part, requestId, userId),
  });
  if (!row) return undefined;
  if (!facts) throw new Error('The service of the request is missing');
  return {
    row,
    facts,
    workflow: await workflow.get(row.workflow_id, unit),
    calendars: {
      own: await calendars.get(row.calendar_id, unit),
      current: calendars.current(facts.agencyId),
    },
  };
}

type StepRequest = NotifiableStep['request'] & {
  /** Undefined for the request that the transaction inserts. */
  id: number | undefined;
  agency_id: number;
  service_id: number;
  partner_id: number | null;
  holder_id: string | null;
  /** Null for a new request. */
  status_id: number | null;
};

/** What a step writes outside of the request's own row. */
interface StepWrites {
  /** For `combineWrites`: the entry of the history, the counts and the events of the hubs. */
  writes: Record<string, OperationNodeSource | undefined>;
  /** Sent after `writes`: stores the messages to the applicant, if there are any. */
  messages: { messages?: Query };
}

/** The notification in the lists of the applicants; who acted hears nothing of it there. */
function listNotification(
  notification: StepNotification,
  requestId: number | OperationNodeSource,
  actor: Actor,
): { listed?: Sql } {
  const notice = notification.outcome === null ? undefined : notification.notice;
  const recipients = notice?.recipients.filter((userId) => userId !== actor.id) ?? [];
  return notice && recipients.length > 0
    ? { listed: insertOwnNotice({ ...notice, recipients }, requestId) }
    : {};
}

/** The write that appends a step to the history. */
function entryOf(
  requestId: number | OperationNodeSource,
  from: number | null,
  { action, to, actor, at, reasons = [], message, hold, details = {} }: Step,
  notice: StepNotification['outcome'],
): Sql {
  const { charged = 0, added = 0, marks = [], corrected, reasonTexts = [], sentHash } = details;
  return historyInsert({
    request_id: requestId,
    action,
    from_status_id: from,
    to_status_id: to,
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    acted_for: actor.actedFor && JSON.stringify(actor.actedFor),
    at,
    notice,
    reasons: JSON.stringify(reasons),
    reason_texts: JSON.stringify(reasonTexts),
    message: message && JSON.stringify(message),
    marks: JSON.stringify(marks),
    correction: corrected && JSON.stringify(corrected),
    sent_hash: sentHash,
    charged,
    added,
    confirmed_by: details.confirmedBy,
    hold_until: hold?.until,
  });
}

/** The query that stores the messages of a step, after its entry of the history. */
function messagesOf(
  notification: StepNotification,
  requestId: number | Sql<number>,
): StepWrites['messages'] {
  const messages = notification.outcome === null ? [] : notification.messages;
  if (messages.length === 0) return {};
  const ids = { requestId, historyId: appendedHistoryId };
  return {
    messages: (part) => enqueueMessages(part, ...messages.map((each) => ({ ...each, ...ids }))),
  };
}

/** A new request is a row of `request`, which the combined statement inserts. */
export function writesOfStep(
  { workflow, notifier }: { workflow: Workflow; notifier: Notifier },
  facts: NotificationFacts,
  { id, agency_id: agencyId, partner_id: partnerId, status_id: from, ...request }: StepRequest,
  step: Step,
): StepWrites {
  const { action, to, actor, at, message = null, hold, details = {} } = step;
  const notification = notifier.writeStepMessages(
    {
      request,
      workflow,
      action,
      from,
      to,
      at,
      reasons: details.reasonTexts ?? [],
      message: appendMarks(message, details.marks ?? []),
      issuedDocuments: step.issuedDocuments,
      holdUntil: hold?.until,
      objectUntil: step.objectUntil,
      isSuppressed: step.isSilent,
    },
    facts,
  );
  const requestId = id ?? idOfInserted;
  const { user_id: userId, company_id: companyId, holder_id: holderId } = request;
  const noted = noteStep(workflow, { requestId, action, from, to, actor, holderId, partnerId });
  const { service_id: serviceId } = request;
  const moved = { id, userId, companyId, partnerId, agencyId, serviceId, from, to };
  return {
    writes: {
      entry: entryOf(requestId, from, step, notification.outcome),
      counted: moveCount(moved, from, to),
      ...noted.writes,
      ...listNotification(notification, requestId, actor),
      announced: insertMoveEvents(workflow, moved, noted.events),
    },
    messages: messagesOf(notification, id ?? insertedRequestId),
  };
}

// An end without a result makes the refundable lines and every overpayment refundable. Which lines are
// so can depend on how the request ends.
function refundableAfter(
  { row, facts, workflow }: LockedRequest,
  { to, refund = 'part' }: Step,
): RequestChanges {
  if (!isEndWithoutResult(getStatus(workflow, to).tone)) return {};
  const quote = refundedQuote(row.quote, refund);
  const refundable = facts.overpaid + refundableOf(quote, facts.paid);
  return {
    refundable: Math.max(row.refundable, refundable),
    ...(quote === row.quote ? {} : { quote: JSON.stringify(quote) }),
  };
}

// A hold ends with every step that leaves it.
const holdAfter = ({ row }: LockedRequest, { hold }: Step): RequestChanges =>
  hold || row.hold_until !== null
    ? { hold_until: hold?.until ?? null, hold_reason: hold ? JSON.stringify(hold.reason) : null }
    : {};

// The target of a payment is that of the last charge, and ends with the step that leaves the payment,
// but not with an objection, which may lead back.
const paymentTargetAfter = (
  { row, workflow }: LockedRequest,
  { action, to, changes }: Step,
): RequestChanges =>
  row.paid_status_id === null ||
  getAction(action).objects ||
  findPaidStatus(workflow, to) !== undefined ||
  changes?.paid_status_id !== undefined
    ? {}
    : { paid_status_id: null };

// A later step can ask for another person than the one who decided.
const approverAfter = ({ action, actor }: Step): RequestChanges =>
  getAction(action).isGranting || getAction(action).isObjectable ? { approver_id: actor.id } : {};

// Only the latest decision can be objected to. A fine can be while the request goes on, also after its
// payment; who charged it is known until somebody else has decided.
function objectionAfter(
  { row, workflow }: LockedRequest,
  { action, to, actor, objectUntil }: Step,
): RequestChanges {
  const { objects, isObjectable } = getAction(action);
  if (objectUntil !== undefined)
    return {
      objection_until: objectUntil,
      fined_by: isObjectable || objectUntil === null ? null : actor.id,
    };
  const isOpen = row.objection_until !== null && row.fined_by !== null;
  if (isOpen && !objects && !isEndWithoutResult(getStatus(workflow, to).tone)) return {};
  return {
    ...(row.objection_until === null ? {} : { objection_until: null }),
    ...(row.fined_by === null || objects ? {} : { fined_by: null }),
  };
}

// A request stays visible to its provider once it has reached them.
const providerAfter = ({ row, workflow }: LockedRequest, { to }: Step): RequestChanges =>
  !row.came_to_provider && providerStatuses(workflow).includes(to)
    ? { came_to_provider: true }
    : {};

/**
 * Records a step: the row of the request with its next version, the history, the counts, and the
 * messages. Ends the correction drafts. The unit of work holds the lock of the row, and these are its
 * last statements.
 */
export function recordStep(
  context: { notifier: Notifier; announce?(hasMessages: boolean): void },
  unit: UnitOfWork,
  request: LockedRequest,
  step: Step,
): void {
  const { row, facts, workflow, calendars } = request;
  const changed: RequestChanges = {
    ...step.changes,
    ...holdAfter(request, step),
    ...approverAfter(step),
    ...objectionAfter(request, step),
    ...paymentTargetAfter(request, step),
    ...dueDaysAfter(workflow, row, { clock: facts.clock, calendars }, step),
    ...providerAfter(request, step),
    ...refundableAfter(request, step),
    status_id: step.to,
    version: row.version + 1,
    updated_at: step.at,
  };
  const { total = row.total, refundable = row.refundable } = changed;
  const { promised_on = row.promised_on } = changed;
  const { notifier } = context;
  const { writes, messages } = writesOfStep(
    { workflow, notifier },
    facts,
    { ...row, total, refundable, promised_on },
    step,
  );
  unit.write({
    request: requestUpdate(row.id, changed),
    corrections: endCorrections(row.id),
    ...finesAfter(row, {
      isPaid: step.action === 'pay',
      hasEnded: isEndWithoutResult(getStatus(workflow, step.to).tone),
      at: step.at,
    }),
    ...writes,
  });
  unit.add(...(step.writes ?? []), ...Object.values(messages));
  unit.afterCommit(() => context.announce?.(messages.messages !== undefined));
}
