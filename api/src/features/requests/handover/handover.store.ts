import type { Database, Transaction } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import type { PartnerState } from '@diwan/contract/people/partner-states';
import {
  presenceHub,
  groupUpdated,
  requestHub,
  type RequestEvent,
} from '@diwan/contract/wire/hubs';
import type { LocalizedText } from '@diwan/contract/wire/languages';

const isOpen = sql<boolean>`not exists (
  select
  from workflow_ends
  where workflow_ends.workflow_id = requests.workflow_id
    and workflow_ends.status_id = requests.status_id
)`;

export function lockPartner(transaction: Transaction, id: number) {
  return transaction
    .selectFrom('partners')
    .select(['id', 'name', 'state'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export async function findPartner(
  database: Database,
  id: number,
): Promise<{ state: PartnerState } | undefined> {
  return database.selectFrom('partners').select('state').where('id', '=', id).executeTakeFirst();
}

/** A service with its provider, and its open requests that its provider has. */
interface ServiceRequests {
  id: number;
  name: LocalizedText;
  partner_id: number | null;
  partner_name: LocalizedText | null;
  open: number;
  /** Those that no provider has seen. */
  unseen: number;
}

/** The services that are offered, of these. */
export async function selectServiceRequests(
  database: Database,
  serviceIds: readonly number[],
): Promise<ServiceRequests[]> {
  const { rows } = await sql<ServiceRequests>`
    select
      services.id,
      services.name,
      services.partner_id,
      partners.name as partner_name,
      coalesce(counted.open, 0) as open,
      coalesce(counted.unseen, 0) as unseen
    from services
    left join partners on partners.id = services.partner_id
    left join (
      select
        service_id,
        partner_id,
        count(*)::int as open,
        (count(*) filter (where not came_to_provider))::int as unseen
      from requests
      where service_id = any(${[...serviceIds]}::int[]) and ${isOpen}
      group by service_id, partner_id
    ) as counted
      on counted.service_id = services.id
      and counted.partner_id is not distinct from services.partner_id
    where services.id = any(${[...serviceIds]}::int[])
      and services.deleted_at is null
    order by open desc, services.id`.execute(database);
  return rows;
}

/** Locks services that are offered, in the order of their ids. */
export function lockServices(transaction: Transaction, serviceIds: readonly number[]) {
  return transaction
    .selectFrom('services')
    .leftJoin('partners', 'partners.id', 'services.partner_id')
    .select([
      'services.id',
      'services.name',
      'services.partner_id',
      'partners.name as partner_name',
    ])
    .where((eb) => eb('services.id', '=', eb.fn.any(eb.val([...serviceIds]))))
    .where('services.deleted_at', 'is', null)
    .orderBy('services.id')
    .forUpdate('services')
    .execute();
}

export async function setPartner(
  transaction: Transaction,
  serviceIds: readonly number[],
  partnerId: number | null,
): Promise<void> {
  await transaction
    .updateTable('services')
    .set({ partner_id: partnerId })
    .where((eb) => eb('id', '=', eb.fn.any(eb.val([...serviceIds]))))
    .execute();
}

/** Requests that moved from one provider, by service, workflow and status. */
export interface MovedRequests {
  service_id: number;
  workflow_id: number;
  status_id: number;
  from_partner: number | null;
  count: number;
}

/**
 * Gives open requests of services to a partner, or with null those that no provider has seen to
 * nobody. Requests that another provider than the one of their service has stay. A holder who works
 * for the provider before holds them no longer. Counts move along.
 */
export async function moveOpenRequests(
  transaction: Transaction,
  services: readonly { id: number; partner_id: number | null }[],
  to: number | null,
): Promise<MovedRequests[]> {
  const { rows } = await sql<MovedRequests>`
    with wanted as (
      select requests.id, handed.from_partner
      from unnest(
        ${services.map(({ id }) => id)}::int[],
        ${services.map(({ partner_id }) => partner_id)}::int[]
      ) as handed (service_id, from_partner)
      join requests
        on requests.service_id = handed.service_id
        and requests.partner_id is not distinct from handed.from_partner
      where ${isOpen}
        and (${to}::int is not null or not requests.came_to_provider)
      order by requests.id
      for update of requests
    ), moved as (
      update requests
      set
        partner_id = ${to}::int,
        holder_id = case
          when exists (
            select
            from users
            where users.id = requests.holder_id and users.partner_id = wanted.from_partner
          ) then null
          else requests.holder_id
        end
      from wanted
      where requests.id = wanted.id
        and ${isOpen}
        and (${to}::int is not null or not requests.came_to_provider)
      returning
        requests.service_id, requests.workflow_id, requests.status_id, requests.agency_id,
        wanted.from_partner
    ), counted as (
      insert into request_counts (status_id, partner_id, agency_id, count)
      select status_id, coalesce(from_partner, 0), agency_id, -count(*)
      from moved
      group by status_id, from_partner, agency_id
      union all
      select status_id, coalesce(${to}::int, 0), agency_id, count(*)
      from moved
      group by status_id, agency_id
    )
    select service_id, workflow_id, status_id, from_partner, count(*)::int as count
    from moved
    group by service_id, workflow_id, status_id, from_partner`.execute(transaction);
  return rows;
}

/** An event for the listeners of one partner, as often as it happened. */
export interface PartnerEvent {
  audience: string;
  event: RequestEvent;
  times: number;
}

/** Stores the events of requests that moved; each partner also hears that its list changed. */
export async function insertEvents(
  transaction: Transaction,
  events: readonly PartnerEvent[],
  audiences: readonly string[],
): Promise<void> {
  await sql`
    insert into hub_news (hub, event, audiences)
    select ${requestHub}, happened.event, array[happened.audience]
    from unnest(
      ${events.map(({ event }) => event)}::text[],
      ${events.map(({ audience }) => audience)}::text[],
      ${events.map(({ times }) => times)}::int[]
    ) as happened (event, audience, times)
    cross join generate_series(1, happened.times)
    union all
    select ${presenceHub}, ${groupUpdated}, array[audience]
    from unnest(${[...audiences]}::text[]) as audience`.execute(transaction);
}
