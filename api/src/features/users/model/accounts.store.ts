import type { Database, Transaction } from '#platform/database/database.ts';
import { acquireNamedLock } from '#platform/database/named-lock.ts';
import { sql } from '#platform/database/sql.ts';
import type { Channel } from '@diwan/contract/wire/channels';
import type { LocalizedText, Language } from '@diwan/contract/wire/languages';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'users.language': Language;
  }
}

/** An identifier that a caller types who is not signed in. */
export type AccountIdentifier = { username: string } | { email: string } | { phoneNumber: string };

/**
 * Active accounts with an identifier, the oldest first. An address counts only where it is
 * verified.
 */
export async function findAccounts(database: Database | Transaction, name: AccountIdentifier) {
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

/** The owner of an account and their addresses. */
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
 * Returns whether an address is the verified address of another account, suspended or not. Locks
 * the address until the end of the transaction.
 */
export async function isAddressTaken(
  transaction: Transaction,
  channel: Channel,
  address: string,
  exceptUserId?: string,
): Promise<boolean> {
  await acquireNamedLock(transaction, `address ${address}`);
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

/** Inserts a company and returns its id, or `undefined` when another company has the licence. */
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

/** Replaces an address by a verified one and returns the previous addresses. */
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

/**
 * Replaces a password by a code. Returns `false` for an account without a password and for a
 * suspended one.
 */
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
