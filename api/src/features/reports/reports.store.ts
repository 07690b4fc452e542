import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { LocalizedText } from '@diwan/contract/languages';
import type { Database } from '../../platform/database.ts';

/** Which requests are counted, and when: `before` is the first instant after the period, `previous` the first of the period before it. */
export interface FiguresQuestion {
  /** A condition on `requests`. */
  visible: RawBuilder<SqlBool>;
  seesAll: boolean;
  previous: Date;
  from: Date;
  before: Date;
  /** Statuses that end a request, well or badly, in any workflow. */
  endStatuses: readonly number[];
  topServices: number;
}

export interface PeriodRow {
  created: number;
  completed: number;
  refused: number;
  fees: number;
  median_seconds: number | null;
  kept: number;
}

export interface FiguresRow {
  current: PeriodRow;
  previous: PeriodRow;
  days: { day: string; created: number; completed: number }[];
  services: { service_id: number; name: LocalizedText; agency_id: number; agency_name: LocalizedText; agency_logo: string; created: number; completed: number }[];
  standing: { status_id: number; count: number }[];
}

const dayOf = (instant: RawBuilder<unknown>) => sql`(${instant} at time zone 'Asia/Dubai')::date`;
// How many Mondays to Fridays lie before a day, counted from a Monday: the difference of two is the working days between them.
const workingDays = (day: RawBuilder<unknown>) => sql`((${day} - date '1970-01-05') / 7 * 5 + least((${day} - date '1970-01-05') % 7, 5))`;

const periodOf = (isCurrent: boolean) => sql`select json_build_object(
  'created', (select count(*) from created where is_current = ${isCurrent}),
  'completed', (select count(*) from ended where is_current = ${isCurrent} and tone = 'done'),
  'refused', (select count(*) from ended where is_current = ${isCurrent} and tone = 'refused'),
  'fees', (select coalesce(sum(amount), 0) from paid where is_current = ${isCurrent}),
  'median_seconds', (select round(percentile_cont(0.5) within group (order by seconds)) from ended where is_current = ${isCurrent} and tone = 'done'),
  'kept', (select count(*) from ended where is_current = ${isCurrent} and tone = 'done' and is_kept))`;

/**
 * Everything in one round trip. `materialized` keeps the look for the payment of each request from being made once for each of its uses. A request's clock starts when it is paid, or when it is sent where nothing is paid, and stops at its end. What a request promises is
 * what its service promises today. Some weeks of a million requests are looked up by index, which the usual price of a page out of order, that of a turning disk, makes PostgreSQL read the whole table for.
 */
export async function selectFigures(database: Database, { visible, seesAll, previous, from, before, endStatuses, topServices }: FiguresQuestion): Promise<FiguresRow> {
  const standing = seesAll
    ? sql`select status_id, sum(count)::bigint as count from request_counts group by status_id having sum(count) > 0`
    : sql`select status_id, count(*) as count from requests where ${visible} group by status_id`;
  const { rows } = await database.transaction().execute(async (transaction) => {
    await sql`set local random_page_cost = 1.1`.execute(transaction);
    return sql<FiguresRow>`
    with tones as (
      select workflows.id as workflow_id, (status ->> 'statusId')::int as status_id, status ->> 'tone' as tone
      from workflows cross join lateral jsonb_array_elements(workflows.document -> 'statuses') as status
    ), created as (
      select requests.service_id, ${dayOf(sql`requests.created_at`)} as day, requests.created_at >= ${from} as is_current
      from requests where requests.created_at >= ${previous} and requests.created_at < ${before} and ${visible}
    ), timed as materialized (
      select requests.service_id, services.working_days, tones.tone, request_history.at as ended_at,
        coalesce((select min(payment.at) from request_history payment where payment.request_id = requests.id and payment.action = 'pay'), requests.created_at) as started_at
      from request_history join requests on requests.id = request_history.request_id join services on services.id = requests.service_id
        join tones on tones.workflow_id = requests.workflow_id and tones.status_id = request_history.to_status_id
      where request_history.to_status_id = any(${endStatuses}::int[]) and request_history.from_status_id is distinct from request_history.to_status_id
        and request_history.at >= ${previous} and request_history.at < ${before} and tones.tone in ('done', 'refused') and ${visible}
    ), ended as (
      select timed.*, extract(epoch from timed.ended_at - timed.started_at) as seconds, ${dayOf(sql`timed.ended_at`)} as day, timed.ended_at >= ${from} as is_current,
        ${workingDays(sql`(${dayOf(sql`timed.ended_at`)} + 1)`)} - ${workingDays(sql`(${dayOf(sql`timed.started_at`)} + 1)`)} <= timed.working_days as is_kept
      from timed
    ), paid as (
      select payments.amount, min(payment_events.occurred_at) >= ${from} as is_current
      from payment_events join payments on payments.id = payment_events.payment_id join requests on requests.id = payments.request_id
      where payment_events.kind = 'paid' and payment_events.occurred_at >= ${previous} and payment_events.occurred_at < ${before} and payments.status = 'paid' and ${visible}
      group by payments.id
    ), days as (
      select day, sum(created) as created, sum(completed) as completed from (
        select day, count(*) as created, 0 as completed from created where is_current group by day
        union all select day, 0, count(*) from ended where is_current and tone = 'done' group by day
      ) as both_kinds group by day
    ), asked as (
      select service_id, count(*) as created from created where is_current group by service_id order by created desc, service_id limit ${topServices}
    )
    select (${periodOf(true)}) as current, (${periodOf(false)}) as previous,
      (select coalesce(json_agg(json_build_object('day', day, 'created', created, 'completed', completed)), '[]') from days) as days,
      (select coalesce(json_agg(json_build_object(
        'service_id', services.id, 'name', services.name, 'agency_id', agencies.id, 'agency_name', agencies.name, 'agency_logo', agencies.logo, 'created', asked.created,
        'completed', (select count(*) from ended where ended.service_id = services.id and is_current and tone = 'done')) order by asked.created desc, services.id), '[]')
        from asked join services on services.id = asked.service_id join agencies on agencies.id = services.agency_id) as services,
      (select coalesce(json_agg(json_build_object('status_id', status_id, 'count', count)), '[]') from (${standing}) as counted) as standing`.execute(transaction);
  });
  const [row] = rows;
  if (!row) throw new Error('The database gave no figures');
  return row;
}
