import type { Database } from '../../platform/database.ts';

/** The user of a username; usernames are kept in lower case. */
export async function findUserByUsername(database: Database, username: string) {
  return database.selectFrom('users').select(['id', 'password_hash']).where('username', '=', username.trim().toLowerCase()).executeTakeFirst();
}
