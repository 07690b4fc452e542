import type { Database } from '../platform/database/database.ts';

/** The id of the user with a username, in the form of `normalizeUsername`. */
export async function findUserId(
  database: Database,
  username: string,
): Promise<string | undefined> {
  const user = await database
    .selectFrom('users')
    .select('id')
    .where('username', '=', username)
    .executeTakeFirst();
  return user?.id;
}
