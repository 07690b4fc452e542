import type { Database } from '../../platform/database/database.ts';
import { Refusal } from '../../platform/core/refusals.ts';
import * as store from './partner-records.store.ts';

/**
 * Whether an account may begin to work for a service provider: it is nobody else's, and has no
 * requests that would be lost to it.
 */
export function isFree(account: store.Account): boolean {
  return (
    account.roles.length === 0 &&
    account.company_id === null &&
    account.partner_id === null &&
    !account.hasRequests
  );
}

/**
 * Makes a free account a further supervisor. The partner is locked first, so that two changes of
 * one partner follow each other.
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
    if (!isFree(account) || account.suspended_at !== null)
      throw new Refusal('AccountCannotSupervise');
    await store.makeSupervisor(transaction, account.id, partnerId);
  });
}

/**
 * Ends what a supervisor may do for a partner. One who can sign in always stays, or nobody could
 * work on its requests.
 */
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
