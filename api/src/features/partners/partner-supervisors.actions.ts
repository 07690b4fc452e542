import { announceAccessChange } from '#platform/auth/access-changes.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Database } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { normalizeUsername } from '@diwan/contract/people/new-account';
import { changePosition, lockRolesAs, type Admin } from '../users/admin/positions.actions.ts';
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
 * Adds an unaffiliated account as a supervisor, or asks a second admin to confirm it where the rule
 * says so. Locks the partner first, so that changes of one partner run one after the other.
 */
export async function addSupervisor(
  database: Database,
  admin: Admin,
  partnerId: number,
  username: string,
): Promise<void> {
  const userId = await inTransaction(database, async (transaction) => {
    if (!(await store.lockPartner(transaction, partnerId))) throw new Refusal('NotFound');
    await lockRolesAs(transaction, admin);
    const account = await store.lockAccount(transaction, { username: normalizeUsername(username) });
    if (!account) throw new Refusal('UsernameNotFound');
    if (account.partner_id === partnerId && account.roles.includes('ServiceProvider'))
      throw new Refusal('AlreadySupervisor');
    if (!isUnaffiliated(account) || account.suspended_at !== null)
      throw new Refusal('AccountCannotSupervise');
    await changePosition(transaction, admin, account, { roles: ['ServiceProvider'], partnerId });
    return account.id;
  });
  await announceAccessChange(database, userId);
}

/**
 * Removes a supervisor, or asks a second admin to confirm it. One active supervisor must remain, who
 * can work on the requests.
 */
export async function removeSupervisor(
  database: Database,
  admin: Admin,
  partnerId: number,
  userId: string,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    if (!(await store.lockPartner(transaction, partnerId))) throw new Refusal('NotFound');
    await lockRolesAs(transaction, admin);
    const supervisors = await store.selectSupervisors(transaction, partnerId);
    const account = await store.lockAccount(transaction, { id: userId });
    if (!account || !supervisors.some(({ id }) => id === userId)) throw new Refusal('NotFound');
    if (!supervisors.some(({ id, suspended_at }) => id !== userId && suspended_at === null))
      throw new Refusal('ProviderNeedsSupervisor');
    const roles = account.roles.filter((role) => role !== 'ServiceProvider');
    await changePosition(transaction, admin, account, { roles, partnerId: null });
  });
  await announceAccessChange(database, userId);
}
