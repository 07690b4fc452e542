import type { Database } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';

/**
 * How many connections to a database wait for a lock. In a transaction PostgreSQL would answer the
 * same each time.
 */
export async function countLockWaits(database: Database): Promise<number> {
  const { rows } = await sql`
    select
    from pg_stat_activity
    where datname = current_database()
      and wait_event_type = 'Lock'`.execute(database);
  return rows.length;
}
