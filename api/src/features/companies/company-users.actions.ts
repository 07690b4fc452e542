import type { Caller } from '#platform/auth/caller.ts';
import { localize, localizePersonName } from '#platform/core/localize.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { CompanyDetails } from '@diwan/contract/forms/parties';
import type { CompanyUsers } from '@diwan/contract/people/companies';
import type { Language } from '@diwan/contract/wire/languages';
import { changeDetails, lockTarget, toDetails } from './companies.actions.ts';
import { getCompany } from './companies.store.ts';
import * as store from './company-users.store.ts';

/**
 * Throws YouAreUnauthorized for a company user without a company, to whom an admin gave only the
 * role.
 */
function getCompanyId(caller: Caller): number {
  if (caller.companyId === null) throw new Refusal('YouAreUnauthorized');
  return caller.companyId;
}

/**
 * Runs work as a manager of the caller's company. Locks the company and checks again that the
 * caller is a manager.
 */
export async function asManager<T>(
  database: Database,
  caller: Caller,
  work: (transaction: Transaction, companyId: number) => Promise<T>,
): Promise<T> {
  const companyId = getCompanyId(caller);
  return inTransaction(database, async (transaction) => {
    await store.lockCompany(transaction, companyId);
    const me = await store.findCompanyUser(transaction, companyId, caller.userId);
    // guard: manager of a company
    if (!me?.is_company_manager) throw new Refusal('YouAreUnauthorized');
    return work(transaction, companyId);
  });
}

/** Changes what invoices say about the caller's company. */
export async function saveDetails(
  database: Database,
  { caller, address }: { caller: Caller; address: string },
  { version, ...details }: CompanyDetails & { version: number },
): Promise<void> {
  await asManager(database, caller, async (transaction, companyId) => {
    const company = await lockTarget(transaction, { companyId, version });
    const { name } = company;
    await changeDetails(transaction, { caller, address }, company, { name, details });
  });
}

/** Lists the users of the caller's company, with open invitations for managers. */
export async function listCompanyUsers(
  database: Database,
  caller: Caller,
  language: Language,
): Promise<CompanyUsers> {
  const companyId = getCompanyId(caller);
  const [company, rows] = await Promise.all([
    getCompany(database, companyId),
    store.selectCompanyUsers(database, companyId),
  ]);
  const isManager = rows.some((row) => row.id === caller.userId && row.is_company_manager);
  const invitations = isManager ? await store.selectOpenInvitations(database, companyId) : [];
  return {
    companyName: localize(company.name, language),
    details: toDetails(company),
    version: company.version,
    isManager,
    users: rows.map((row) => ({
      userId: row.id,
      fullName: localizePersonName(row, language),
      email: row.email,
      phoneNumber: row.phone_number,
      isManager: row.is_company_manager,
      isMe: row.id === caller.userId,
      lastSignInAt: row.last_sign_in_at?.toISOString(),
    })),
    invitations: invitations.map((row) => ({
      invitationId: row.id,
      email: row.email,
      invitedBy: localizePersonName(row, language),
      createdAt: row.created_at.toISOString(),
      expiresAt: row.expires_at.toISOString(),
      isExpired: row.expires_at < new Date(),
      isSent: row.sent_at !== null,
    })),
  };
}

/**
 * Removes a user from the company. A manager can remove themselves while another manager remains.
 */
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
    // A user who leaves must not return by an invitation that they sent themselves.
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
