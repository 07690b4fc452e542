import { sql } from 'kysely';
import type { Transaction } from './database.ts';

/**
 * One after the other, over all processes, for whoever locks the same name, until the transaction
 * ends.
 */
export async function lockName(transaction: Transaction, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction);
}
