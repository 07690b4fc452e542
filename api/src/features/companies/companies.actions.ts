import { announceAccessChange } from '#platform/auth/access-changes.ts';
import { recordChange, type ChangeAuthor } from '#platform/auth/changes.ts';
import { localize, localizePersonName } from '#platform/core/localize.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { checkContacts } from '@diwan/contract/forms/contact-details';
import { findMissingAddress, type CompanyDetails } from '@diwan/contract/forms/parties';
import {
  maximumListedCompanyUsers,
  type CompanyRecord,
  type CompanySummary,
} from '@diwan/contract/people/companies';
import { normalizeLicenceNumber } from '@diwan/contract/people/new-account';
import type { EveryField } from '@diwan/contract/wire/call';
import { languages, type Language, type LocalizedText } from '@diwan/contract/wire/languages';
import type { Admin } from '../users/admin/positions.actions.ts';
import { endSessionsOfUsers } from '../users/sign-in/own-sessions.actions.ts';
import * as store from './companies.store.ts';

/** A company to change, as the admin saw it. */
interface Target {
  companyId: number;
  version: number;
}

const describeSummary = (
  row: store.CompanyRow & { users_count: number; requests_count: number },
  language: Language,
): EveryField<CompanySummary> => ({
  id: row.id,
  name: localize(row.name, language),
  licenceNumber: row.licence_number ?? undefined,
  isSuspended: row.suspended_at !== null,
  usersCount: row.users_count,
  requestsCount: row.requests_count,
});

/** One page of the companies for admins, with the number of all that are found. */
export async function listCompanies(
  database: Database,
  page: store.CompanyList,
  language: Language,
): Promise<{ items: CompanySummary[]; pageNumber: number; totalCount: number }> {
  const [rows, totalCount] = await Promise.all([
    store.selectCompanies(database, page, language),
    store.countCompanies(database, page),
  ]);
  return {
    items: rows.map((row) => describeSummary(row, language)),
    pageNumber: page.pageNumber,
    totalCount,
  };
}

/** What invoices say about a company. */
export const toDetails = (row: store.CompanyRow): CompanyDetails => ({
  street: row.street,
  city: row.city,
  emirate: row.emirate,
  trn: row.trn,
  licenceNumber: row.licence_number ?? '',
  licenceAuthority: row.licence_authority,
  licenceExpiresOn: row.licence_expires_on ?? '',
});

/** The columns of details. Throws ValidationRefusal for a part of an address. */
function columnsOf(details: CompanyDetails) {
  const missing = findMissingAddress(details);
  if (missing.length > 0)
    throw new ValidationRefusal(missing.map((field) => ({ field, code: 'required' })));
  return {
    street: details.street,
    city: details.city,
    emirate: details.emirate,
    trn: details.trn,
    licence_number: normalizeLicenceNumber(details.licenceNumber) || null,
    licence_authority: details.licenceAuthority,
    licence_expires_on: details.licenceExpiresOn || null,
  };
}

/**
 * Changes what a company is called and what invoices say about it, in the name of an admin or of a
 * manager. Throws RecordHasChanged, LicenceNumberInUse.
 */
export async function changeDetails(
  transaction: Transaction,
  author: ChangeAuthor,
  company: store.CompanyRow,
  changes: { name: LocalizedText; details: Partial<CompanyDetails> },
): Promise<void> {
  const { name } = changes;
  const before = toDetails(company);
  const columns = columnsOf({ ...before, ...changes.details } as CompanyDetails);
  try {
    await store.updateCompany(transaction, company.id, { name: JSON.stringify(name), ...columns });
  } catch (error) {
    const { constraint } = error as { constraint?: string };
    throw constraint === 'companies_licence' ? new Refusal('LicenceNumberInUse') : error;
  }
  await recordChange(transaction, author, {
    entity: 'company',
    entityId: company.id,
    name,
    action: 'changed',
    before: { name: company.name, ...before },
    after: { name, ...toDetails({ ...company, ...columns }) },
  });
}

/** One company for an admin. Throws NotFound. */
export async function getCompanyRecord(
  database: Database,
  companyId: number,
  language: Language,
): Promise<EveryField<CompanyRecord>> {
  const [row, users] = await Promise.all([
    store.findCompany(database, companyId),
    store.selectUsers(database, companyId, maximumListedCompanyUsers),
  ]);
  if (!row) throw new Refusal('NotFound');
  return {
    ...describeSummary(row, language),
    names: row.name,
    details: toDetails(row),
    version: row.version,
    createdAt: row.created_at.toISOString(),
    suspendedAt: row.suspended_at?.toISOString(),
    suspensionReason: row.suspension_reason ?? undefined,
    openRequestsCount: row.open_requests_count,
    users: users.map((user) => ({
      userId: user.id,
      fullName: localizePersonName(user, language),
      email: user.email,
      isManager: user.is_company_manager,
      isSuspended: user.suspended_at !== null,
      lastSignInAt: user.last_sign_in_at?.toISOString(),
    })),
  };
}

/** Locks a company in the version that somebody saw. Throws NotFound, RecordHasChanged. */
export async function lockTarget(
  transaction: Transaction,
  { companyId, version }: Target,
): Promise<store.CompanyRow> {
  const company = await store.lockCompany(transaction, companyId);
  if (!company) throw new Refusal('NotFound');
  if (company.version !== version) throw new Refusal('RecordHasChanged');
  return company;
}

/** Changes the names and the details of a company. */
export async function changeCompany(
  database: Database,
  admin: Admin,
  {
    name: typed,
    companyId,
    version,
    ...details
  }: Target & Partial<CompanyDetails> & { name: LocalizedText },
): Promise<void> {
  const name = { ...typed };
  const issues = languages.flatMap((language) => {
    const checked = checkContacts({ name: 'name' }, { name: typed[language] });
    name[language] = checked.values.name;
    return checked.issues.map((issue) => ({ ...issue, field: `name.${language}` }));
  });
  if (issues.length > 0) throw new ValidationRefusal(issues);
  await inTransaction(database, async (transaction) => {
    const company = await lockTarget(transaction, { companyId, version });
    await changeDetails(transaction, admin, company, { name, details });
  });
}

const recordSuspension = (
  transaction: Transaction,
  admin: Admin,
  company: store.CompanyRow,
  reason: string | null,
) =>
  recordChange(transaction, admin, {
    entity: 'company',
    entityId: company.id,
    name: company.name,
    action: 'changed',
    before: {
      state: company.suspended_at ? 'suspended' : 'active',
      suspensionReason: company.suspension_reason,
    },
    after: { state: reason === null ? 'active' : 'suspended', suspensionReason: reason },
  });

/**
 * Suspends a company: its users cannot sign in, their sessions end, and their live connections close
 * in all processes. Its requests stay as they are.
 */
export async function suspendCompany(
  database: Database,
  admin: Admin,
  target: Target & { reason: string },
): Promise<void> {
  const userIds = await inTransaction(database, async (transaction) => {
    const company = await lockTarget(transaction, target);
    if (company.suspended_at !== null) throw new Refusal('RecordHasChanged');
    await store.updateCompany(transaction, company.id, {
      suspended_at: new Date(),
      suspension_reason: target.reason,
    });
    const ids = (await store.selectUsers(transaction, company.id)).map(({ id }) => id);
    await endSessionsOfUsers(transaction, ids, {
      reason: 'companySuspended',
      address: admin.address,
      by: admin.caller,
    });
    await recordSuspension(transaction, admin, company, target.reason);
    return ids;
  });
  for (const id of userIds) await announceAccessChange(database, id);
}

export async function restoreCompany(
  database: Database,
  admin: Admin,
  target: Target,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const company = await lockTarget(transaction, target);
    if (company.suspended_at === null) throw new Refusal('RecordHasChanged');
    await store.updateCompany(transaction, company.id, {
      suspended_at: null,
      suspension_reason: null,
    });
    await recordSuspension(transaction, admin, company, null);
  });
}
