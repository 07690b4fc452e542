import type { Selectable } from 'kysely';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { sql } from '#platform/database/sql.ts';
import { isOpenInvitation } from '#platform/messages/invitations.store.ts';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'company_invitations.language': Language;
  }
}

export type InvitationRow = Selectable<Tables['company_invitations']>;

export async function getCompanyName(
  database: Database | Transaction,
  id: number,
): Promise<LocalizedText> {
  return (
    await database
      .selectFrom('companies')
      .select('name')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).name;
}

/** Locks a company, so that two managers cannot both remove the last other manager. */
export async function lockCompany(transaction: Transaction, id: number): Promise<void> {
  await transaction
    .selectFrom('companies')
    .select('id')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export function selectCompanyUsers(database: Database, companyId: number) {
  return database
    .selectFrom('users')
    .select([
      'users.id',
      'full_name',
      'full_name_ar',
      'email',
      'phone_number',
      'is_company_manager',
      ({ selectFrom }) =>
        selectFrom('sessions')
          .select((eb) => eb.fn.max('sessions.created_at').as('at'))
          .whereRef('sessions.user_id', '=', 'users.id')
          .as('last_sign_in_at'),
    ])
    .where('company_id', '=', companyId)
    .where(sql<boolean>`'CompanyUser' = any(roles)`)
    .orderBy('is_company_manager', 'desc')
    .orderBy('full_name')
    .orderBy('id')
    .execute();
}

/** Finds a user of this company. */
export function findCompanyUser(
  database: Database | Transaction,
  companyId: number,
  userId: string,
) {
  return database
    .selectFrom('users')
    .select(['id', 'is_company_manager', 'language'])
    .where('id', '=', userId)
    .where('company_id', '=', companyId)
    .where(sql<boolean>`'CompanyUser' = any(roles)`)
    .executeTakeFirst();
}

export async function countManagers(transaction: Transaction, companyId: number): Promise<number> {
  const row = await transaction
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('company_id', '=', companyId)
    .where('is_company_manager', '=', true)
    .where('suspended_at', 'is', null)
    .executeTakeFirstOrThrow();
  return row.count;
}

export async function setManager(
  transaction: Transaction,
  userId: string,
  isManager: boolean,
): Promise<void> {
  await transaction
    .updateTable('users')
    .set({ is_company_manager: isManager })
    .where('id', '=', userId)
    .execute();
}

/**
 * Every call reads the rights of the caller from the database, so this takes effect immediately.
 */
export async function leaveCompany(transaction: Transaction, userId: string): Promise<void> {
  await transaction
    .updateTable('users')
    .set({
      company_id: null,
      is_company_manager: false,
      roles: sql`array_remove(roles, 'CompanyUser')`,
    })
    .where('id', '=', userId)
    .execute();
}

export async function isUserOfCompany(
  database: Database | Transaction,
  companyId: number,
  email: string,
): Promise<boolean> {
  return (
    (await database
      .selectFrom('users')
      .select('id')
      .where('company_id', '=', companyId)
      .where(sql<boolean>`lower(email) = ${email}`)
      .executeTakeFirst()) !== undefined
  );
}

export function selectOpenInvitations(database: Database, companyId: number) {
  return database
    .selectFrom('company_invitations')
    .innerJoin('users', 'users.id', 'company_invitations.invited_by')
    .select([
      'company_invitations.id',
      'company_invitations.email',
      'company_invitations.created_at',
      'company_invitations.expires_at',
      'company_invitations.sent_at',
      'users.full_name',
      'users.full_name_ar',
    ])
    .where('company_invitations.company_id', '=', companyId)
    .where(isOpenInvitation)
    .orderBy('company_invitations.created_at', 'desc')
    .orderBy('company_invitations.id')
    .execute();
}

export async function countInvitationsToday(
  database: Database | Transaction,
  companyId: number,
): Promise<number> {
  const row = await database
    .selectFrom('company_invitations')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('company_id', '=', companyId)
    .where('created_at', '>', new Date(Date.now() - 86_400_000))
    .executeTakeFirstOrThrow();
  return row.count;
}

export interface NewInvitation {
  company_id: number;
  email: string;
  token_hash: string;
  language: Language;
  invited_by: string;
  expires_at: Date;
}

/** Inserts an invitation and cancels the open ones for the address. */
export async function replaceInvitation(
  transaction: Transaction,
  invitation: NewInvitation,
): Promise<string> {
  await transaction
    .updateTable('company_invitations')
    .set({ cancelled_at: new Date() })
    .where('company_id', '=', invitation.company_id)
    .where('email', '=', invitation.email)
    .where(isOpenInvitation)
    .execute();
  return (
    await transaction
      .insertInto('company_invitations')
      .values(invitation)
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
}

export function findOpenInvitation(
  transaction: Transaction,
  companyId: number,
  id: string,
): Promise<InvitationRow | undefined> {
  return transaction
    .selectFrom('company_invitations')
    .selectAll()
    .where('id', '=', id)
    .where('company_id', '=', companyId)
    .where(isOpenInvitation)
    .executeTakeFirst();
}

export async function cancelInvitationsBy(
  transaction: Transaction,
  companyId: number,
  userId: string,
): Promise<void> {
  await transaction
    .updateTable('company_invitations')
    .set({ cancelled_at: new Date() })
    .where('company_id', '=', companyId)
    .where('invited_by', '=', userId)
    .where(isOpenInvitation)
    .execute();
}

/** Finds an invitation that can still be accepted by the hash of its token. */
export function findByToken(database: Database | Transaction, tokenHash: string) {
  return (
    database
      .selectFrom('company_invitations')
      .innerJoin('users', 'users.id', 'company_invitations.invited_by')
      .innerJoin('companies', 'companies.id', 'company_invitations.company_id')
      .selectAll('company_invitations')
      .select(['users.full_name', 'users.full_name_ar'])
      .where('token_hash', '=', tokenHash)
      .where('companies.suspended_at', 'is', null)
      .where(isOpenInvitation)
      // guard: expiry of an invitation
      .where('expires_at', '>', new Date())
      .executeTakeFirst()
  );
}

export function lockAccount(transaction: Transaction, userId: string) {
  return transaction
    .selectFrom('users')
    .select(['email', 'roles', 'company_id', 'partner_id'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/** Adds a user to a company. The user becomes the manager of a company without one. */
export async function joinCompany(
  transaction: Transaction,
  userId: string,
  companyId: number,
): Promise<void> {
  const isFirst = (await countManagers(transaction, companyId)) === 0;
  await transaction
    .updateTable('users')
    .set({ company_id: companyId, roles: ['CompanyUser'], is_company_manager: isFirst })
    .where('id', '=', userId)
    .execute();
}
