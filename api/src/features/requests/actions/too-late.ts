import { createHash } from 'node:crypto';
import type { RequestAction, Workflow } from '@diwan/contract/requests/workflow';
import type { Transaction } from '../../../platform/database/database.ts';
import { Refusal } from '../../../platform/core/refusals.ts';
import type { Caller } from '../../../platform/auth/session.ts';
import { tellStep } from './latest-step.ts';
import * as store from '../model/requests.store.ts';
import { findStep } from '../workflow/workflow.ts';

/**
 * What tells the same thing sent twice from another: who sent it, at which version, and all of it.
 * `null` without a version, which every call may leave out.
 */
export function hashOfSent(
  caller: Caller,
  version: number | undefined,
  action: RequestAction,
  sent: unknown,
): string | null {
  return version === undefined
    ? null
    : createHash('sha256')
        .update(
          JSON.stringify([
            caller.userId,
            caller.actor?.userId ?? null,
            version,
            action,
            sent ?? null,
          ]),
        )
        .digest('hex');
}

/** Whether the last thing that happened to a request is what is asked for once more. */
export async function isAlreadyDone(
  transaction: Transaction,
  row: store.RequestRow,
  hash: string | null,
): Promise<boolean> {
  return hash !== null && (await store.findLatestStep(transaction, row.id))?.sent_hash === hash;
}

/** VersionHasChanged, with who was faster and when. */
export async function tooLate(
  transaction: Transaction,
  row: store.RequestRow,
  caller: Caller,
): Promise<Refusal> {
  const latest = await store.findLatestStep(transaction, row.id);
  return new Refusal('VersionHasChanged', latest ? { detail: tellStep(latest, caller) } : {});
}

// The step that took the action away: the last one, where the action was possible before it; or the
// receiving by whoever holds the request.
async function findCause(
  transaction: Transaction,
  workflow: Workflow,
  row: store.RequestRow,
  action: RequestAction,
  caller: Caller,
): Promise<store.HistoryRow | undefined> {
  const asHolder = { ...row, holder_id: caller.userId };
  if (
    row.holder_id !== null &&
    row.holder_id !== caller.userId &&
    findStep(workflow, action, row.status_id, caller, asHolder)
  )
    return store.findLatestStep(transaction, row.id, 'receive');
  const latest = await store.findLatestStep(transaction, row.id);
  if (!latest || latest.from_status_id === null || latest.from_status_id === row.status_id)
    return undefined;
  return findStep(workflow, action, latest.from_status_id, caller, asHolder) ? latest : undefined;
}

/** ActionNotAllowed, with who did what took the action away, where that is why. */
export async function notAllowed(
  transaction: Transaction,
  workflow: Workflow,
  row: store.RequestRow,
  action: RequestAction,
  caller: Caller,
): Promise<Refusal> {
  const cause = await findCause(transaction, workflow, row, action, caller);
  return new Refusal('ActionNotAllowed', cause ? { detail: tellStep(cause, caller) } : {});
}
