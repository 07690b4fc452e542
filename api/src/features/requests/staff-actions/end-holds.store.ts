import type { Database } from '#platform/database/database.ts';

/** The requests on hold until this day or an earlier one. */
export async function selectDueHolds(database: Database, today: string): Promise<number[]> {
  const rows = await database
    .selectFrom('requests')
    .select('id')
    .where('hold_until', '<=', today)
    .orderBy('hold_until')
    .orderBy('id')
    .limit(500)
    .execute();
  return rows.map(({ id }) => id);
}
