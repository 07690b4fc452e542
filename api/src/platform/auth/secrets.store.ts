import { randomBytes } from 'node:crypto';
import type { Database, Transaction } from '../database/database.ts';

/**
 * The secret of this name: 32 random bytes in base64url that all processes on the database share. It
 * is created at the first call.
 */
export async function getOrCreateSecret(
  database: Database | Transaction,
  name: string,
): Promise<string> {
  await database
    .insertInto('secrets')
    .values({ name, value: randomBytes(32).toString('base64url') })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (
    await database
      .selectFrom('secrets')
      .select('value')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
  ).value;
}
