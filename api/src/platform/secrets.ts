import { randomBytes } from 'node:crypto';
import type { Database } from './database.ts';

/** A secret that the product made for itself under this name, 32 random bytes in base64url, the same in every process on the database. */
export async function ownSecret(database: Database, name: string): Promise<string> {
  await database.insertInto('secrets').values({ name, value: randomBytes(32).toString('base64url') }).onConflict((conflict) => conflict.doNothing()).execute();
  return (await database.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirstOrThrow()).value;
}
