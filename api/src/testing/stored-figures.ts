import type { Database } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';

/** The stored figures of reports: sums that are not zero, and the times of each day. */
export async function readFigures(database: Database): Promise<string[]> {
  const { rows } = await sql<{ figure: string }>`
    select concat_ws(' ', scope, grain, day, kind, service_id, days_late, sum(amount)) as figure
    from request_figures
    where kind <> 'time'
    group by scope, grain, day, kind, service_id, days_late
    having sum(amount) <> 0
    union all
    select concat_ws(' ', scope, grain, day, service_id, array_agg(second order by second))
    from request_figures
    cross join lateral unnest(seconds) as second
    group by scope, grain, day, service_id
    order by 1`.execute(database);
  return rows.map(({ figure }) => figure);
}
