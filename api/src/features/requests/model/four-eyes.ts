import type { Role } from '@diwan/contract/wire/call';
import type { RequestAction } from '@diwan/contract/requests/workflow';
import type { Database, Transaction } from '../../../platform/database/database.ts';
import { Refusal } from '../../../platform/core/refusals.ts';
import type { Caller } from '../../../platform/auth/session.ts';
import { hasActedAtCounter, selectActedAtCounter } from './acted-for.store.ts';
import type { RequestRow } from './requests.store.ts';

/** What the rule stands on: whether this deployment has it (FOUR_EYES). */
export interface FourEyes {
  fourEyes: boolean;
}

type Owned = Pick<RequestRow, 'user_id' | 'company_id'>;

/** Whether a request is the caller's own: they sent it, or it is their company's. */
export function isOwnRequest(
  caller: Caller,
  { user_id: sender, company_id: company }: Owned,
): boolean {
  return sender === caller.userId || (company !== null && company === caller.companyId);
}

/**
 * Refuses the staff's actions on a request to whoever owns it, or sent it or changed it at the
 * counter. Decision 0028.
 */
export async function refuseOwnRequest(
  { fourEyes }: FourEyes,
  transaction: Transaction,
  caller: Caller,
  row: Owned & Pick<RequestRow, 'id'>,
  role: Role,
): Promise<void> {
  if (!fourEyes || role === 'Client' || role === 'CompanyUser') return;
  if (isOwnRequest(caller, row) || (await hasActedAtCounter(transaction, row.id, caller.userId)))
    throw new Refusal('OwnCounterRequest');
}

/** Of these requests those that a caller leaves to others as staff. */
export async function findOwnRequests(
  { fourEyes }: FourEyes,
  database: Database,
  caller: Caller,
  rows: readonly (Owned & Pick<RequestRow, 'id'>)[],
): Promise<ReadonlySet<number>> {
  if (!fourEyes) return new Set();
  const acted = await selectActedAtCounter(
    database,
    rows.map(({ id }) => id),
    caller.userId,
  );
  return new Set(
    rows.filter((row) => isOwnRequest(caller, row) || acted.has(row.id)).map(({ id }) => id),
  );
}

/** What is left to do with a request of one's own: what its owner does. */
export function asOwn(allowed: readonly RequestAction[]): {
  allowedActions: RequestAction[];
  isOwnCounterRequest: true;
} {
  return {
    allowedActions: allowed.filter((action) => action === 'update' || action === 'pay'),
    isOwnCounterRequest: true,
  };
}
