import type { Database, Transaction } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import type { Fact, FiguredRequest } from './figure-facts.ts';
import { grains } from './reports.store.ts';

/** Whether a request has changed that is not folded yet. */
export async function hasChanges(database: Database): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from figure_changes) as found`.execute(database);
  return rows[0]?.found ?? false;
}

/**
 * Takes announced changes, and returns their requests. An announcement that is not committed yet
 * stays for the next call, in whatever order transactions commit.
 */
export async function takeChanges(transaction: Transaction, maximum: number): Promise<number[]> {
  const { rows } = await sql<{ request_id: number }>`
    delete from figure_changes
    where ctid = any(array(select ctid from figure_changes limit ${maximum}))
    returning request_id`.execute(transaction);
  return rows.map(({ request_id: id }) => id);
}

/** Reads what counts of some requests. */
export async function selectFiguredRequests(
  database: Database | Transaction,
  ids: readonly number[],
): Promise<FiguredRequest[]> {
  const { rows } = await sql<FiguredRequest>`
    select
      requests.id,
      service_id,
      agency_id,
      partner_id,
      came_to_provider,
      company_id,
      working_days,
      calendar_id,
      extract(epoch from created_at)::float8 as created_at,
      (
        select coalesce(
          json_agg(
            json_build_object(
              'id', ending.id,
              'at', extract(epoch from ending.at)::float8,
              'tone', workflow_ends.tone
            )
            order by ending.id
          ),
          '[]'
        )
        from request_history as ending
        join workflow_ends
          on workflow_ends.workflow_id = requests.workflow_id
          and workflow_ends.status_id = ending.to_status_id
        where ending.request_id = requests.id
          and ending.from_status_id is distinct from ending.to_status_id
      ) as ends,
      (
        select coalesce(json_agg(extract(epoch from at)::float8 order by at), '[]')
        from request_history
        where request_id = requests.id
          and action = 'pay'
      ) as paid_at,
      (
        select coalesce(
          json_agg(
            json_build_object(
              'begun_at', extract(epoch from begun_at)::float8,
              'ended_at', extract(epoch from ended_at)::float8
            )
            order by history_id
          ),
          '[]'
        )
        from request_holds
        where request_holds.request_id = requests.id
          and ended_at is not null
      ) as holds,
      (
        select coalesce(
          json_agg(
            json_build_object(
              'id', payments.id,
              'amount', payments.amount,
              'at', extract(epoch from first_report.at)::float8
            )
            order by payments.id
          ),
          '[]'
        )
        from payments
        cross join lateral (
          select min(occurred_at) as at
          from payment_events
          where payment_id = payments.id
            and kind = 'paid'
        ) as first_report
        where payments.request_id = requests.id
          and payments.status = 'paid'
          and first_report.at is not null
      ) as payments
    from requests
    where id = any(${ids}::bigint[])`.execute(database);
  return rows;
}

export async function selectFacts(
  database: Database | Transaction,
  ids: readonly number[],
): Promise<Fact[]> {
  const { rows } = await sql<Fact>`
    select
      request_id, source_id, scope, day, kind, service_id, agency_id, days_late, seconds, amount
    from request_facts
    where request_id = any(${ids}::bigint[])`.execute(database);
  return rows;
}

const recordsOf = (facts: readonly (Fact & { sign?: number })[]) => sql`
  json_to_recordset(${JSON.stringify(facts)}::json) as fact (
    request_id bigint, source_id bigint, scope integer, day date, kind text, service_id integer,
    agency_id integer, days_late integer, seconds integer, amount bigint, sign integer
  )`;

/** Stores the facts of some requests instead of those that are stored. */
export async function replaceFacts(
  transaction: Transaction,
  ids: readonly number[],
  facts: readonly Fact[],
): Promise<void> {
  await sql`delete from request_facts where request_id = any(${ids}::bigint[])`.execute(
    transaction,
  );
  await sql`
    insert into request_facts (
      request_id, source_id, scope, day, kind, service_id, agency_id, days_late, seconds, amount
    )
    select request_id, source_id, scope, day, kind, service_id, agency_id, days_late, seconds, amount
    from ${recordsOf(facts)}`.execute(transaction);
}

const figureColumns = sql`
  scope, grain, day, kind, service_id, agency_id, days_late, seconds, amount`;

/** Adds facts to the sums, and takes others off. The times of those are not taken off. */
export async function addToFigures(
  transaction: Transaction,
  { added, removed }: { added: readonly Fact[]; removed: readonly Fact[] },
): Promise<void> {
  const signed = [
    ...added.map((fact) => ({ ...fact, sign: 1 })),
    ...removed.map((fact) => ({ ...fact, sign: -1 })),
  ];
  await sql`
    insert into request_figures (${figureColumns})
    select
      scope, grain, entry_day, kind, entry_service, entry_agency, entry_days_late, null,
      sum(sign * amount)
    from ${recordsOf(signed)}
    cross join lateral ${grains}
    group by scope, grain, entry_day, kind, entry_service, entry_agency, entry_days_late
    having sum(sign * amount) <> 0
    union all
    select scope, grain, entry_day, 'time', entry_service, entry_agency, null,
      array_agg(seconds order by seconds), 0
    from ${recordsOf(signed)}
    cross join lateral ${grains}
    where grain <> 'month'
      and sign = 1
      and seconds is not null
    group by scope, grain, entry_day, entry_service, entry_agency`.execute(transaction);
}

/** Makes the times of the days of some facts again. */
export async function refillTimes(transaction: Transaction, facts: readonly Fact[]): Promise<void> {
  const days = sql`(select scope, day from ${recordsOf(facts)})`;
  await sql`
    update request_figures
    set seconds = null
    where (scope, day) in ${days}
      and grain <> 'month'
      and seconds is not null`.execute(transaction);
  await sql`
    insert into request_figures (${figureColumns})
    select scope, grain, entry_day, 'time', entry_service, entry_agency, null,
      array_agg(seconds order by seconds), 0
    from request_facts as fact
    cross join lateral ${grains}
    where grain <> 'month'
      and seconds is not null
      and (scope, day) in ${days}
    group by scope, grain, entry_day, entry_service, entry_agency`.execute(transaction);
}

/** Deletes all figures, and what is announced for them. */
export async function deleteFigures(transaction: Transaction): Promise<void> {
  for (const table of ['figure_changes', 'request_facts', 'request_figures'])
    await sql`delete from ${sql.id(table)}`.execute(transaction);
}

export async function selectIdsAfter(
  database: Database | Transaction,
  last: number,
  maximum: number,
): Promise<number[]> {
  const rows = await database
    .selectFrom('requests')
    .select('id')
    .where('id', '>', last)
    .orderBy('id')
    .limit(maximum)
    .execute();
  return rows.map(({ id }) => id);
}

/** Where the sums are not those of the facts, one line each. */
export async function findWrongSums(database: Database): Promise<string[]> {
  const { rows } = await sql<{ problem: string }>`
    select 'figures of ' || scope || ' by ' || grain || ' on ' || day || ', ' || kind
      || ' of service ' || coalesce(service_id, 0)
      || ' and agency ' || coalesce(agency_id, 0) || ': ' || actual || ', entered ' || entered
      as problem
    from (
      select scope, grain, day, kind, service_id, agency_id, days_late,
        sum(actual) as actual, sum(entered) as entered
      from (
        select scope, grain, entry_day as day, kind, entry_service as service_id,
          entry_agency as agency_id, entry_days_late as days_late, amount as actual, 0 as entered
        from request_facts as fact
        cross join lateral ${grains}
        union all
        select scope, grain, day, kind, service_id, agency_id, days_late, 0, amount
        from request_figures
        where kind <> 'time'
        union all
        select scope, grain, entry_day, 'second ' || seconds, entry_service, entry_agency, null, 1, 0
        from request_facts as fact
        cross join lateral ${grains}
        where grain <> 'month'
          and seconds is not null
        union all
        select scope, grain, day, 'second ' || second, service_id, agency_id, null, 0, 1
        from request_figures
        cross join lateral unnest(seconds) as second
      ) as both_sides
      group by scope, grain, day, kind, service_id, agency_id, days_late
    ) as compared
    where actual <> entered`.execute(database);
  return rows.map(({ problem }) => problem);
}
