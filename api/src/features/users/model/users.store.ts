import type { Database, Transaction } from '../../../platform/database/database.ts';

/** The user of a username; usernames are kept in lower case. */
export async function findUserByUsername(database: Database, username: string) {
  return database
    .selectFrom('users')
    .select(['id', 'password_hash'])
    .where('username', '=', username)
    .executeTakeFirst();
}

export async function getUser(database: Database, id: string) {
  return database
    .selectFrom('users')
    .leftJoin('companies', 'companies.id', 'users.company_id')
    .leftJoin('partners', 'partners.id', 'users.partner_id')
    .select([
      'users.username',
      'users.full_name',
      'users.email',
      'users.phone_number',
      'users.password_hash',
      'users.uaepass_id',
      'users.email_verified_at',
      'users.phone_verified_at',
      'users.company_id',
      'users.partner_id',
      'companies.name as company_name',
      'partners.name as partner_name',
    ])
    .where('users.id', '=', id)
    .executeTakeFirstOrThrow();
}

/** Replaces a password hash; `false` when it is no longer the one that was judged. */
export async function replacePasswordHash(
  transaction: Transaction,
  userId: string,
  oldHash: string,
  newHash: string,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('users')
    .set({ password_hash: newHash })
    .where('id', '=', userId)
    .where('password_hash', '=', oldHash)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
