import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findRequestProblems } from '#commands/find-integrity-problems.ts';
import { normalizeText } from '#platform/core/normalize-text.ts';
import type { Database } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';

/**
 * The inconsistencies between requests, their histories, counts, figures and documents; empty when
 * there are none. `dataDir` holds the files.
 */
export async function findInconsistencies(database: Database, dataDir: string): Promise<string[]> {
  const problems = await findRequestProblems(database);
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
      or (status_id not in (2, 8, 10, 12, 15) and paid < total)
      or holder_id is distinct from (case when last_action = 'receive' then last_actor end)
  `.execute(database);
  return rows.map(({ problem }) => problem);
}
