import { isOwnRequest, type Caller } from '#platform/auth/caller.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { RequestAction } from '@diwan/contract/requests/actions';
import type { Role } from '@diwan/contract/wire/call';
import type { RequestRow } from './requests.store.ts';

/** Whether this deployment separates sending a request from working on it: FOUR_EYES. */
export interface FourEyesSetting {
  fourEyes: boolean;
}

type RequestToCheck = Pick<RequestRow, 'user_id' | 'company_id'> & {
  /** Whether the caller has acted on the request at a counter, for its owner. */
  hasActedAtCounter: boolean;
};

/** Whether the caller sent a request, or owns it. */
export function isSenderOrOwner(
  caller: Caller,
  row: Pick<RequestRow, 'user_id' | 'company_id'>,
): boolean {
  return row.user_id === caller.userId || isOwnRequest(caller, row);
}

/**
 * Refuses an action in a staff role to callers who sent or own the request, or who sent or changed
 * it for its owner at a counter. `role` is the role in which the caller acts. Throws
 * OwnCounterRequest. Decision 0028.
 */
export function refuseOwnRequest(
  { fourEyes }: FourEyesSetting,
  caller: Caller,
  row: RequestToCheck & { role: Role },
): void {
  if (!fourEyes || row.role === 'Client' || row.role === 'CompanyUser') return;
  if (isSenderOrOwner(caller, row) || row.hasActedAtCounter) throw new Refusal('OwnCounterRequest');
}

/** The actions that remain when the four-eyes rule applies: those of the request's owner. */
export function limitToOwnerActions(allowed: readonly RequestAction[]): {
  allowedActions: RequestAction[];
  isOwnCounterRequest: true;
} {
  return {
    allowedActions: allowed.filter((action) => action === 'update' || action === 'pay'),
    isOwnCounterRequest: true,
  };
}
