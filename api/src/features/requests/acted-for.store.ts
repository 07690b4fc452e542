import { sql } from 'kysely';
import type { Database, Transaction } from '../../platform/database.ts';

/** Whether somebody has done anything to a request at a counter, for its owner. */
export async function hasActedAtCounter(database: Database | Transaction, requestId: number, userId: string): Promise<boolean> {
  const row = await database.selectFrom('request_history').select('id').where('request_id', '=', requestId).where('actor_id', '=', userId).where(sql<string>`acted_for ->> 'by'`, '=', 'counter').limit(1).executeTakeFirst();
  return row !== undefined;
}
