import type { Expression, SqlBool } from 'kysely';
import type { Database } from '#platform/database/database.ts';
import { acquireNamedLock } from '#platform/database/named-lock.ts';
import { type Sql, sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { LocalizedText } from '@diwan/contract/wire/languages';

/** One day in milliseconds. */
const dayMs = 24 * 3600 * 1000;

/**
 * The requests of the figures, and the days in Asia/Dubai: the current period is from `from` to
 * `to`, the previous one from `previous` to the day before `from`.
 */
export interface FiguresQuery {
  /** The `scope` of the stored figures (`figure-facts.ts`). */
  scope: number | undefined;
  /** Instead of `scope`: the stored figures of everybody's requests of these agencies. */
  agencyIds?: readonly number[] | undefined;
  /** A condition on `requests`, for a set that is small enough to be counted directly. */
  directCondition: Expression<SqlBool> | undefined;
  /** All requests that the caller may see. */
  visible: Expression<SqlBool>;
  previous: string;
  from: string;
  to: string;
  topServices: number;
}

/** From which facts figures are counted. */
export type FiguresSource = Pick<FiguresQuery, 'scope' | 'agencyIds' | 'directCondition'>;

/** The figures of one period. `fees` in fils. */
export interface PeriodRow {
  created: number;
  completed: number;
  refused: number;
  fees: number;
  median_seconds: number | null;
  on_time: number;
}

/** All figures, as one row. */
interface FiguresRow {
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
  status_counts: { status_id: number; count: number }[];
}

const periodOf = (isCurrent: boolean) => sql`
  select json_build_object(
    'created', coalesce(sum(amount) filter (where kind = 'created'), 0),
    'completed', coalesce(sum(amount) filter (where kind = 'done'), 0),
    'refused', coalesce(sum(amount) filter (where kind = 'refused'), 0),
    'fees', coalesce(sum(amount) filter (where kind = 'paid'), 0),
    'median_seconds', (
      select round(percentile_cont(0.5) within group (order by second))
      from totals
      cross join lateral unnest(seconds) as second
      where is_current = ${isCurrent}
    ),
    'on_time', (
      select coalesce(sum(amount), 0)
      from by_service
      where is_current = ${isCurrent}
        and kind = 'done'
        and days_late <= 0
    )
  )
  from totals
  where is_current = ${isCurrent}`;

/**
 * A `fact` is entered by its day alone, and by day and by month with its service and agency: a year is
 * then read as some months, and the days at its ends.
 */
export const grains = sql`(
  values
    ('total', fact.day, null::integer, null::integer, null::integer),
    ('day', fact.day, fact.service_id, fact.agency_id, fact.days_late),
    (
      'month', date_trunc('month', fact.day)::date, fact.service_id, fact.agency_id, fact.days_late
    )
) as entry (grain, entry_day, entry_service, entry_agency, entry_days_late)`;

const storedFacts = (condition: Expression<SqlBool>) => sql`
  select grain, day, kind, service_id, agency_id, days_late, seconds, amount
  from request_figures
  where ${condition}`;

// By their day alone figures have no agency: those of a day with its services are added up.
const storedFactsOf = (agencyIds: readonly number[]) => {
  const isTheirs = sql`scope = 0 and agency_id = any(${[...agencyIds]}::int[])`;
  return sql`
    ${storedFacts(isTheirs as Sql<SqlBool>)}
    union all
    select 'total', day, kind, service_id, agency_id, days_late, seconds, amount
    from request_figures
    where ${isTheirs}
      and grain = 'day'`;
};

const directFacts = (condition: Expression<SqlBool>) => sql`
  select
    grain,
    entry_day as day,
    kind,
    entry_service as service_id,
    entry_agency as agency_id,
    entry_days_late as days_late,
    case when grain <> 'month' and seconds is not null then array[seconds] end as seconds,
    amount
  from (select id from requests where ${condition}) as counted
  cross join lateral (
    select *
    from request_facts
    where request_id = counted.id and request_facts.scope = 0
    offset 0
  ) as fact
  cross join lateral ${grains}`;

/** The stored figures and those that are counted directly, in the same form. */
export function factsOf({ scope, agencyIds, directCondition }: FiguresSource): Sql<unknown> {
  const sources = [
    ...(scope === undefined ? [] : [storedFacts(sql`scope = ${scope}::int`)]),
    ...(agencyIds === undefined ? [] : [storedFactsOf(agencyIds)]),
    ...(directCondition === undefined ? [] : [directFacts(directCondition)]),
  ];
  return sources.length === 0 ? storedFacts(sql`false`) : sql.join(sources, ' union all ');
}

/** A day of the calendar, `days` later. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

/**
 * The condition for the days from `from` to `to`, both included: whole months, and the days before
 * the first and after the last of them.
 */
export function inMonths(from: string, to: string): Sql<SqlBool> {
  const nextMonth = (day: string) =>
    new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 1))
      .toISOString()
      .slice(0, 10);
  const start = from.endsWith('-01') ? from : nextMonth(from);
  const end = `${addDays(to, 1).slice(0, 7)}-01`;
  if (start >= end)
    return sql<SqlBool>`(grain = 'day' and day between ${from}::date and ${to}::date)`;
  return sql<SqlBool>`(
    (grain = 'month' and day >= ${start}::date and day < ${end}::date)
    or (grain = 'day' and day >= ${from}::date and day < ${start}::date)
    or (grain = 'day' and day >= ${end}::date and day <= ${to}::date)
  )`;
}

/**
 * Reads all figures in one query. The time of a request is measured from its payment, or from its
 * submission if nothing is paid, to its end.
 */
export async function selectFigures(database: Database, query: FiguresQuery): Promise<FiguresRow> {
  const { scope, visible, previous, from, to, topServices } = query;
  const facts = factsOf(query);
  const statusCounts =
    scope === 0
      ? sql`
        select status_id, sum(count)::bigint as count
        from request_counts
        group by status_id
        having sum(count) > 0`
      : sql`
        select status_id, count(*) as count
        from requests
        where ${visible}
        group by status_id`;
  const { rows } = await sql<FiguresRow>`
    with totals as materialized (
      select day, kind, seconds, amount, day >= ${from}::date as is_current
      from (${facts}) as facts
      where grain = 'total' and day between ${previous}::date and ${to}::date
    ), by_service as materialized (
      select true as is_current, kind, service_id, days_late, sum(amount) as amount
      from (${facts}) as facts
      where ${inMonths(from, to)}
      group by kind, service_id, days_late
      union all
      select false, kind, service_id, days_late, sum(amount)
      from (${facts}) as facts
      where kind = 'done' and ${inMonths(previous, addDays(from, -1))}
      group by kind, service_id, days_late
    ), days as (
      select
        day,
        coalesce(sum(amount) filter (where kind = 'created'), 0) as created,
        coalesce(sum(amount) filter (where kind = 'done'), 0) as completed
      from totals
      where is_current and kind in ('created', 'done')
      group by day
    ), top_services as (
      select service_id, sum(amount) as created
      from by_service
      where is_current and kind = 'created'
      group by service_id
      order by created desc, service_id
      limit ${topServices}
    )
    select
      (${periodOf(true)}) as current,
      (${periodOf(false)}) as previous,
      (
        select coalesce(
          json_agg(
            json_build_object('day', day, 'created', created, 'completed', completed)
            order by day
          ),
          '[]'
        )
        from days
      ) as days,
      (
        select coalesce(
          json_agg(
            json_build_object(
              'service_id', services.id,
              'name', services.name,
              'agency_id', agencies.id,
              'agency_name', agencies.name,
              'agency_logo', agencies.logo,
              'created', top_services.created,
              'completed', (
                select coalesce(sum(amount), 0)
                from by_service
                where by_service.service_id = services.id and is_current and kind = 'done'
              )
            )
            order by top_services.created desc, services.id
          ),
          '[]'
        )
        from top_services
        join services on services.id = top_services.service_id
        join agencies on agencies.id = services.agency_id
      ) as services,
      (
        select coalesce(
          json_agg(
            json_build_object('status_id', status_id, 'count', count)
            order by status_id
          ),
          '[]'
        )
        from (${statusCounts}) as counted
      ) as status_counts`.execute(database);
  const [row] = rows;
  if (!row) throw new Error('The database returned no figures');
  return row;
}

/**
 * Replaces the entries of each day by their sums. It changes no figure and can run at any time, also
 * in several processes at the same time: the second one finds no entries and adds nothing.
 */
export async function condenseFigures(database: Database): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await acquireNamedLock(transaction, 'figures');
    await sql`
    with entries as (
      delete from request_figures
      where (scope, grain, day) in (
        select scope, grain, day
        from request_figures
        where not is_sum
      )
      returning *
    )
    insert into request_figures
      (scope, grain, day, kind, service_id, agency_id, days_late, seconds, amount, is_sum)
    select scope, grain, day, kind, service_id, agency_id, days_late, null, sum(amount), true
    from entries
    where kind <> 'time'
    group by scope, grain, day, kind, service_id, agency_id, days_late
    having sum(amount) <> 0
    union all
    select scope, grain, day, 'time', service_id, agency_id, null,
      array_agg(second order by second), 0, true
    from entries
    cross join lateral unnest(seconds) as second
    group by scope, grain, day, service_id, agency_id`.execute(transaction);
  });
}
