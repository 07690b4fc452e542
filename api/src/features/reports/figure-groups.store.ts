import type { SqlBool } from 'kysely';
import type { Database } from '#platform/database/database.ts';
import { personName } from '#platform/database/lists/person-name.ts';
import { type Sql, sql } from '#platform/database/sql.ts';
import type { FigureDimension } from '@diwan/contract/requests/reports';
import type { Language } from '@diwan/contract/wire/languages';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import { factsOf, inMonths, type FiguresQuery, type FiguresSource } from './reports.store.ts';

/** The figures of a group. Without `id` it is the sum of all groups. `fees` in fils. */
export interface GroupRow {
  id: string | null;
  name: LocalizedText | string | null;
  agency_name: LocalizedText | null;
  open: number;
  waiting: number;
  oldest_at: Date | null;
  due_today: number;
  late: number;
  created: number;
  completed: number;
  completed_late: number;
  refused: number;
  fees: number;
  median_seconds: number | null;
  group_count: number;
}

/** Days in Asia/Dubai, both included. */
interface GroupsQuery extends FiguresSource, Pick<FiguresQuery, 'visible'> {
  from: string;
  to: string;
  today: string;
  openStatuses: readonly number[];
  waitingStatuses: readonly number[];
  maximumGroups: number;
}

interface Dimension {
  /** The group of a row of `requests`. */
  keyOfRequest: Sql<unknown>;
  /** Which requests have a group. */
  condition: Sql<SqlBool>;
  /** Rows of `key`, `kind`, `days_late` and `amount` of the period. */
  amounts: (query: GroupsQuery) => Sql<unknown>;
  /** Rows of `key` and `seconds`. */
  times: (query: GroupsQuery) => Sql<unknown>;
  /** Rows of `id`, `name` and `agency_name`. */
  names: Sql<unknown>;
}

const inDays = ({ from, to }: GroupsQuery) => sql`day between ${from}::date and ${to}::date`;

const byFact = (key: Sql<unknown>): Pick<Dimension, 'amounts' | 'times'> => ({
  amounts: (query) => sql`
    select ${key} as key, kind, days_late, amount
    from (${factsOf(query)}) as facts
    where ${inMonths(query.from, query.to)}`,
  times: (query) => sql`
    select ${key} as key, seconds
    from (${factsOf(query)}) as facts
    where grain = 'day' and seconds is not null and ${inDays(query)}`,
});

// Only the portal's staff see partners and employees, so these read the figures of all requests.
const ofPartners = sql`
  request_figures
  join partners on partners.id = request_figures.scope`;

// An employee is known from the history alone. Who ended a request is not part of the figures.
const endedByEmployees = ({ from, to }: GroupsQuery) => sql`
  select
    history.actor_id as key,
    workflow_ends.tone as kind,
    (
      select days_late
      from request_facts
      where request_id = history.request_id
        and source_id = history.id
        and scope = 0
        and kind = 'done'
    ) as days_late,
    1 as amount
  from request_history as history
  join requests on requests.id = history.request_id
  join workflow_ends
    on workflow_ends.workflow_id = requests.workflow_id
    and workflow_ends.status_id = history.to_status_id
  where history.to_status_id = any(array(select status_id from workflow_ends))
    and history.from_status_id is distinct from history.to_status_id
    and history.at >= (${from}::date)::timestamp at time zone 'Asia/Dubai'
    and history.at < (${to}::date + 1)::timestamp at time zone 'Asia/Dubai'
    and history.actor_kind = 'employee'`;

const dimensionsIn = (language: Language): Record<FigureDimension, Dimension> => ({
  agency: {
    keyOfRequest: sql`requests.agency_id`,
    condition: sql`true`,
    ...byFact(sql`facts.agency_id`),
    names: sql`select id, name, null::jsonb as agency_name from agencies`,
  },
  service: {
    keyOfRequest: sql`requests.service_id`,
    condition: sql`true`,
    ...byFact(sql`facts.service_id`),
    names: sql`
      select services.id, services.name, agencies.name as agency_name
      from services
      join agencies on agencies.id = services.agency_id`,
  },
  partner: {
    keyOfRequest: sql`requests.partner_id`,
    condition: sql`requests.partner_id is not null and requests.came_to_provider`,
    amounts: ({ from, to }) => sql`
      select scope as key, kind, days_late, amount
      from ${ofPartners}
      where ${inMonths(from, to)}`,
    times: (query) => sql`
      select scope as key, seconds
      from ${ofPartners}
      where grain = 'total' and seconds is not null and ${inDays(query)}`,
    names: sql`select id, name, null::jsonb as agency_name from partners`,
  },
  employee: {
    keyOfRequest: sql`requests.holder_id`,
    condition: sql`requests.holder_id is not null`,
    amounts: endedByEmployees,
    times: () => sql`select null::uuid as key, null::integer[] as seconds where false`,
    names: sql`
      select id, to_jsonb(${personName('users', language)}) as name, null::jsonb as agency_name
      from users`,
  },
});

/**
 * The figures of each group, those with the most late requests first, and their sum: one row for
 * each group and one without `id`. The sum of amounts and the median are those of all groups, also
 * of those that are left out.
 */
export async function selectGroups(
  database: Database,
  by: FigureDimension,
  query: GroupsQuery,
  language: Language,
): Promise<GroupRow[]> {
  const { keyOfRequest, condition, amounts, times, names } = dimensionsIn(language)[by];
  const { visible, today, openStatuses, waitingStatuses, maximumGroups } = query;
  const { rows } = await sql<GroupRow>`
    with standing as (
      select
        ${keyOfRequest} as key,
        count(*) as open,
        count(*) filter (where status_id = any(${waitingStatuses}::int[])) as waiting,
        min(created_at) filter (where status_id = any(${waitingStatuses}::int[])) as oldest_at
      from requests
      where ${visible}
        and ${condition}
        and status_id = any(${openStatuses}::int[])
      group by grouping sets ((${keyOfRequest}), ())
    ), due as (
      select
        ${keyOfRequest} as key,
        count(*) filter (where due_on = ${today}::date) as due_today,
        count(*) filter (where due_on < ${today}::date) as late
      from requests
      where ${visible}
        and ${condition}
        and due_on <= ${today}::date
      group by grouping sets ((${keyOfRequest}), ())
    ), amounts as (
      select
        key,
        sum(amount) filter (where kind = 'created') as created,
        sum(amount) filter (where kind = 'done') as completed,
        sum(amount) filter (where kind = 'done' and days_late > 0) as completed_late,
        sum(amount) filter (where kind = 'refused') as refused,
        sum(amount) filter (where kind = 'paid') as fees
      from (${amounts(query)}) as facts
      group by grouping sets ((key), ())
    ), medians as (
      select key, round(percentile_cont(0.5) within group (order by second)) as median_seconds
      from (${times(query)}) as facts
      cross join lateral unnest(seconds) as second
      group by grouping sets ((key), ())
    ), keys as (
      select key from standing
      union
      select key from due
      union
      select key from amounts
    ), groups as (
      select
        keys.key,
        coalesce(open, 0)::int as open,
        coalesce(waiting, 0)::int as waiting,
        oldest_at,
        coalesce(due_today, 0)::int as due_today,
        coalesce(late, 0)::int as late,
        coalesce(created, 0)::bigint as created,
        coalesce(completed, 0)::bigint as completed,
        coalesce(completed_late, 0)::bigint as completed_late,
        coalesce(refused, 0)::bigint as refused,
        coalesce(fees, 0)::bigint as fees,
        median_seconds::int
      from keys
      left join standing on standing.key is not distinct from keys.key
      left join due on due.key is not distinct from keys.key
      left join amounts on amounts.key is not distinct from keys.key
      left join medians on medians.key is not distinct from keys.key
    )
    select
      groups.key::text as id,
      named.name,
      named.agency_name,
      groups.*,
      (count(*) over () - 1)::int as group_count
    from groups
    left join (${names}) as named on named.id = groups.key
    where groups.key is null or groups.open > 0
      or groups.created <> 0 or groups.completed <> 0 or groups.refused <> 0 or groups.fees <> 0
    order by groups.key is not null, late desc, groups.open desc, created desc, groups.key
    limit ${maximumGroups + 1}`.execute(database);
  return rows;
}
