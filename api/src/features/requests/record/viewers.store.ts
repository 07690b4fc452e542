import type { PersonNames } from '#platform/core/localize.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import type { VisibilityCondition } from '../model/requests.store.ts';

/** A row is stored again this often, and counts three times as long. */
export const renewSeconds = 5;
const validSeconds = 3 * renewSeconds;

const isValid = sql<boolean>`request_viewers.seen_at > now() - make_interval(secs => ${validSeconds})`;

/** The requests among these ids that meet the condition. */
export async function selectVisibleIds(
  database: Database,
  ids: readonly number[],
  visible: VisibilityCondition,
): Promise<number[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: number }>`
    select id
    from requests
    where id = any(${[...ids]}::bigint[])
      -- guard: following a request in a hub
      and ${visible}`.execute(database);
  return rows.map(({ id }) => id);
}

/**
 * Stores which requests a connection has open, instead of those before. Returns the requests whose
 * viewers have changed.
 */
export async function replaceViewed(
  transaction: Transaction,
  { connectionId, userId }: { connectionId: string; userId: string },
  requestIds: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ request_id: number }>`
    with ended as (
      delete from request_viewers
      where connection_id = ${connectionId}::uuid
        and request_id <> all(${[...requestIds]}::bigint[])
      returning request_id
    ), added as (
      insert into request_viewers (connection_id, request_id, user_id)
      select ${connectionId}::uuid, id, ${userId}::uuid
      from unnest(${[...requestIds]}::bigint[]) as id
      on conflict do nothing
      returning request_id
    )
    select request_id from ended
    union
    select request_id from added`.execute(transaction);
  return rows.map(({ request_id }) => request_id);
}

/** Renews the rows of connections of this process. */
export async function renewViewed(
  database: Database,
  connections: Iterable<{ id: string; userId: string; requestIds: readonly number[] }>,
): Promise<void> {
  const rows = [...connections].flatMap(({ id, userId, requestIds }) =>
    requestIds.map((requestId) => ({
      connection_id: id,
      user_id: userId,
      request_id: requestId,
    })),
  );
  if (rows.length === 0) return;
  await sql`
    insert into request_viewers (connection_id, user_id, request_id)
    select *
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as viewed (connection_id uuid, user_id uuid, request_id bigint)
    on conflict (connection_id, request_id) do update set seen_at = now()`.execute(database);
}

/** Deletes rows that were not renewed. Returns the requests whose viewers have changed. */
export async function deleteExpired(transaction: Transaction): Promise<number[]> {
  const { rows } = await sql<{ request_id: number }>`
    delete from request_viewers
    where not (${isValid})
    returning request_id`.execute(transaction);
  return [...new Set(rows.map(({ request_id }) => request_id))];
}

interface ViewerRow extends PersonNames {
  user_id: string;
  since: Date;
}

/** The users who have a request open, first come first; of one partner only with `partnerId`. */
export async function selectViewers(
  database: Database,
  requestId: number,
  partnerId: number | undefined,
): Promise<ViewerRow[]> {
  const { rows } = await sql<ViewerRow>`
    select user_id, full_name, full_name_ar, min(opened_at) as since
    from request_viewers
    join users on users.id = user_id
    where request_id = ${requestId}
      and ${isValid}
      ${partnerId === undefined ? sql`` : sql`and users.partner_id = ${partnerId}`}
    group by user_id, full_name, full_name_ar
    order by since, user_id
    limit 50`.execute(database);
  return rows;
}
