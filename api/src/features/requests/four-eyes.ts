import type { Role } from '@diwan/contract/call';
import type { Database, Transaction } from '../../platform/database.ts';
import { Refusal } from '../../platform/refusals.ts';
import type { Caller } from '../../platform/session.ts';
import { hasActedAtCounter } from './acted-for.store.ts';

/** What the rule stands on: whether this deployment has it (FOUR_EYES). */
export interface FourEyes {
  fourEyes?: boolean | undefined;
}

/** Whether a caller has sent or changed a request for its owner and so may not deal with it as staff. Decision 0028. */
export async function isOwnCounterRequest({ fourEyes = true }: FourEyes, database: Database | Transaction, caller: Caller, requestId: number): Promise<boolean> {
  return fourEyes && hasActedAtCounter(database, requestId, caller.userId);
}

/** Refuses the staff's actions on a request to whoever sent it at the counter. */
export async function refuseOwnCounterRequest(house: FourEyes, transaction: Transaction, caller: Caller, requestId: number, role: Role): Promise<void> {
  if (role === 'Client' || role === 'CompanyUser') return;
  if (await isOwnCounterRequest(house, transaction, caller, requestId)) throw new Refusal('OwnCounterRequest');
}
