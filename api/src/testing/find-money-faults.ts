import { sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';

/**
 * What of the money of requests under the demo workflow does not add up: total, quote and lines;
 * what history says was charged; what is paid, booked and said by
 * the provider; whether just those wait that owe; and whether whoever received a request last holds
 * it. Empty when all does. From a request's id on.
 */
export async function findMoneyFaults(database: Database, from = 0): Promise<string[]> {
  const { rows } = await sql<{ fault: string }>`
    select 'request ' || id || ': ' || paid || ' of ' || total || ' paid, charged ' || charged || ' on lines of ' || lines || ', status ' || status_id || ', the provider said ' || said || ', moved on ' || moved || ' of ' || bookings as fault from (
      select id, total, status_id, holder_id, (quote ->> 'total')::bigint as quoted,
        (select coalesce(sum((line ->> 'amount')::bigint + (line ->> 'vat')::bigint), 0) from jsonb_array_elements(quote -> 'lines') as line) as lines,
        (select coalesce(sum(charged), 0) from request_history where request_id = requests.id) as charged,
        (select coalesce(sum(amount), 0) from payments where request_id = requests.id and status = 'paid') as paid,
        (select coalesce(sum(amount), 0) from payments where request_id = requests.id and status = 'paid'
          and exists (select from payment_events where payment_id = payments.id and payment_events.kind = 'paid' and payment_events.amount = payments.amount)) as said,
        (select count(*) from request_history where request_id = requests.id and action = 'pay') as moved, (select count(*) from payments where request_id = requests.id and status = 'paid') as bookings,
        (select actor_id from request_history where request_id = requests.id and action in ('receive', 'release', 'update') order by id desc limit 1) as last_hand,
        (select action from request_history where request_id = requests.id and action in ('receive', 'release', 'update') order by id desc limit 1) as last_grip
      from requests where id >= ${from}
    ) as told
    where total <> quoted or total <> lines or paid > total or charged > total or bookings <> moved or said <> paid or (status_id in (2, 8) and paid >= total) or (status_id not in (2, 8, 10) and paid < total)
      or holder_id is distinct from (case when last_grip = 'receive' then last_hand end)`.execute(
    database,
  );
  return rows.map(({ fault }) => fault);
}
