import type { CompanyUsers } from '@diwan/contract/people/company-users';
import type { Language } from '@diwan/contract/wire/languages';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { localize } from '../../platform/core/localize.ts';
import { Refusal } from '../../platform/core/refusals.ts';
import type { Caller } from '../../platform/auth/session.ts';
import * as store from './company-users.store.ts';

/**
 * The company of a company user. One without a company is nobody's user: an admin gave the role
 * alone.
 */
function companyOf(caller: Caller): number {
  if (caller.companyId === null) throw new Refusal('YouAreUnauthorized');
  return caller.companyId;
}

/**
 * Does something as a manager of the own company, alone: the company is locked, and who was a
 * manager a moment ago is asked for again.
 */
export async function asManager<T>(
  database: Database,
  caller: Caller,
  work: (transaction: Transaction, companyId: number) => Promise<T>,
): Promise<T> {
  const companyId = companyOf(caller);
  return database.transaction().execute(async (transaction) => {
    await store.lockCompany(transaction, companyId);
    const me = await store.findCompanyUser(transaction, companyId, caller.userId);
    if (!me?.is_company_manager) throw new Refusal('YouAreUnauthorized');
    return work(transaction, companyId);
  });
}

/** The people of the caller's company; open invitations for managers alone. */
export async function listCompanyUsers(
  database: Database,
  caller: Caller,
  language: Language,
): Promise<CompanyUsers> {
  const companyId = companyOf(caller);
  const [name, rows] = await Promise.all([
    store.getCompanyName(database, companyId),
    store.selectCompanyUsers(database, companyId),
  ]);
  const isManager = rows.some((row) => row.id === caller.userId && row.is_company_manager);
  const invitations = isManager ? await store.selectOpenInvitations(database, companyId) : [];
  return {
    companyName: localize(name, language),
    isManager,
    users: rows.map((row) => ({
      userId: row.id,
      fullName: row.full_name,
      email: row.email,
      phoneNumber: row.phone_number,
      isManager: row.is_company_manager,
      isMe: row.id === caller.userId,
      lastSignInAt: row.last_sign_in_at?.toISOString(),
    })),
    invitations: invitations.map((row) => ({
      invitationId: row.id,
      email: row.email,
      invitedBy: row.invited_by_name,
      createdAt: row.created_at.toISOString(),
      expiresAt: row.expires_at.toISOString(),
      isExpired: row.expires_at < new Date(),
      isSent: row.sent_at !== null,
    })),
  };
}

/** Takes somebody out of the company; oneself too, while another manager stays. */
export async function removeUser(
  database: Database,
  caller: Caller,
  userId: string,
): Promise<void> {
  await asManager(database, caller, async (transaction, companyId) => {
    const user = await store.findCompanyUser(transaction, companyId, userId);
    if (!user) throw new Refusal('NotFound');
    if (user.is_company_manager && (await store.countManagers(transaction, companyId)) < 2)
      throw new Refusal('CompanyNeedsManager');
    // Who leaves must not find an open door that they left behind.
    await store.cancelInvitationsBy(transaction, companyId, userId);
    await store.leaveCompany(transaction, userId);
  });
}

export async function changeManager(
  database: Database,
  caller: Caller,
  userId: string,
  isManager: boolean,
): Promise<void> {
  await asManager(database, caller, async (transaction, companyId) => {
    const user = await store.findCompanyUser(transaction, companyId, userId);
    if (!user) throw new Refusal('NotFound');
    if (
      user.is_company_manager &&
      !isManager &&
      (await store.countManagers(transaction, companyId)) < 2
    )
      throw new Refusal('CompanyNeedsManager');
    await store.setManager(transaction, userId, isManager);
  });
}
