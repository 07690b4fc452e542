import type { SqlBool } from 'kysely';
import type { PersonNames } from '#platform/core/localize.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { sql, type Sql } from '#platform/database/sql.ts';
import { seesWork } from '../model/colleagues.store.ts';

/** A user whose access has changed, and when. */
interface AccessLoss {
  user_id: string;
  /** As text, with all digits. */
  noted_at: string;
}

export async function selectLosses(database: Database): Promise<AccessLoss[]> {
  const { rows } = await sql<AccessLoss>`
    select user_id, noted_at::text
    from access_losses
    order by noted_at, user_id
    limit 100`.execute(database);
  return rows;
}

/** Forgets a loss, unless the access has changed again since. */
export async function deleteLoss(
  database: Database,
  { user_id: userId, noted_at: notedAt }: AccessLoss,
): Promise<void> {
  await sql`
    delete from access_losses
    where user_id = ${userId}
      and noted_at = ${notedAt}::timestamptz`.execute(database);
}

// Whether the holder in `users` may no longer see the request in `requests`.
const isLost: Sql<SqlBool> = sql`not (
  users.suspended_at is null
  and (
    (
      users.roles && '{Admin,Employee}'::text[]
      and ${seesWork(sql`requests.agency_id`, sql`requests.service_id`)}
    )
    or (
      'ServiceProvider' = any(users.roles)
      and users.partner_id is not distinct from requests.partner_id
    )
  )
)`;

/** The open requests that a user has and may no longer see, by what the workflow lets them do. */
export async function selectLostGroups(
  database: Database,
  userId: string,
): Promise<{ workflow_id: number; status_id: number }[]> {
  const { rows } = await sql<{ workflow_id: number; status_id: number }>`
    select distinct requests.workflow_id, requests.status_id
    from requests
    join users on users.id = requests.holder_id
    where requests.holder_id = ${userId}
      and ${isLost}
      and not exists (
        select
        from workflow_ends
        where workflow_ends.workflow_id = requests.workflow_id
          and workflow_ends.status_id = requests.status_id
      )`.execute(database);
  return rows;
}

/** Those in one status. */
export async function selectLostRequests(
  database: Database,
  userId: string,
  { workflow_id: workflowId, status_id: statusId }: { workflow_id: number; status_id: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select requests.id
    from requests
    join users on users.id = requests.holder_id
    where requests.holder_id = ${userId}
      and requests.workflow_id = ${workflowId}
      and requests.status_id = ${statusId}
      and ${isLost}
    order by requests.id
    limit 500`.execute(database);
  return rows.map(({ id }) => id);
}

/** The holder of a locked request who may no longer see it; undefined where the holder may. */
export async function findLostHolder(
  transaction: Transaction,
  requestId: number,
): Promise<(PersonNames & { id: string; isSuspended: boolean }) | undefined> {
  const { rows } = await sql<PersonNames & { id: string; isSuspended: boolean }>`
    select users.id, users.full_name, users.full_name_ar,
      users.suspended_at is not null as "isSuspended"
    from requests
    join users on users.id = requests.holder_id
    where requests.id = ${requestId}
      and ${isLost}`.execute(transaction);
  return rows[0];
}
