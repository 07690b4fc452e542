import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';

async function select(database: Database, question: string): Promise<string[]> {
  const { rows } = await sql.raw<{ fault: string }>(question).execute(database);
  return rows.map(({ fault }) => fault);
}

/**
 * What of requests, their histories, their counts, their figures and their documents does not fit
 * together; empty when all does.
 */
export async function findFaults(database: Database, dataDir: string): Promise<string[]> {
  const histories = await select(
    database,
    `
    select 'request ' || id || ' has ' || steps || ' lines of history in version ' || version || ', the last to ' || coalesce(last, 0) || ' in status ' || status_id as fault from (
      select id, version, status_id, (select count(*) from request_history where request_id = requests.id) as steps,
        (select action from request_history where request_id = requests.id order by id limit 1) as first,
        (select to_status_id from request_history where request_id = requests.id order by id desc limit 1) as last from requests
    ) as told where steps <> version or first is distinct from 'create' or last is distinct from status_id`,
  );
  const counts = await select(
    database,
    `
    select 'status ' || status_id || ' of partner ' || partner_id || ': ' || there || ' requests, counted ' || counted as fault from (
      select status_id, partner_id, sum(there) as there, sum(counted) as counted from (
        select status_id, coalesce(partner_id, 0) as partner_id, 1 as there, 0 as counted from requests
        union all select status_id, partner_id, 0, count from request_counts
      ) as both_sides group by status_id, partner_id
    ) as compared where there <> counted`,
  );
  // Everything that is written down for dashboards, beside what the rows say.
  const figures = await select(
    database,
    `
    select 'figures of ' || scope || ' by ' || grain || ' on ' || day || ', ' || kind || ' of service ' || coalesce(service_id, 0) || ': ' || there || ', entered ' || entered as fault from (
      select scope, grain, day, kind, service_id, working_days, sum(there) as there, sum(entered) as entered from (
        select scope, grain, entry_day as day, kind, entry_service as service_id, entry_working_days as working_days, amount as there, 0 as entered from request_facts cross join lateral figure_entries(day, kind, service_id, working_days)
        union all select scope, grain, day, kind, service_id, working_days, 0, amount from request_figures where kind <> 'time'
        union all select scope, 'total', day, 'second ' || second, null, null, 1, 0 from request_facts cross join lateral unnest(seconds) as second
        union all select scope, grain, day, 'second ' || second, null, null, 0, 1 from request_figures cross join lateral unnest(seconds) as second
      ) as both_sides group by scope, grain, day, kind, service_id, working_days
    ) as compared where there <> entered`,
  );
  const claimed = await select(
    database,
    `select 'attachment ' || id || ' is claimed and not there' as fault from attachments where request_id is not null and uploaded_at is null`,
  );
  const uploaded = await database
    .selectFrom('attachments')
    .select(['id', 'size'])
    .where('uploaded_at', 'is not', null)
    .where('scan_state', '!=', 'infected')
    .execute();
  const files = uploaded.filter(({ id, size }) => {
    const file = join(dataDir, 'files', id.slice(0, 2), id);
    return !existsSync(file) || statSync(file).size !== size;
  });
  return [
    ...histories,
    ...counts,
    ...figures,
    ...claimed,
    ...files.map(({ id }) => `the file of attachment ${id} is missing`),
  ];
}
