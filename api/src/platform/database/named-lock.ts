import type { Transaction } from './database.ts';
import { sql } from './sql.ts';

/**
 * Waits for a lock on a name that all processes share, and holds it until the transaction ends.
 */
export async function acquireNamedLock(transaction: Transaction, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction);
}
