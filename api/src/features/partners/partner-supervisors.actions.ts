import type { Database } from '../../platform/database/database.ts';
import { Refusal } from '../../platform/core/refusals.ts';
import * as store from './partner-records.store.ts';

/**
 * Returns whether an account can become a supervisor: it has no role, company or partner, and no
 * requests, which it could not view afterwards.
 */
export function isUnaffiliated(account: store.Account): boolean {
  return (
    account.roles.length === 0 &&
    account.company_id === null &&
    account.partner_id === null &&
    !account.hasRequests
  );
}

/**
 * Adds an unaffiliated account as a supervisor. Locks the partner first, so that changes of one
 * partner run one after the other.
 */
export async function addSupervisor(
  database: Database,
  partnerId: number,
  username: string,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    if (!(await store.lockPartner(transaction, partnerId))) throw new Refusal('NotFound');
    const account = await store.lockAccount(transaction, { username: username.toLowerCase() });
    if (!account) throw new Refusal('UsernameNotFound');
    if (account.partner_id === partnerId && account.roles.includes('ServiceProvider'))
      throw new Refusal('AlreadySupervisor');
    if (!isUnaffiliated(account) || account.suspended_at !== null)
      throw new Refusal('AccountCannotSupervise');
    await store.makeSupervisor(transaction, account.id, partnerId);
  });
}

/** Removes a supervisor. One active supervisor must remain, who can work on the requests. */
export async function removeSupervisor(
  database: Database,
  partnerId: number,
  userId: string,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    if (!(await store.lockPartner(transaction, partnerId))) throw new Refusal('NotFound');
    const supervisors = await store.selectSupervisors(transaction, partnerId);
    if (!supervisors.some(({ id }) => id === userId)) throw new Refusal('NotFound');
    if (!supervisors.some(({ id, suspended_at }) => id !== userId && suspended_at === null))
      throw new Refusal('ProviderNeedsSupervisor');
    await store.endSupervisor(transaction, userId);
  });
}
