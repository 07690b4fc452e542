import type { OperationNodeSource } from 'kysely';
import { endCorrections } from '#features/drafts/drafts.actions.ts';
import {
  insertOwnNotice,
  type NotifiableStep,
  type NotificationFacts,
  type Notifier,
  type StepNotification,
} from '#features/messages/notifications.actions.ts';
import { getActor, type Caller } from '#platform/auth/caller.ts';
import { calculateDueDate } from '#platform/core/working-days.ts';
import type { StoredActedFor, StoredMark, StoredCorrection } from '#platform/database/columns.ts';
import type { Sql } from '#platform/database/sql.ts';
import type { Query, UnitOfWork } from '#platform/database/unit-of-work.ts';
import { enqueueMessages } from '#platform/messages/message-outbox.ts';
import type { RequestAction } from '@diwan/contract/requests/actions';
import type { Workflow } from '@diwan/contract/requests/workflow';
import type { Role } from '@diwan/contract/wire/call';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import { refundableOf } from '../model/paid-lines.ts';
import { moveCount } from '../model/request-counts.store.ts';
import {
  insertedRequestId,
  requestUpdate,
  type RequestChanges,
  type RequestRow,
  type StepFacts,
} from '../model/requests.store.ts';
import { noteStep } from '../notices/notices.actions.ts';
import {
  appendedHistoryId,
  dueDayOfHistory,
  earlierDayOf,
  idOfInserted,
  historyInsert,
} from '../record/request-history.store.ts';
import { getStatus, isOnHold, providerStatuses } from '../workflow/workflow.ts';
import { insertMoveEvents } from './request-hubs.ts';
import { appendMarks } from './return-marks.ts';

/** Who performs an action, as the history stores it. */
interface Actor {
  kind: 'applicant' | 'employee' | 'serviceProvider' | 'payment' | 'schedule';
  id: string | null;
  name: string;
  /** The person or company for whom they act; absent when they act for themselves. */
  actedFor?: StoredActedFor | undefined;
}

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
  /** What else the step changes, each by one query. */
  writes?: readonly Query[];
  /** The applicant gets no message about the step. */
  isSilent?: boolean;
  details?: StepDetails;
}

/** Further columns of the history. */
interface StepDetails {
  /** In fils. */
  charged?: number;
  marks?: readonly StoredMark[];
  /** The changes of an update, and its answer to each mark. */
  corrected?: StoredCorrection;
  /** The reasons in the wording of the day of the step. */
  reasonTexts?: readonly LocalizedText[];
  /** Recognises a repeated call: see `hashAction`. */
  sentHash?: string | null;
}

/** What recording a step needs. */
interface StepContext {
  workflow: Workflow;
  notifier: Notifier;
}

const actorKinds: Record<Role, Actor['kind']> = {
  Client: 'applicant',
  CompanyUser: 'applicant',
  ServiceProvider: 'serviceProvider',
  Employee: 'employee',
  Admin: 'employee',
};

function actedForOf(caller: Caller, role: Role): StoredActedFor | undefined {
  if (caller.actor)
    return {
      by: 'counter',
      name: { 'ar-EG': caller.fullName, 'en-US': caller.fullName, 'ur-PK': caller.fullName },
    };
  return role === 'CompanyUser' && caller.companyId !== null && caller.companyName
    ? { by: 'company', name: caller.companyName }
    : undefined;
}

/** The caller as the actor of a step, in the role in which they act. */
export function actorOf(caller: Caller, role: Role): Actor {
  const { userId: id, fullName: name } = getActor(caller);
  return { kind: actorKinds[role], id, name, actedFor: actedForOf(caller, role) };
}

type StepRequest = NotifiableStep['request'] & {
  /** Undefined for the request that the transaction inserts. */
  id: number | undefined;
  partner_id: number | null;
  holder_id: string | null;
  /** Null for a new request. */
  status_id: number | null;
};

/** What records a step outside of the request's own row. */
interface StepRecord {
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

/** A new request is a row of `request`, which the combined statement inserts. */
export function recordStep(
  { workflow, notifier }: StepContext,
  facts: NotificationFacts,
  { id, partner_id: partnerId, status_id: from, ...request }: StepRequest,
  step: Step,
): StepRecord {
  const {
    action,
    to,
    actor,
    at,
    reasons = [],
    message = null,
    issuedDocuments,
    hold,
    details = {},
  } = step;
  const { charged = 0, marks = [], corrected, reasonTexts = [], sentHash } = details;
  const notification = notifier.writeStepMessages(
    {
      request,
      workflow,
      action,
      from,
      to,
      at,
      reasons: reasonTexts,
      message: appendMarks(message, marks),
      issuedDocuments,
      holdUntil: hold?.until,
      isSuppressed: step.isSilent,
    },
    facts,
  );
  const requestId = id ?? idOfInserted;
  const noted = noteStep(workflow, {
    requestId,
    action,
    from,
    to,
    actor,
    holderId: request.holder_id,
    partnerId,
  });
  const messages = notification.outcome === null ? [] : notification.messages;
  return {
    writes: {
      entry: historyInsert({
        request_id: requestId,
        action,
        from_status_id: from,
        to_status_id: to,
        actor_kind: actor.kind,
        actor_id: actor.id,
        actor_name: actor.name,
        acted_for: actor.actedFor && JSON.stringify(actor.actedFor),
        at,
        notice: notification.outcome,
        reasons: JSON.stringify(reasons),
        reason_texts: JSON.stringify(reasonTexts),
        message: message && JSON.stringify(message),
        marks: JSON.stringify(marks),
        correction: corrected && JSON.stringify(corrected),
        sent_hash: sentHash,
        charged,
        hold_until: hold?.until,
      }),
      counted: moveCount(partnerId, from, to),
      ...noted.writes,
      ...listNotification(notification, requestId, actor),
      announced: insertMoveEvents(
        workflow,
        {
          id,
          userId: request.user_id,
          companyId: request.company_id,
          partnerId,
          from,
          to,
        },
        noted.events,
      ),
    },
    messages:
      messages.length === 0
        ? {}
        : {
            messages: (part) =>
              enqueueMessages(
                part,
                ...messages.map((each) => ({
                  ...each,
                  requestId: id ?? insertedRequestId,
                  historyId: appendedHistoryId,
                })),
              ),
          },
  };
}

// A refusal makes the refundable lines and every overpayment refundable.
function refundableAfter(
  workflow: Workflow,
  row: Pick<RequestRow, 'quote' | 'refundable'>,
  to: number,
  { paid, overpaid }: { paid: number; overpaid: number },
): { refundable?: number } {
  if (getStatus(workflow, to).tone !== 'refused') return {};
  return { refundable: Math.max(row.refundable, overpaid + refundableOf(row.quote, paid)) };
}

// The clock of a request stands still while it waits for the applicant, and while it is on hold.
const isClockRunning = (workflow: Workflow, statusId: number) =>
  getStatus(workflow, statusId).tone === 'progress' && !isOnHold(workflow, statusId);

/** The day by which a request has to leave a status; null in a status without a time limit. */
function limitDayFrom(workflow: Workflow, { to, at }: Pick<Step, 'to' | 'at'>): string | null {
  const { workingDays, tone } = getStatus(workflow, to);
  return workingDays !== undefined && tone === 'progress'
    ? calculateDueDate(at, workingDays)
    : null;
}

const earlierDay = (one: string | null, other: string | null): string | null =>
  one === null || (other !== null && other < one) ? other : one;

/** The promised day and the due day of a request that is sent, paid or corrected. */
export function dueDaysFrom(
  workflow: Workflow,
  step: Pick<Step, 'to' | 'at'>,
  workingDays: number,
): { promised_on: string | null; due_on: string | null } {
  const promised =
    isClockRunning(workflow, step.to) && workingDays > 0
      ? calculateDueDate(step.at, workingDays)
      : null;
  return { promised_on: promised, due_on: earlierDay(promised, limitDayFrom(workflow, step)) };
}

// A hold ends with every step that leaves it.
const holdAfter = ({ hold_until: before }: RequestRow, { hold }: Step) =>
  hold || before !== null
    ? { hold_until: hold?.until ?? null, hold_reason: hold ? JSON.stringify(hold.reason) : null }
    : {};

// Empty when the step does not change the days.
function dueDaysAfter(
  workflow: Workflow,
  {
    id,
    status_id: from,
    working_days: workingDays,
    promised_on: promised,
    due_on: due,
  }: RequestRow,
  step: Step,
): Pick<RequestChanges, 'promised_on' | 'due_on'> {
  if (step.action === 'pay' || step.action === 'update' || !isClockRunning(workflow, step.to))
    return dueDaysFrom(workflow, step, workingDays);
  const limit = limitDayFrom(workflow, step);
  if (isClockRunning(workflow, from) || workingDays === 0) {
    const next = earlierDay(promised, limit);
    return next === due ? {} : { due_on: next };
  }
  const day = dueDayOfHistory(id, step.at);
  return { promised_on: day, due_on: limit === null ? day : earlierDayOf(day, limit) };
}

/**
 * Moves a request to another status: updates its row and version, ends its correction drafts, and
 * records the step. The transaction must hold the lock of the row; these are its last statements.
 * Returns whether messages to the applicant were stored.
 */
export function moveRequest(
  { unit, facts, ...context }: StepContext & { unit: UnitOfWork; facts: StepFacts },
  row: RequestRow,
  step: Step,
): boolean {
  const { workflow } = context;
  const { to, at, changes = {}, writes = [] } = step;
  const comesToProvider = !row.came_to_provider && providerStatuses(workflow).includes(to);
  const changed = {
    ...changes,
    ...holdAfter(row, step),
    ...dueDaysAfter(workflow, row, step),
    ...(comesToProvider ? { came_to_provider: true } : {}),
    ...refundableAfter(workflow, row, to, facts),
    status_id: to,
    version: row.version + 1,
    updated_at: at,
  };
  const { total = row.total, refundable = row.refundable } = changed;
  const moved = { ...row, total, refundable };
  const recorded = recordStep(context, facts, moved, step);
  unit.write({
    request: requestUpdate(row.id, changed),
    corrections: endCorrections(row.id),
    ...recorded.writes,
  });
  unit.add(...writes, ...Object.values(recorded.messages));
  return recorded.messages.messages !== undefined;
}
