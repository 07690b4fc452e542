import { openDatabase, type Database } from '../../api/src/platform/database/database.ts';
import { sql } from '../../api/src/platform/database/sql.ts';
import type { CommittedRequest, CommittedStep, Count } from './check-history.ts';

/** Works with the database as its administrator, on the node that is the primary now. */
export async function withDatabase<Result>(
  url: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase(url, () => undefined);
  try {
    return await work(database);
  } finally {
    await database.destroy();
  }
}

/** The requests of users with their steps; the mark of the first one is the draft that was sent. */
export async function readCommitted(
  database: Database,
  usernames: readonly string[],
): Promise<CommittedRequest[]> {
  const { rows } = await sql<CommittedRequest & { steps: CommittedStep[] }>`
    select requests.id as "requestId", requests.version, requests.status_id as "statusId",
      jsonb_agg(
        jsonb_build_object(
          'action', action,
          'fromStatusId', from_status_id,
          'statusId', to_status_id,
          'marks', case
            when action = 'create' then coalesce(sent.marks, '[]')
            when message is null then '[]'
            else jsonb_build_array(message -> 'en-US')
          end
        )
        order by request_history.id
      ) as steps
    from requests
    join users
      on users.id = requests.user_id
    join request_history
      on request_history.request_id = requests.id
    left join lateral (
      select jsonb_agg(drafts.id) as marks
      from drafts
      where drafts.request_id = requests.id
    ) as sent
      on true
    where username = any(${[...usernames]}::text[])
      and action not in ('reschedule', 'transfer')
    group by requests.id`.execute(database);
  return rows;
}

/** Maintained counts beside the rows that they count, and what else contradicts itself. */
export async function readCounts(database: Database): Promise<Count[]> {
  const { rows } = await sql<Count>`
    select 'requests of status ' || status_id as name, sum(counted)::int as counted,
      sum(listed)::int as listed
    from (
      select status_id, count as counted, 0 as listed
      from request_counts
      union all
      select status_id, 0, 1
      from requests
    ) as both_sides
    group by status_id`.execute(database);
  return rows;
}
