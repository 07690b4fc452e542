import { sql } from 'kysely';
import type { Database, Transaction } from '../../../platform/database/database.ts';

/** Whether somebody has done anything to a request at a counter, for its owner. */
export async function hasActedAtCounter(
  database: Database | Transaction,
  requestId: number,
  userId: string,
): Promise<boolean> {
  const row = await database
    .selectFrom('request_history')
    .select('id')
    .where('request_id', '=', requestId)
    .where('actor_id', '=', userId)
    .where(sql<string>`acted_for ->> 'by'`, '=', 'counter')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Of these requests those to which somebody has done anything at a counter. */
export async function selectActedAtCounter(
  database: Database,
  requestIds: readonly number[],
  userId: string,
): Promise<ReadonlySet<number>> {
  if (requestIds.length === 0) return new Set();
  const rows = await database
    .selectFrom('request_history')
    .select('request_id')
    .distinct()
    .where('request_id', 'in', requestIds)
    .where('actor_id', '=', userId)
    .where(sql<string>`acted_for ->> 'by'`, '=', 'counter')
    .execute();
  return new Set(rows.map((row) => row.request_id));
}
