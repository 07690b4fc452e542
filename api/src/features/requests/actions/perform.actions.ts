import { maskAddress } from '#features/messages/messages.actions.ts';
import type { StepNotification } from '#features/messages/notifications.actions.ts';
import {
  findPaidStatus,
  findStep,
  type AllowedStep,
} from '#features/workflow/workflow-rules.actions.ts';
import type { Caller } from '#platform/auth/caller.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Transaction } from '#platform/database/database.ts';
import { inTransaction, type UnitOfWork } from '#platform/database/unit-of-work.ts';
import { getAction, type RequestAction } from '@diwan/contract/requests/actions';
import type { previewMessages } from '@diwan/contract/requests/messages';
import type { Workflow } from '@diwan/contract/requests/workflow';
import type { ReplyOf } from '@diwan/contract/wire/call';
import { dayAfter, dayInDubai } from '@diwan/contract/wire/days';
import { refuseOwnRequest } from '../model/four-eyes.ts';
import {
  insertPendingAction,
  pendingActionDelete,
  sumAddedAlone,
} from '../model/pending-actions.store.ts';
import type { RequestsContext } from '../model/requests-context.ts';
import type { RequestRow } from '../model/requests.store.ts';
import type { StepFacts } from '../model/step-facts.store.ts';
import { visibleTo } from '../model/visibility.actions.ts';
import { actorOf } from './actor.ts';
import { addedBy, chargeRequest, type ExplainedCharges } from './charges.ts';
import {
  actionConflict,
  hashAction,
  pendingConflict,
  isRepeated,
  versionConflict,
} from './conflict-errors.ts';
import { lockForStep, recordStep, type LockedRequest, type Step } from './step.ts';

/** The request of an action, as the caller saw it. */
export interface ActionTarget {
  requestId: number;
  /** Another version refuses the action. */
  version?: number | undefined;
  /** Another status refuses the action. */
  statusId?: number | undefined;
  /** False: the applicant gets no message. Source: specification §3. */
  shouldNotifyClient?: boolean | undefined;
  /** The action is checked now, and takes effect after `context.undoSeconds`. */
  isUndoable?: boolean | undefined;
  /** The pending action that is carried out. Nothing happens when it was undone. */
  pendingActionId?: number | undefined;
  /** The second person who confirmed what the pending action charges. */
  confirmedBy?: string | null | undefined;
}

/** What an action changes besides its step. */
export type ActionEffects = Pick<
  Step,
  'reasons' | 'message' | 'issuedDocuments' | 'changes' | 'hold' | 'refund' | 'details' | 'writes'
> & {
  charges?: ExplainedCharges;
};

/** What `prepare` may use: it runs in the transaction of the step, which holds the lock of the row. */
export interface PreparedStep<Sent> {
  transaction: Transaction;
  caller: Caller;
  row: RequestRow;
  facts: StepFacts;
  workflow: Workflow;
  step: AllowedStep;
  sent: Sent;
  now: Date;
  /** It was sent earlier, prepared then, and can no longer be undone. */
  isPending: boolean;
}

interface RequestedAction<Sent> {
  action: RequestAction;
  /** Everything that was sent with the action. */
  sent: Sent;
  /** Validates what was sent and says what the action changes. */
  prepare(step: PreparedStep<Sent>): Promise<ActionEffects>;
}

function isOutdated(target: ActionTarget, row: RequestRow): boolean {
  return (
    // guard: version of a request (conflict-errors, hostile-actions)
    (target.version !== undefined && target.version !== row.version) ||
    // guard: status of a request (charges)
    (target.statusId !== undefined && target.statusId !== row.status_id)
  );
}

/**
 * Whether nothing is left to do: the pending action was undone, or the same call was sent twice, by a
 * double click or after a lost reply; it acts once and succeeds twice. Throws VersionHasChanged,
 * ActionHeld.
 */
export async function isFinished(
  transaction: Transaction,
  caller: Caller,
  target: ActionTarget,
  { row, facts: { pending }, hash }: LockedRequest & { hash: string | null },
): Promise<boolean> {
  if (target.pendingActionId !== undefined && pending?.id !== target.pendingActionId) return true;
  if (isOutdated(target, row)) {
    if (await isRepeated(transaction, row, hash)) return true;
    throw await versionConflict(transaction, row, caller);
  }
  if (!pending || pending.id === target.pendingActionId) return false;
  const isStored = target.isUndoable || pending.waitsWith !== null;
  if (isStored && hash !== null && pending.sentHash === hash) return true;
  throw pendingConflict(pending, caller);
}

/**
 * The step that an action takes, by the workflow and by what was sent. Throws ActionNotAllowed,
 * AnotherApproverNeeded, OwnCounterRequest, and what `prepare` throws.
 */
async function prepareStep<Sent>(
  context: RequestsContext,
  unit: UnitOfWork,
  {
    row,
    facts,
    workflow,
    caller,
    isPending,
  }: LockedRequest & { caller: Caller; isPending: boolean },
  { action, sent, prepare }: RequestedAction<Sent>,
): Promise<Step> {
  const step = findStep(workflow, action, caller, row);
  if (!step) throw await actionConflict(unit, caller, row, { workflow, action });
  const { hasActedAtCounter } = facts;
  // guard: four eyes (hostile-actions)
  refuseOwnRequest(context, caller, { ...row, hasActedAtCounter, role: step.role });
  const at = context.now();
  const parts = { transaction: unit, caller, row, facts, workflow, step, sent, now: at, isPending };
  const prepared = await prepare(parts);
  const { charges = {}, ...effects } = prepared;
  const actor = actorOf(caller, step.role);
  const by = { id: caller.userId, name: actor.name };
  const { to, charged, changes } = chargeRequest(
    { ...row, paid: facts.paid },
    { action, ...step, by, at },
    charges,
    context.rates,
  );
  const changed = { ...effects.changes, ...changes };
  const isOwed = (changed.total ?? row.total) > facts.paid;
  return {
    action,
    to: isOwed ? to : (findPaidStatus(workflow, to, row.paid_status_id) ?? to),
    actor,
    at,
    ...effects,
    objectUntil:
      getAction(action).isObjectable || (charges.fines ?? 0) > 0
        ? lastObjectionDay(at, facts)
        : undefined,
    changes: changed,
    details: { ...effects.details, charged, added: addedBy(charges) },
  };
}

/** The last day on which the applicant may object to a step; null where the service has no such days. */
const lastObjectionDay = (at: Date, { objectionDays }: StepFacts): string | null =>
  objectionDays > 0 ? dayAfter(dayInDubai(at), objectionDays) : null;

/** Whether the fines and fees of a step are more than one person adds to a request alone in 24 hours. */
async function needsSecondPerson(
  { chargeApprovalAbove }: RequestsContext,
  transaction: Transaction,
  { requestId, userId, added }: { requestId: number; userId: string; added: number },
): Promise<boolean> {
  if (added === 0) return false;
  const alone = await sumAddedAlone(transaction, requestId, userId);
  // guard: fines and fees above the limit (charges-of-two) => false
  return alone + added > chargeApprovalAbove;
}

/**
 * Performs an action in one transaction: records its step, or stores it while it can be undone, or
 * until a second person confirms what it charges.
 * Checks in this order whether the caller may see the request, whether it is as the caller saw it,
 * whether the workflow allows the action, and what was sent. Throws RequestNotFound,
 * VersionHasChanged, ActionHeld, ActionNotAllowed, AnotherApproverNeeded, OwnCounterRequest, and what
 * `prepare` throws.
 */
export async function performAction<Sent>(
  context: RequestsContext,
  caller: Caller,
  target: ActionTarget,
  requested: RequestedAction<Sent>,
): Promise<void> {
  const { action, sent } = requested;
  const { requestId, version } = target;
  const hash = hashAction(caller, version, action, sent);
  const isSilent = target.shouldNotifyClient === false;
  await inTransaction(context.database, async (unit) => {
    const request = await lockForStep(unit, context, requestId, {
      visible: visibleTo(caller),
      userId: caller.userId,
    });
    if (!request) throw new Refusal('RequestNotFound');
    if (await isFinished(unit, caller, target, { ...request, hash })) return;
    const isPending = target.pendingActionId !== undefined;
    const step = await prepareStep(context, unit, { ...request, caller, isPending }, requested);
    const added = step.details?.added ?? 0;
    const waits =
      !isPending &&
      (await needsSecondPerson(context, unit, { requestId, userId: caller.userId, added }));
    if (target.isUndoable || waits) {
      const columns = {
        request_id: requestId,
        user_id: caller.userId,
        session_id: caller.sessionId,
        is_silent: isSilent,
        action,
        version: request.row.version,
        sent: JSON.stringify(sent ?? null),
        sent_hash: hash,
        added,
        waits_for_second: waits,
      };
      const seconds = waits ? 0 : context.undoSeconds;
      unit.add((part) => insertPendingAction(part, columns, seconds));
      return;
    }
    const { pending } = request.facts;
    recordStep(context, unit, request, {
      ...step,
      isSilent,
      writes: [...(pending ? [pendingActionDelete(pending.id)] : []), ...(step.writes ?? [])],
      details: { ...step.details, sentHash: hash, confirmedBy: target.confirmedBy ?? null },
    });
  });
}

/** Ends the transaction of a previewed action, so that it is rolled back. */
class PreviewFinished extends Error {
  readonly notification: StepNotification;

  constructor(notification: StepNotification) {
    super('The preview is finished');
    this.notification = notification;
  }
}

/**
 * The messages that an action would send. The action runs until it notifies the applicant, then its
 * transaction is rolled back. Throws what the action throws.
 */
export async function previewAction(
  context: RequestsContext,
  act: (preview: RequestsContext) => Promise<void>,
): Promise<ReplyOf<typeof previewMessages>> {
  const { notifier } = context;
  try {
    await act({
      ...context,
      // A preview shows what is sent once it is confirmed.
      chargeApprovalAbove: Infinity,
      announce: () => undefined,
      notifier: {
        ...notifier,
        writeStepMessages(step, facts) {
          throw new PreviewFinished(notifier.writeStepMessages(step, facts));
        },
      },
    });
  } catch (error) {
    if (!(error instanceof PreviewFinished)) throw error;
    if (error.notification.outcome === null) return { messages: [] };
    const { outcome, messages } = error.notification;
    return {
      outcome,
      // A browser shows the subject of the mail.
      messages: messages
        .filter(({ channel }) => channel !== 'push')
        .map(({ channel, recipient, language, subject, body }) => ({
          channel,
          recipient: maskAddress(recipient),
          language,
          subject,
          text: body,
        })),
    };
  }
  // A repeated action sends no messages.
  return { messages: [] };
}
