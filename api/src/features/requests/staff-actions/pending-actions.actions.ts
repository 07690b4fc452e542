import { restrictionRefusals, type Caller } from '#platform/auth/caller.ts';
import { recordChange } from '#platform/auth/changes.ts';
import { requireIndependence } from '#platform/auth/second-person.ts';
import { refusalText } from '#platform/core/locale-texts.ts';
import { localizePersonName } from '#platform/core/localize.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import type { Database } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { getHeldActions } from '@diwan/contract/processing/pending-actions';
import { decideCharge, getWaitingCharges } from '@diwan/contract/processing/waiting-charges';
import { undoableActions, type RequestAction } from '@diwan/contract/requests/actions';
import type { BodyOf, ReplyOf } from '@diwan/contract/wire/call';
import { refusalNames, type RefusalName } from '@diwan/contract/wire/errors';
import type { Language } from '@diwan/contract/wire/languages';
import { performAction } from '../actions/perform.actions.ts';
import * as store from '../model/pending-actions.store.ts';
import type { RequestsContext } from '../model/requests-context.ts';
import { lockVisibleRequest } from '../model/visibility.actions.ts';
import { staffActionOf } from './staff-actions.ts';

/** What carrying out pending actions needs. */
export interface PendingActionsContext extends RequestsContext {
  /** A user as a caller without a session; `undefined` for a suspended user. */
  findUserAsCaller(userId: string): Promise<Caller | undefined>;
  reportFailure(error: unknown): void;
}

function nameOfRefusal(error: unknown): RefusalName | undefined {
  if (error instanceof ValidationRefusal) return 'ValidationFailed';
  return error instanceof Refusal ? error.refusal : undefined;
}

// After this time an action that fails for an unknown reason is given up.
const retryMs = 60_000;

async function perform(context: PendingActionsContext, row: store.PendingActionRow): Promise<void> {
  try {
    const caller = await context.findUserAsCaller(row.user_id);
    const action = undoableActions.find((each) => each === row.action);
    if (!caller || !action) throw new Refusal('YouAreUnauthorized');
    if (caller.restriction) throw new Refusal(restrictionRefusals[caller.restriction]);
    const target = {
      requestId: row.request_id,
      version: row.version,
      shouldNotifyClient: !row.is_silent,
      pendingActionId: row.id,
      confirmedBy: row.confirmed_by,
    };
    const { prepare } = staffActionOf(action);
    await performAction(context, caller, target, { action, sent: row.sent, prepare });
  } catch (error) {
    const refusal = nameOfRefusal(error);
    const isTemporary = refusal === 'ServerBusy' || refusal === undefined;
    if (refusal === undefined) context.reportFailure(error);
    if (isTemporary && Date.now() - row.acts_at.getTime() < retryMs) return;
    await store.markFailed(context.database, row.id, refusal ?? 'InternalServerError');
  }
}

/**
 * Carries out the pending actions that are due. Several processes may do it at the same time: an
 * action begins with the lock of its request and ends with the deletion of its row, so that the
 * second process finds nothing to do.
 */
export async function performDueActions(context: PendingActionsContext): Promise<void> {
  for (const row of await store.selectDueActions(context.database)) await perform(context, row);
}

/**
 * Undoes the pending action of the caller on a request that has this version. Undoing twice succeeds
 * twice. Throws RequestNotFound, and TooLateToUndo when the action has taken effect.
 */
export async function undoAction(
  context: Pick<RequestsContext, 'database'>,
  caller: Caller,
  { requestId, version }: { requestId: number; version: number },
): Promise<void> {
  await inTransaction(context.database, async (transaction) => {
    const row = await lockVisibleRequest(transaction, caller, requestId);
    if (row.version !== version) throw new Refusal('TooLateToUndo');
    await store.deleteWaitingAction(transaction, requestId, caller.userId);
  });
}

/** The caller's actions that wait or have failed, the oldest first. */
export async function listPendingActions(
  database: Database,
  caller: Caller,
  language: Language,
): Promise<ReplyOf<typeof getHeldActions>> {
  const rows = await store.selectActionsOf(database, caller.userId);
  return rows.map((row) => {
    const { id, request_id, number, action, version, actsInMs, refusal } = row;
    const name = refusalNames.find((each) => each === refusal);
    return {
      heldActionId: id,
      requestId: request_id,
      requestNumber: number,
      action: action as RequestAction,
      version,
      actsInMs,
      ...(row.waits_for_second && refusal === null ? { waitsWith: row.added } : {}),
      ...(refusal === null
        ? {}
        : { failure: refusalText(name ?? 'InternalServerError', language) }),
    };
  });
}

/** Forgets a failed action of the caller, who has read of it. */
export function dismissFailedAction(database: Database, caller: Caller, id: number): Promise<void> {
  return store.deleteFailedAction(database, caller.userId, id);
}

/** The charges that wait for a second person, the oldest first. */
export async function listWaitingCharges(
  database: Database,
  caller: Caller,
  language: Language,
): Promise<ReplyOf<typeof getWaitingCharges>> {
  const rows = await store.selectWaitingCharges(database);
  return rows.map((row) => ({
    heldActionId: row.id,
    requestId: row.request_id,
    requestNumber: row.number,
    action: row.action as RequestAction,
    amount: row.added,
    askedBy: localizePersonName(row, language),
    isOwn: row.user_id === caller.userId,
    at: row.acts_at.toISOString(),
  }));
}

/**
 * Confirms or refuses the charge that waits on a request. A confirmed one takes effect in the name of
 * who asked for it; of a refused one they read that it was not confirmed. Throws RequestNotFound,
 * DecisionNotPossible when it no longer waits, DecisionNeedsSecondPerson, SecondPersonNotIndependent.
 */
export async function decideWaitingCharge(
  context: Pick<RequestsContext, 'database'>,
  { caller, address }: { caller: Caller; address: string },
  { requestId, heldActionId, isConfirmed }: BodyOf<typeof decideCharge>,
): Promise<void> {
  await inTransaction(context.database, async (transaction) => {
    const request = await lockVisibleRequest(transaction, caller, requestId);
    const charge = await store.findWaitingCharge(transaction, requestId, heldActionId);
    if (!charge) throw new Refusal('DecisionNotPossible');
    // guard: own charge (charges-of-two)
    if (charge.user_id === caller.userId) throw new Refusal('DecisionNeedsSecondPerson');
    if (isConfirmed) {
      // guard: independent second person of a charge (charges-of-two)
      await requireIndependence(transaction, {
        askedBy: charge.user_id,
        confirmedBy: caller.userId,
      });
      await store.confirmCharge(transaction, heldActionId, caller.userId);
    } else await store.markFailed(transaction, heldActionId, 'ChargeNotConfirmed');
    await recordChange(
      transaction,
      { caller, address },
      {
        entity: 'charge',
        entityId: requestId,
        name: request.number,
        action: isConfirmed ? 'confirmed' : 'refused',
        after: { amount: charge.added },
      },
    );
  });
}
