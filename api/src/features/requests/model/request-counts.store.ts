import { randomInt } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import { insertRows } from '../../../platform/database/combined-writes.ts';
import type { Database } from '../../../platform/database/database.ts';

// Each count is spread over several rows, so that concurrent transactions seldom wait for a row.
const slots = 16;

/**
 * The write that moves one request from the count of a status to the count of another; `from` is `null` for a new
 * request. The rows are in the order of their key, so that two transactions cannot wait for each other.
 */
export function moveCount(
  partnerId: number | null,
  from: number | null,
  to: number,
): RawBuilder<unknown> | undefined {
  if (from === to) return undefined;
  const slot = randomInt(slots);
  const change = (status_id: number, count: number) => ({
    status_id,
    partner_id: partnerId ?? 0,
    slot,
    count,
  });
  const entered = change(to, 1);
  const left = from === null ? undefined : change(from, -1);
  const first = left && left.status_id < to ? left : entered;
  const last = first === entered ? left : entered;
  return sql`
    ${insertRows('request_counts', last ? [first, last] : [first])}
    on conflict (status_id, partner_id, slot)
    do update set count = request_counts.count + excluded.count`;
}

/** The number of requests by status, of one partner or of all. */
export async function selectCounts(
  database: Database,
  partnerId?: number,
): Promise<Map<number, number>> {
  const rows = await database
    .selectFrom('request_counts')
    .select(['status_id', sql<number>`sum(count)::bigint`.as('count')])
    .$if(partnerId !== undefined, (query) => query.where('partner_id', '=', partnerId ?? 0))
    .groupBy('status_id')
    .execute();
  return new Map(rows.map((row) => [row.status_id, row.count]));
}

/** The number of all requests in these statuses, or in all, as a select of one row. */
export const totalInStatuses = (
  statusIds: readonly number[] | undefined,
): RawBuilder<{ count: number }> => sql`
  select coalesce(sum(count), 0)::bigint as count
  from request_counts
  ${statusIds === undefined ? sql`` : sql`where status_id = any(${statusIds}::int[])`}`;
