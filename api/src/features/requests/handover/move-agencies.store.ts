import type { Database, Transaction } from '#platform/database/database.ts';
import { insertRows, sql } from '#platform/database/sql.ts';
import type { LocalizedText } from '@diwan/contract/wire/languages';

/** The services whose open requests have not all followed to their agency, the oldest first. */
export async function selectMoves(
  database: Database,
): Promise<{ service_id: number; noted_at: string }[]> {
  const { rows } = await sql<{ service_id: number; noted_at: string }>`
    select service_id, noted_at::text
    from agency_moves
    order by noted_at, service_id
    limit 100`.execute(database);
  return rows;
}

/**
 * Forgets a move that is a minute old: a request that another process was storing meanwhile, for the
 * agency before, has followed then too.
 */
export async function deleteMove(
  database: Database,
  { service_id: id, noted_at: notedAt }: { service_id: number; noted_at: string },
): Promise<void> {
  await sql`
    delete from agency_moves
    where service_id = ${id}
      and noted_at = ${notedAt}::timestamptz
      and noted_at < now() - interval '1 minute'`.execute(database);
}

const isOpen = sql<boolean>`not exists (
  select
  from workflow_ends
  where workflow_ends.workflow_id = requests.workflow_id
    and workflow_ends.status_id = requests.status_id
)`;

/** An open request of another agency than its service. */
export interface StrayRequest {
  id: number;
  user_id: string;
  company_id: number | null;
  workflow_id: number;
  status_id: number;
  partner_id: number | null;
  holder_id: string | null;
  from_id: number;
  from_name: LocalizedText;
  to_id: number;
  to_name: LocalizedText;
}

/** Locks some open requests of a service that has moved, and its agency; those that others lock wait. */
export async function lockStray(
  transaction: Transaction,
  serviceId: number,
  maximum: number,
): Promise<StrayRequest[]> {
  await sql`
    select
    from services
    where id = ${serviceId}
    for share`.execute(transaction);
  const { rows } = await sql<StrayRequest>`
    select requests.id, requests.user_id, requests.company_id, requests.workflow_id,
      requests.status_id, requests.partner_id, requests.holder_id,
      former.id as from_id, former.name as from_name,
      current.id as to_id, current.name as to_name
    from requests
    join services on services.id = requests.service_id
    join agencies as former on former.id = requests.agency_id
    join agencies as current on current.id = services.agency_id
    where requests.service_id = ${serviceId}
      and requests.agency_id <> services.agency_id
      -- guard: ended requests of a service that moved (move-agencies)
      and ${isOpen}
    order by requests.id
    limit ${maximum}
    for update of requests`.execute(transaction);
  return rows;
}

/**
 * Gives locked requests to the agency of their service, with their counts. Who has one and may no
 * longer see it is noted, so that it goes back to the queue.
 */
export async function storeMoved(
  transaction: Transaction,
  moved: readonly StrayRequest[],
): Promise<void> {
  const ids = moved.map(({ id }) => id);
  await sql`
    with counted as (
      insert into request_counts (status_id, partner_id, agency_id, count)
      select requests.status_id, coalesce(requests.partner_id, 0), place.agency_id,
        sum(place.change)
      from requests
      join services on services.id = requests.service_id
      cross join lateral (
        values (requests.agency_id, -1), (services.agency_id, 1)
      ) as place (agency_id, change)
      where requests.id = any(${ids}::bigint[])
      group by requests.status_id, coalesce(requests.partner_id, 0), place.agency_id
    ), noted as (
      insert into access_losses (user_id)
      select distinct holder_id
      from requests
      where id = any(${ids}::bigint[])
        and holder_id is not null
      on conflict (user_id) do update set noted_at = clock_timestamp()
    )
    update requests
    set agency_id = services.agency_id
    from services
    where services.id = requests.service_id
      and requests.id = any(${ids}::bigint[])`.execute(transaction);
}

/** Appends to the history of each request from which agency to which it moved. */
export async function insertTransfers(
  transaction: Transaction,
  moved: readonly StrayRequest[],
  { at, messageOf }: { at: Date; messageOf: (request: StrayRequest) => LocalizedText },
): Promise<void> {
  const [first, ...others] = moved.map((request) => ({
    request_id: request.id,
    action: 'transfer',
    from_status_id: request.status_id,
    to_status_id: request.status_id,
    actor_kind: 'schedule' as const,
    actor_name: '',
    at,
    message: JSON.stringify(messageOf(request)),
  }));
  if (first) await insertRows('request_history', [first, ...others]).execute(transaction);
}
