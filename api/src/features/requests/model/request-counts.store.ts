import { sql, type RawBuilder } from 'kysely';
import { insertRows } from '../../../platform/database/combined-writes.ts';
import type { Database } from '../../../platform/database/database.ts';
import { acquireNamedLock } from '../../../platform/database/named-lock.ts';

/**
 * The write that moves one request from the count of a status to the count of another; `from` is
 * `null` for a new request. It adds rows, so that no transaction waits for another: a count is the
 * sum of its rows.
 */
export function moveCount(
  partnerId: number | null,
  from: number | null,
  to: number,
): RawBuilder<unknown> | undefined {
  if (from === to) return undefined;
  const change = (status_id: number, count: number) => ({
    status_id,
    partner_id: partnerId ?? 0,
    count,
  });
  return insertRows('request_counts', [
    change(to, 1),
    ...(from === null ? [] : [change(from, -1)]),
  ]);
}

const mostRows = 16;

/** Replaces the rows of each count that has many by their sum, which changes no count. */
export async function condenseCounts(database: Database): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await acquireNamedLock(transaction, 'counts of requests');
    await sql`
      with changes as (
        delete from request_counts
        where (status_id, partner_id) in (
          select status_id, partner_id
          from request_counts
          group by status_id, partner_id
          having count(*) > ${mostRows}
        )
        returning status_id, partner_id, count
      )
      insert into request_counts (status_id, partner_id, count)
      select status_id, partner_id, sum(count)
      from changes
      group by status_id, partner_id
    `.execute(transaction);
  });
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
