import type { SqlBool } from 'kysely';
import type { Caller } from '#platform/auth/caller.ts';
import type { PersonNames } from '#platform/core/localize.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { type Sql, sql } from '#platform/database/sql.ts';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import type { RequestRow, VisibilityCondition } from './requests.store.ts';

/** An employee who can hold a request, and what the message to them says. */
export interface Colleague extends PersonNames {
  id: string;
  email: string;
  language: Language | null;
  service_name: LocalizedText;
  /** They own the request, or acted on it at a counter for its owner. */
  is_own_request: boolean;
}

const maximumColleagues = 500;

// Whether a user sees the requests of an agency.
const seesAgency = (agencyId: number | Sql<number>): Sql<SqlBool> => sql`(
  users.all_agencies
  or exists (
    select
    from staff_agencies
    where user_id = users.id
      and agency_id = ${agencyId}
  )
)`;

// Somebody who shares an agency with an employee of some agencies.
const sharesAgency = ({ scope }: Caller): Sql<SqlBool> =>
  scope === 'all'
    ? sql`true`
    : sql`(
        users.all_agencies
        or exists (
          select
          from staff_agencies
          where user_id = users.id
            and agency_id = any(${[...scope]}::int[])
        )
      )`;

// The staff of the portal have no partner; users with a partner give requests within it only.
const isColleague = ({ userId, partnerId }: Caller): Sql<SqlBool> => sql`(
  users.roles && '{Admin,Employee}'::text[]
  and users.suspended_at is null
  and users.partner_id is not distinct from ${partnerId}::int
  and users.id <> ${userId}
)`;

// Somebody who sees all of these requests.
const seesRequests = (ids: readonly number[], visible: VisibilityCondition): Sql<SqlBool> => sql`
  not exists (
    select
    from requests
    where requests.id = any(${[...ids]}::bigint[])
      and ${visible}
      and not ${seesAgency(sql`requests.agency_id`)}
  )`;

/** The colleagues of a caller; with `requests`, those who see them, as far as the caller does. */
export async function selectColleagues(
  database: Database,
  caller: Caller,
  requests?: { ids: readonly number[]; visible: VisibilityCondition },
): Promise<Pick<Colleague, 'id' | keyof PersonNames>[]> {
  const { rows } = await sql<Pick<Colleague, 'id' | keyof PersonNames>>`
    select id, full_name, full_name_ar
    from users
    where ${isColleague(caller)}
      -- guard: colleagues of other agencies (reassign-request)
      and ${sharesAgency(caller)}
      -- guard: colleagues who do not see a request (reassign-request)
      and ${requests ? seesRequests(requests.ids, requests.visible) : sql`true`}
    order by full_name, id
    limit ${sql.raw(maximumColleagues)}`.execute(database);
  return rows;
}

/** The user with this id, who may also be the caller; undefined unless they can hold requests. */
export async function findColleague(
  transaction: Transaction,
  caller: Caller,
  request: Pick<RequestRow, 'id' | 'service_id' | 'agency_id' | 'user_id' | 'company_id'>,
  id: string,
): Promise<Colleague | undefined> {
  const { rows } = await sql<Colleague>`
    select users.id, users.full_name, users.full_name_ar, users.email, users.language, services.name as service_name,
      users.id = ${request.user_id}
        or coalesce(users.company_id = ${request.company_id}::int, false)
        or exists (
          select
          from request_history
          where request_id = ${request.id}
            and actor_id = users.id
            and acted_for ->> 'by' = 'counter'
        ) as is_own_request
    from users
    join services on services.id = ${request.service_id}
    where users.id = ${id}
      and (users.id = ${caller.userId} or ${isColleague(caller)})
      -- guard: request for a colleague of another agency (reassign-request)
      and ${seesAgency(request.agency_id)}`.execute(transaction);
  return rows[0];
}

/** The groups of agencies that somebody of the staff has which contain one of these, each once. */
export async function selectAgencyGroups(
  database: Database | Transaction,
  agencyIds: readonly number[],
): Promise<number[][]> {
  const { rows } = await sql<{ ids: number[] }>`
    select distinct array_agg(agency_id order by agency_id) as ids
    from staff_agencies
    group by user_id
    having array_agg(agency_id) && ${[...agencyIds]}::int[]`.execute(database);
  return rows.map(({ ids }) => ids);
}
