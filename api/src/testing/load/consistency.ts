import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { normalizeText } from '../../platform/core/normalize-text.ts';
import type { Database } from '../../platform/database/database.ts';

const brokenHistories = `
  select 'request ' || id || ' has ' || steps || ' lines of history in version ' || version
    || ', the last to ' || coalesce(last, 0) || ' in status ' || status_id as problem
  from (
    select id, version, status_id,
      (select count(*) from request_history where request_id = requests.id) as steps,
      (select action from request_history where request_id = requests.id order by id limit 1)
        as first,
      (select to_status_id from request_history where request_id = requests.id
        order by id desc limit 1) as last
    from requests
  ) as compared
  where steps <> version
    or first is distinct from 'create'
    or last is distinct from status_id`;

const wrongCounts = `
  select 'status ' || status_id || ' of partner ' || partner_id || ': ' || actual
    || ' requests, counted ' || counted as problem
  from (
    select status_id, partner_id, sum(actual) as actual, sum(counted) as counted
    from (
      select status_id, coalesce(partner_id, 0) as partner_id, 1 as actual, 0 as counted
      from requests
      union all
      select status_id, partner_id, 0, count
      from request_counts
    ) as both_sides
    group by status_id, partner_id
  ) as compared
  where actual <> counted`;

const wrongFigures = `
  select 'figures of ' || scope || ' by ' || grain || ' on ' || day || ', ' || kind
    || ' of service ' || coalesce(service_id, 0) || ': ' || actual || ', entered ' || entered
    as problem
  from (
    select scope, grain, day, kind, service_id, days_late,
      sum(actual) as actual, sum(entered) as entered
    from (
      select scope, grain, entry_day as day, kind, entry_service as service_id,
        entry_days_late as days_late, amount as actual, 0 as entered
      from request_facts
      cross join lateral figure_entries(day, kind, service_id, days_late)
      union all
      select scope, grain, day, kind, service_id, days_late, 0, amount
      from request_figures
      where kind <> 'time'
      union all
      select scope, 'total', day, 'second ' || second, null, null, 1, 0
      from request_facts
      cross join lateral unnest(seconds) as second
      union all
      select scope, grain, day, 'second ' || second, null, null, 0, 1
      from request_figures
      cross join lateral unnest(seconds) as second
    ) as both_sides
    group by scope, grain, day, kind, service_id, days_late
  ) as compared
  where actual <> entered`;

const missingUploads = `
  select 'attachment ' || id || ' is part of a request and was not uploaded' as problem
  from attachments
  where request_id is not null
    and uploaded_at is null`;

async function select(database: Database, query: string): Promise<string[]> {
  const { rows } = await sql.raw<{ problem: string }>(query).execute(database);
  return rows.map(({ problem }) => problem);
}

/**
 * The inconsistencies between requests, their histories, counts, figures and documents; empty when
 * there are none. `dataDir` holds the files.
 */
export async function findInconsistencies(database: Database, dataDir: string): Promise<string[]> {
  const problems: string[] = [];
  for (const query of [brokenHistories, wrongCounts, wrongFigures, missingUploads])
    problems.push(...(await select(database, query)));
  const uploaded = await database
    .selectFrom('attachments')
    .select(['id', 'size'])
    .where('uploaded_at', 'is not', null)
    .where('scan_state', '!=', 'infected')
    .execute();
  const missing = uploaded.filter(({ id, size }) => {
    const file = join(dataDir, 'files', id.slice(0, 2), id);
    return !existsSync(file) || statSync(file).size !== size;
  });
  return [...problems, ...missing.map(({ id }) => `the file of attachment ${id} is missing`)];
}

/**
 * The requests, from an id on, whose searched text is not made of their number, applicant and phone
 * number. Empty when there are none.
 */
export async function findSearchInconsistencies(database: Database, from = 0): Promise<string[]> {
  const rows = await database
    .selectFrom('requests')
    .select(['id', 'number', 'applicant_name', 'phone_number', 'search_text'])
    .where('id', '>=', from)
    .execute();
  return rows.flatMap(({ id, number, applicant_name: name, phone_number: phone, ...row }) => {
    const spellings = [number, number.replaceAll('-', ''), name, phone, phone.replace('+971', '0')];
    const expected = spellings.map((text) => normalizeText(text)).join(' ');
    return row.search_text === expected
      ? []
      : [`request ${id} is found by "${row.search_text}", not by "${expected}"`];
  });
}

/**
 * The inconsistencies in the money of requests under the demo workflow, from a request's id on:
 * total against quote and lines; charges against the history; paid amounts against bookings and the
 * provider's messages; status against the due amount; and the holder against the history. Empty
 * when there are none.
 */
export async function findMoneyInconsistencies(database: Database, from = 0): Promise<string[]> {
  const { rows } = await sql<{ problem: string }>`
    select 'request ' || id || ': ' || paid || ' of ' || total || ' paid, charged ' || charged
      || ' on lines of ' || lines || ', status ' || status_id || ', the provider confirmed '
      || confirmed || ', moved on ' || moved || ' of ' || bookings as problem
    from (
      select id, total, status_id, holder_id, (quote ->> 'total')::bigint as quoted,
        (select coalesce(sum((line ->> 'amount')::bigint + (line ->> 'vat')::bigint), 0)
          from jsonb_array_elements(quote -> 'lines') as line) as lines,
        (select coalesce(sum(charged), 0) from request_history
          where request_id = requests.id) as charged,
        (select coalesce(sum(amount), 0) from payments
          where request_id = requests.id and status = 'paid') as paid,
        (select coalesce(sum(amount), 0) from payments
          where request_id = requests.id and status = 'paid'
            and exists (
              select from payment_events
              where payment_id = payments.id
                and payment_events.kind = 'paid'
                and payment_events.amount = payments.amount
            )) as confirmed,
        (select count(*) from request_history
          where request_id = requests.id and action = 'pay') as moved,
        (select count(*) from payments
          where request_id = requests.id and status = 'paid') as bookings,
        (select actor_id from request_history
          where request_id = requests.id and action in ('receive', 'release', 'update')
          order by id desc limit 1) as last_actor,
        (select action from request_history
          where request_id = requests.id and action in ('receive', 'release', 'update')
          order by id desc limit 1) as last_action
      from requests
      where id >= ${from}
    ) as compared
    where total <> quoted
      or total <> lines
      or paid > total
      or charged > total
      or bookings <> moved
      or confirmed <> paid
      or (status_id in (2, 8) and paid >= total)
      or (status_id not in (2, 8, 10) and paid < total)
      or holder_id is distinct from (case when last_action = 'receive' then last_actor end)
  `.execute(database);
  return rows.map(({ problem }) => problem);
}
