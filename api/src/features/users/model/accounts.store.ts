import { sql } from 'kysely';
import type { Channel } from '@diwan/contract/people/accounts';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import type { Database, Transaction } from '../../../platform/database/database.ts';
import { lockName } from '../../../platform/database/name-lock.ts';

/** How an account is named by somebody who is not signed in. */
export type AccountName = { username: string } | { email: string } | { phoneNumber: string };

/**
 * Accounts of a name that are not suspended, the oldest first. An address counts only where a code
 * has proved it.
 */
export async function findAccounts(database: Database | Transaction, name: AccountName) {
  const users = database
    .selectFrom('users')
    .select([
      'id',
      'username',
      'full_name',
      'password_hash',
      'email',
      'phone_number',
      'email_verified_at',
      'phone_verified_at',
    ])
    .where('suspended_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(10);
  if ('username' in name) return users.where('username', '=', name.username).execute();
  if ('email' in name)
    return users
      .where(sql<string>`lower(email)`, '=', name.email)
      .where('email_verified_at', 'is not', null)
      .execute();
  return users
    .where('phone_number', '=', name.phoneNumber)
    .where('phone_verified_at', 'is not', null)
    .execute();
}

/** Whom an account belongs to and how to reach them. */
export function getOwner(transaction: Transaction, userId: string) {
  return transaction
    .selectFrom('users')
    .select([
      'username',
      'password_hash',
      'email',
      'phone_number',
      'email_verified_at',
      'phone_verified_at',
      'language',
    ])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
}

/**
 * Whether an address is the proved one of another account, suspended or not. In a transaction
 * nobody takes it meanwhile.
 */
export async function isAddressTaken(
  transaction: Transaction,
  channel: Channel,
  address: string,
  exceptUserId?: string,
): Promise<boolean> {
  await lockName(transaction, `address ${address}`);
  const all = transaction.selectFrom('users').select('id').limit(1);
  const users = exceptUserId === undefined ? all : all.where('id', '!=', exceptUserId);
  const row = await (
    channel === 'email'
      ? users
          .where(sql<string>`lower(email)`, '=', address)
          .where('email_verified_at', 'is not', null)
      : users.where('phone_number', '=', address).where('phone_verified_at', 'is not', null)
  ).executeTakeFirst();
  return row !== undefined;
}

/** A new company; `undefined` when another has the licence. */
export async function insertCompany(
  transaction: Transaction,
  name: LocalizedText,
  licenceNumber: string,
): Promise<number | undefined> {
  const row = await transaction
    .insertInto('companies')
    .values({ name: JSON.stringify(name), licence_number: licenceNumber })
    .onConflict((conflict) => conflict.column('licence_number').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

export async function makeCompanyManager(
  transaction: Transaction,
  userId: string,
  companyId: number,
): Promise<void> {
  await transaction
    .updateTable('users')
    .set({ company_id: companyId, roles: ['CompanyUser'], is_company_manager: true })
    .where('id', '=', userId)
    .execute();
}

/** Puts a proved address in place of the one before it, which is the reply. */
export async function replaceAddress(
  transaction: Transaction,
  userId: string,
  channel: Channel,
  address: string,
) {
  const before = await transaction
    .selectFrom('users')
    .select(['username', 'email', 'phone_number', 'email_verified_at', 'phone_verified_at'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const now = new Date();
  await transaction
    .updateTable('users')
    .set(
      channel === 'email'
        ? { email: address, email_verified_at: now }
        : { phone_number: address, phone_verified_at: now },
    )
    .where('id', '=', userId)
    .execute();
  return before;
}

/** Sets a password by a code; `false` for an account that has none, or is suspended meanwhile. */
export async function setPasswordHash(
  transaction: Transaction,
  userId: string,
  hash: string,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('users')
    .set({ password_hash: hash })
    .where('id', '=', userId)
    .where('password_hash', 'is not', null)
    .where('suspended_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
