import type { SqlBool } from 'kysely';
import type { Database } from '#platform/database/database.ts';
import { acquireNamedLock } from '#platform/database/named-lock.ts';
import { insertRows, type Sql, sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { requestHub, type RequestEvent } from '@diwan/contract/wire/hubs';
import type { VisibilityCondition } from './requests.store.ts';

/** To which counts a request belongs. */
export interface CountPlace {
  partnerId: number | null;
  agencyId: number;
}

/**
 * The write that moves one request from the count of a status to the count of another; `from` is
 * `null` for a new request. It adds rows, so that no transaction waits for another: a count is the
 * sum of its rows.
 */
export function moveCount(
  { partnerId, agencyId }: CountPlace,
  from: number | null,
  to: number,
): Sql | undefined {
  if (from === to) return undefined;
  const change = (status_id: number, count: number) => ({
    status_id,
    partner_id: partnerId ?? 0,
    agency_id: agencyId,
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
  await inTransaction(database, async (transaction) => {
    await acquireNamedLock(transaction, 'counts of requests');
    await sql`
      with changes as (
        delete from request_counts
        where (status_id, partner_id, agency_id) in (
          select status_id, partner_id, agency_id
          from request_counts
          group by status_id, partner_id, agency_id
          having count(*) > ${mostRows}
        )
        returning status_id, partner_id, agency_id, count
      )
      insert into request_counts (status_id, partner_id, agency_id, count)
      select status_id, partner_id, agency_id, sum(count)
      from changes
      group by status_id, partner_id, agency_id
    `.execute(transaction);
  });
}

/** Counts and the events of one audience, as they were at one moment. */
interface CountSnapshot {
  /** The number of requests by status. */
  counts: Map<number, number>;
  /** The number of the last published event; 0 before the first. */
  sequence: number;
  /** The events that the counts include and that are not published yet. */
  pending: readonly RequestEvent[];
}

/**
 * Whose requests are counted: all, those of one partner, or of agencies. The counts are maintained for
 * these; the requests of `ofTeams`, which are of no agency of `agencyIds`, are counted when asked.
 */
export interface CountedOf {
  partnerId?: number | undefined;
  agencyIds?: readonly number[] | undefined;
  ofTeams?: readonly VisibilityCondition[] | undefined;
}

function countedOf({ partnerId, agencyIds }: CountedOf): Sql<SqlBool> {
  if (partnerId !== undefined) return sql`partner_id = ${partnerId}`;
  if (agencyIds === undefined) return sql`true`;
  // guard: counts of other agencies (agency-scope) => sql`true`
  return sql`agency_id = any(${[...agencyIds]}::int[])`;
}

// The rows whose sums by status are the counts.
const rowsOf = (counted: CountedOf, statusIds: readonly number[]): Sql => sql`
  select status_id, count
  from request_counts
  where ${countedOf(counted)}
  ${sql.join(
    (counted.ofTeams ?? []).map(
      (visible) => sql`
        union all
        select status_id, 1
        from requests
        where ${visible}
          and status_id = any(${[...statusIds]}::int[])`,
    ),
    ' ',
  )}`;

/**
 * Counts with the events of their audience; one statement. `parts` are the names that events have
 * which the audience hears; `statusIds` are the statuses that are counted.
 */
export async function selectCounts(
  database: Database,
  counted: CountedOf,
  {
    audience,
    parts,
    statusIds = [],
  }: { audience: string; parts: readonly string[]; statusIds?: readonly number[] },
): Promise<CountSnapshot> {
  const { rows } = await sql<{
    counts: Record<string, number>;
    sequence: number;
    pending: RequestEvent[];
  }>`
    select
      (
        select coalesce(jsonb_object_agg(status_id, count), '{}')
        from (
          select status_id, sum(count) as count
          from (${rowsOf(counted, statusIds)}) as counts
          group by status_id
        ) as counted
      ) as counts,
      coalesce((
        select position
        from hub_positions
        where hub = ${requestHub}
          and audience = ${audience}
      ), 0)::bigint as sequence,
      (
        select coalesce(jsonb_agg(event), '[]')
        from hub_news
        where hub = ${requestHub}
          and audiences && ${[...parts]}::text[]
      ) as pending`.execute(database);
  const [{ counts, sequence, pending }] = rows as [(typeof rows)[number]];
  return {
    counts: new Map(Object.entries(counts).map(([statusId, count]) => [Number(statusId), count])),
    sequence,
    pending,
  };
}

/** The number of requests in these statuses, or in all, as a select of one row; without `ofTeams`. */
export const totalInStatuses = (
  statusIds: readonly number[] | undefined,
  counted: Omit<CountedOf, 'ofTeams'>,
): Sql<{ count: number }> => sql`
  select coalesce(sum(count), 0)::bigint as count
  from request_counts
  where ${countedOf(counted)}
    ${statusIds === undefined ? sql`` : sql`and status_id = any(${statusIds}::int[])`}`;
