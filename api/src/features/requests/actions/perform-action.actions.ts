import { maskAddress } from '#features/messages/messages.actions.ts';
import type { StepNotification } from '#features/messages/notifications.actions.ts';
import type { Caller } from '#platform/auth/caller.ts';
import type { Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { RequestAction } from '@diwan/contract/requests/actions';
import type { previewMessages } from '@diwan/contract/requests/messages';
import type { ReplyOf } from '@diwan/contract/wire/call';
import { refuseOwnRequest } from '../model/four-eyes.ts';
import {
  pendingActionDelete,
  insertPendingAction,
  type PendingAction,
} from '../model/pending-actions.store.ts';
import type { RequestsContext } from '../model/requests-context.ts';
import { findStepFacts, type RequestRow, type StepFacts } from '../model/requests.store.ts';
import { lockVisibleRequest } from '../model/visibility.actions.ts';
import { findStep, type AllowedStep } from '../workflow/workflow.ts';
import { chargeRequest, type ExplainedCharges } from './charges.ts';
import {
  actionConflict,
  hashAction,
  pendingConflict,
  isRepeated,
  versionConflict,
} from './conflict-errors.ts';
import { actorOf, moveRequest, type Step } from './move-request.ts';

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
}

/** What an action changes besides its step. */
export type ActionEffects = Pick<
  Step,
  'reasons' | 'message' | 'issuedDocuments' | 'changes' | 'hold' | 'details' | 'writes'
> & {
  charges?: ExplainedCharges;
};

interface RequestedAction {
  action: RequestAction;
  /** Everything that was sent with the action. */
  sent?: unknown;
  /** Validates what was sent and says what the action changes. */
  prepare(
    transaction: Transaction,
    row: RequestRow,
    facts: StepFacts,
    step: AllowedStep,
  ): Promise<ActionEffects>;
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
async function isFinished(
  transaction: Transaction,
  caller: Caller,
  target: ActionTarget,
  { row, pending, hash }: { row: RequestRow; pending: PendingAction | null; hash: string | null },
): Promise<boolean> {
  if (target.pendingActionId !== undefined && pending?.id !== target.pendingActionId) return true;
  if (isOutdated(target, row)) {
    if (await isRepeated(transaction, row, hash)) return true;
    throw await versionConflict(transaction, row, caller);
  }
  if (!pending || pending.id === target.pendingActionId) return false;
  if (target.isUndoable && hash !== null && pending.sentHash === hash) return true;
  throw pendingConflict(pending, caller);
}

/**
 * Performs an action in one transaction. Checks in this order whether the caller may see the
 * request, whether it is as the caller saw it, whether the workflow allows the action, and what was
 * sent. Throws RequestNotFound, VersionHasChanged, ActionHeld, ActionNotAllowed, OwnCounterRequest,
 * and what `prepare` throws.
 */
export async function performAction(
  context: RequestsContext,
  caller: Caller,
  target: ActionTarget,
  { action, sent, prepare }: RequestedAction,
): Promise<void> {
  const hash = hashAction(caller, target.version, action, sent);
  const { requestId } = target;
  const isSilent = target.shouldNotifyClient === false;
  await inTransaction(context.database, async (unit) => {
    // The facts are read by a separate statement, which sees what changed while the row was locked.
    const { row, facts } = await unit.send({
      row: (part) => lockVisibleRequest(part, caller, requestId),
      facts: (part) => findStepFacts(part, requestId, caller.userId),
    });
    if (!facts) throw new Error('The service of the request is missing');
    const { pending } = facts;
    const workflow = await context.workflow.get(row.workflow_id, unit);
    if (await isFinished(unit, caller, target, { row, pending, hash })) return;
    const step = findStep(workflow, action, caller, row);
    if (!step) throw await actionConflict(unit, caller, row, { workflow, action });
    const { hasActedAtCounter } = facts;
    // guard: four eyes (hostile-actions)
    refuseOwnRequest(context, caller, { ...row, hasActedAtCounter, role: step.role });
    const { charges = {}, writes = [], ...effects } = await prepare(unit, row, facts, step);
    const actor = actorOf(caller, step.role);
    const at = context.now();
    const by = { id: caller.userId, name: actor.name };
    const charged = chargeRequest(row, { action, ...step, by, at }, charges, context.rates);
    if (target.isUndoable) {
      const { version } = row;
      const kept = { action, version, sent: JSON.stringify(sent ?? null), sent_hash: hash };
      const columns = {
        request_id: requestId,
        user_id: caller.userId,
        is_silent: isSilent,
        ...kept,
      };
      unit.add((part) => insertPendingAction(part, columns, context.undoSeconds));
      return;
    }
    const moving = { unit, workflow, notifier: context.notifier, facts };
    const isNotified = moveRequest(moving, row, {
      action,
      to: charged.to,
      actor,
      at,
      isSilent,
      ...effects,
      writes: [...(pending ? [pendingActionDelete(pending.id)] : []), ...writes],
      changes: { ...effects.changes, ...charged.changes },
      details: { ...effects.details, sentHash: hash, charged: charged.charged },
    });
    unit.afterCommit(() => context.announce(isNotified));
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
