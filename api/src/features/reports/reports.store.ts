import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import type { Database } from '../../platform/database/database.ts';

/**
 * Which requests are counted, and on which days in Asia/Dubai: from `from` to `to`, and from
 * `previous` to the day before `from`.
 */
export interface FiguresQuestion {
  /**
   * The figures that are written down, as `scope` in migration 0028 says, and besides them those of
   * requests that are few, by a condition on `requests`.
   */
  scope: number | undefined;
  few: RawBuilder<SqlBool> | undefined;
  /** All that the caller may see. */
  visible: RawBuilder<SqlBool>;
  previous: string;
  from: string;
  to: string;
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
  services: {
    service_id: number;
    name: LocalizedText;
    agency_id: number;
    agency_name: LocalizedText;
    agency_logo: string;
    created: number;
    completed: number;
  }[];
  standing: { status_id: number; count: number }[];
}

const periodOf = (isCurrent: boolean) => sql`select json_build_object(
  'created', coalesce(sum(amount) filter (where kind = 'created'), 0),
  'completed', coalesce(sum(amount) filter (where kind = 'done'), 0),
  'refused', coalesce(sum(amount) filter (where kind = 'refused'), 0),
  'fees', coalesce(sum(amount) filter (where kind = 'paid'), 0),
  'median_seconds', (select round(percentile_cont(0.5) within group (order by second)) from totals cross join lateral unnest(seconds) as second where is_current = ${isCurrent}),
  'kept', (select coalesce(sum(amount), 0) from by_service join services on services.id = by_service.service_id where is_current = ${isCurrent} and kind = 'done' and by_service.working_days <= services.working_days))
  from totals where is_current = ${isCurrent}`;

// Both say the same in the same form.
function factsOf({ scope, few }: FiguresQuestion): RawBuilder<unknown> {
  const sources = [
    ...(scope === undefined
      ? []
      : [
          sql`select grain, day, kind, service_id, working_days, seconds, amount from request_figures where scope = ${scope}::int`,
        ]),
    ...(few === undefined
      ? []
      : [
          sql`select grain, entry_day as day, kind, entry_service as service_id, entry_working_days as working_days, case grain when 'total' then seconds end as seconds, amount from (select id from requests where ${few}) as few
      cross join lateral (select * from request_facts where request_id = few.id and request_facts.scope = 0 offset 0) as fact cross join lateral figure_entries(day, kind, service_id, working_days)`,
        ]),
  ];
  return sources.length === 0
    ? sql`select grain, day, kind, service_id, working_days, seconds, amount from request_figures where false`
    : sql.join(sources, sql` union all `);
}

// Whole months, and the days before the first and after the last of them. Days count from and to
// include their ends.
function inMonths(from: string, to: string): RawBuilder<SqlBool> {
  const nextMonth = (day: string) =>
    new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 1))
      .toISOString()
      .slice(0, 10);
  const start = from.endsWith('-01') ? from : nextMonth(from);
  const afterTo = new Date(Date.parse(`${to}T00:00:00Z`) + 24 * 3600 * 1000)
    .toISOString()
    .slice(0, 10);
  const end = `${afterTo.slice(0, 7)}-01`;
  if (start >= end)
    return sql<SqlBool>`(grain = 'day' and day between ${from}::date and ${to}::date)`;
  return sql<SqlBool>`((grain = 'month' and day >= ${start}::date and day < ${end}::date) or (grain = 'day' and day >= ${from}::date and day < ${start}::date) or (grain = 'day' and day >= ${end}::date and day <= ${to}::date))`;
}

/**
 * Everything in one round trip. A request's clock starts when it is paid, or when it is sent where
 * nothing is paid, and stops at its end. What a request promises is what its service promises
 * today.
 */
export async function selectFigures(
  database: Database,
  question: FiguresQuestion,
): Promise<FiguresRow> {
  const { scope, visible, previous, from, to, topServices } = question;
  const standing =
    scope === 0
      ? sql`select status_id, sum(count)::bigint as count from request_counts group by status_id having sum(count) > 0`
      : sql`select status_id, count(*) as count from requests where ${visible} group by status_id`;
  const dayBefore = new Date(Date.parse(`${from}T00:00:00Z`) - 24 * 3600 * 1000)
    .toISOString()
    .slice(0, 10);
  const { rows } = await sql<FiguresRow>`
    with totals as materialized (
      select day, kind, seconds, amount, day >= ${from}::date as is_current from (${factsOf(question)}) as facts where grain = 'total' and day between ${previous}::date and ${to}::date
    ), by_service as materialized (
      select true as is_current, kind, service_id, working_days, sum(amount) as amount from (${factsOf(question)}) as facts where ${inMonths(from, to)} group by kind, service_id, working_days
      union all select false, kind, service_id, working_days, sum(amount) from (${factsOf(question)}) as facts where kind = 'done' and ${inMonths(previous, dayBefore)} group by kind, service_id, working_days
    ), days as (
      select day, coalesce(sum(amount) filter (where kind = 'created'), 0) as created, coalesce(sum(amount) filter (where kind = 'done'), 0) as completed from totals where is_current and kind in ('created', 'done') group by day
    ), asked as (
      select service_id, sum(amount) as created from by_service where is_current and kind = 'created' group by service_id order by created desc, service_id limit ${topServices}
    )
    select (${periodOf(true)}) as current, (${periodOf(false)}) as previous,
      (select coalesce(json_agg(json_build_object('day', day, 'created', created, 'completed', completed) order by day), '[]') from days) as days,
      (select coalesce(json_agg(json_build_object(
        'service_id', services.id, 'name', services.name, 'agency_id', agencies.id, 'agency_name', agencies.name, 'agency_logo', agencies.logo, 'created', asked.created,
        'completed', (select coalesce(sum(amount), 0) from by_service where by_service.service_id = services.id and is_current and kind = 'done')) order by asked.created desc, services.id), '[]')
        from asked join services on services.id = asked.service_id join agencies on agencies.id = services.agency_id) as services,
      (select coalesce(json_agg(json_build_object('status_id', status_id, 'count', count) order by status_id), '[]') from (${standing}) as counted) as standing`.execute(
    database,
  );
  const [row] = rows;
  if (!row) throw new Error('The database gave no figures');
  return row;
}

/**
 * Puts the entries of each day together: what has happened since the last time becomes part of the
 * sums. Changes no figure, and may be run at any time and by several processes at once:
 * whoever comes second finds the entries gone, and adds nothing.
 */
export async function condenseFigures(database: Database): Promise<void> {
  await sql`
    with worn as (
      delete from request_figures where (scope, grain, day) in (select scope, grain, day from request_figures where not is_sum) returning *
    )
    insert into request_figures (scope, grain, day, kind, service_id, working_days, seconds, amount, is_sum)
      select scope, grain, day, kind, service_id, working_days, null, sum(amount), true from worn where kind <> 'time' group by scope, grain, day, kind, service_id, working_days having sum(amount) <> 0
      union all select scope, grain, day, 'time', null, null, array_agg(second order by second), 0, true from worn cross join lateral unnest(seconds) as second group by scope, grain, day`.execute(
    database,
  );
}
