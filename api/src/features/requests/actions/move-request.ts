import type { Role } from '@diwan/contract/wire/call';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import type { RequestAction, Workflow } from '@diwan/contract/requests/workflow';
import type { Transaction } from '../../../platform/database/database.ts';
import type {
  StoredActedFor,
  StoredMark,
  StoredCorrection,
} from '../../../platform/database/columns.ts';
import { getActor, type Caller } from '../../../platform/auth/caller.ts';
import { endCorrections } from '../../drafts/drafts.actions.ts';
import type { Notifier } from '../../messages/notifications.actions.ts';
import { refundableOf } from '../model/paid-lines.ts';
import { moveCount } from '../model/request-counts.store.ts';
import {
  appendHistory,
  sumOverpaid,
  sumPaid,
  updateRequest,
  type RequestChanges,
  type RequestRow,
} from '../model/requests.store.ts';
import { getStatus, providerStatuses } from '../workflow/workflow.ts';
import { recordMoveEvents } from './request-hubs.ts';
import { appendMarks } from './return-marks.ts';

/** Who performs an action, as the history stores it. */
export interface Actor {
  kind: 'applicant' | 'employee' | 'serviceProvider' | 'payment';
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
  changes?: RequestChanges;
  /** The applicant gets no message about the step. */
  isSilent?: boolean;
  details?: StepDetails;
}

/** Further columns of the history. */
export interface StepDetails {
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
export interface StepContext {
  transaction: Transaction;
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

/**
 * Records a step outside of the request's own row: in the history, the messages to the applicant,
 * the counts and the events of the hubs. `status_id` is null for a new request.
 */
export async function recordStep(
  { transaction, workflow, notifier }: StepContext,
  row: { id: number; partner_id: number | null; status_id: number | null },
  step: Step,
): Promise<void> {
  const { action, to, actor, at, reasons = [], message = null, details = {} } = step;
  const { charged, marks = [], corrected, reasonTexts = [], sentHash } = details;
  const { id: requestId, partner_id: partnerId, status_id: from } = row;
  const notification = {
    requestId,
    workflow,
    action,
    from,
    to,
    at,
    reasons: reasonTexts,
    message: appendMarks(message, marks),
    isSuppressed: step.isSilent,
  };
  await notifier.notifyOfStep(transaction, notification, (notice) =>
    appendHistory(transaction, {
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
      mended: corrected && JSON.stringify(corrected),
      sent_hash: sentHash,
      charged,
    }),
  );
  await moveCount(transaction, partnerId, from, to);
  await recordMoveEvents(transaction, workflow, { partnerId, from, to });
}

// A refusal makes the refundable lines and every overpayment refundable.
async function refundableAfter(
  { transaction, workflow }: StepContext,
  row: Pick<RequestRow, 'id' | 'quote' | 'refundable'>,
  to: number,
): Promise<{ refundable?: number }> {
  if (getStatus(workflow, to).tone !== 'refused') return {};
  const paid = await sumPaid(transaction, row.id);
  const overpaid = await sumOverpaid(transaction, row.id);
  return { refundable: Math.max(row.refundable, overpaid + refundableOf(row.quote, paid)) };
}

/**
 * Moves a request to another status: updates its row and version, ends its correction drafts, and
 * records the step. The transaction must hold the lock of the row.
 */
export async function moveRequest(
  context: StepContext,
  row: Pick<RequestRow, 'id' | 'status_id' | 'version' | 'partner_id' | 'quote' | 'refundable'>,
  step: Step,
): Promise<void> {
  const { transaction, workflow } = context;
  const { to, at, changes = {} } = step;
  await updateRequest(transaction, row.id, {
    ...changes,
    ...(providerStatuses(workflow).includes(to) ? { came_to_provider: true } : {}),
    ...(await refundableAfter(context, row, to)),
    status_id: to,
    version: row.version + 1,
    updated_at: at,
  });
  await endCorrections(transaction, row.id);
  await recordStep(context, row, step);
}
