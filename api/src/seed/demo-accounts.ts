import { verify } from '@node-rs/argon2';
import type { Database } from '../platform/database/database.ts';
import { readSeedFiles } from './seed-files.ts';
import { demoProviders } from './seed-providers.ts';
import { demoPassword } from './seed.ts';

/** The usernames of the demo accounts that still have the published password. */
export async function findDemoAccounts(database: Database): Promise<string[]> {
  const { people } = await readSeedFiles();
  const users = await database
    .selectFrom('users')
    .select(['username', 'password_hash'])
    .where(
      'username',
      'in',
      [...people.accounts, ...demoProviders].map(({ username }) => username),
    )
    .orderBy('username')
    .execute();
  const found: string[] = [];
  for (const { username, password_hash: hash } of users)
    if (hash !== null && (await verify(hash, demoPassword))) found.push(username);
  return found;
}
