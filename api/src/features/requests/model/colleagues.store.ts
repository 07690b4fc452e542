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

/** Whether an employee, in `users`, sees the requests of an agency for a service. */
export const seesWork = (
  agencyId: number | Sql<number>,
  serviceId: number | Sql<number>,
): Sql<SqlBool> => sql`(
  users.all_agencies
  or exists (
    select
    from staff_agencies
    where staff_agencies.user_id = users.id
      and staff_agencies.agency_id = ${agencyId}
      and (
        -- guard: holder of another team (team-scope) => true
        not staff_agencies.teams_only
        or exists (
          select
          from team_members
          join team_work on team_work.team_id = team_members.team_id
          where team_members.user_id = users.id
            and team_work.agency_id = ${agencyId}
            and team_work.service_id = ${serviceId}
        )
      )
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
      and not ${seesWork(sql`requests.agency_id`, sql`requests.service_id`)}
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
      -- guard: request for a colleague of another agency or team (reassign-request, team-scope)
      and ${seesWork(request.agency_id, request.service_id)}`.execute(transaction);
  return rows[0];
}

/**
 * What somebody of the staff sees: these agencies, and of others the work of these teams; null where
 * they see whole agencies only. `works` are what the teams work on, of what was asked.
 */
export interface ListenerGroup {
  agencyIds: readonly number[];
  teamIds: readonly number[] | null;
  works: { agencyId: number; serviceId: number }[];
}

/** The groups of agencies and teams that somebody of the staff has which see some of these, each once. */
export async function selectListenerGroups(
  database: Database | Transaction,
  works: readonly { agencyId: number; serviceId: number }[],
): Promise<ListenerGroup[]> {
  const agencyIds = works.map(({ agencyId }) => agencyId);
  const { rows } = await sql<ListenerGroup>`
    with asked as (
      select distinct team_work.*
      from team_work
      join unnest(
        ${agencyIds}::int[],
        ${works.map(({ serviceId }) => serviceId)}::int[]
      ) as named (agency_id, service_id) using (agency_id, service_id)
    ), groups as (
      select distinct
        coalesce(array_agg(agency_id order by agency_id) filter (where not teams_only), '{}') as agency_ids,
        case
          when bool_or(teams_only) then array(
            select team_members.team_id
            from team_members
            join staff_agencies as limited using (user_id, agency_id)
            where team_members.user_id = staff_agencies.user_id
              and limited.teams_only
            order by team_members.team_id
          )
        end as team_ids
      from staff_agencies
      group by user_id
    )
    select agency_ids as "agencyIds", team_ids as "teamIds",
      coalesce(
        (
          select jsonb_agg(distinct jsonb_build_object('agencyId', agency_id, 'serviceId', service_id))
          from asked
          where team_id = any(team_ids)
        ),
        '[]'
      ) as works
    from groups
    where agency_ids && ${agencyIds}::int[]
      or team_ids && array(
        select team_id
        from asked
      )`.execute(database);
  return rows;
}

/** The agency and the services of a team that the user is in; of another team no services. */
export async function selectTeamWork(
  database: Database,
  userId: string,
  teamId: number,
): Promise<{ agencyId: number; serviceIds: number[] }> {
  const { rows } = await sql<{ agencyId: number; serviceIds: number[] }>`
    select agency_id as "agencyId",
      array(
        select service_id
        from team_work
        where team_work.team_id = team_members.team_id
      ) as "serviceIds"
    from team_members
    where team_id = ${teamId}
      -- guard: work of a team that the user is not in (team-scope)
      and user_id = ${userId}`.execute(database);
  return rows[0] ?? { agencyId: 0, serviceIds: [] };
}
