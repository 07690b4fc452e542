import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';

/**
 * What a promise stands on: how many working days the service says, and since when the request is
 * complete and paid.
 */
export interface PromiseRow {
  id: number;
  working_days: number;
  begun_at: Date;
}

/** For each of these requests: the last time that it was sent, paid or mended. */
export async function selectPromises(
  database: Database,
  ids: readonly number[],
): Promise<PromiseRow[]> {
  if (ids.length === 0) return [];
  return database
    .selectFrom('requests')
    .innerJoin('services', 'services.id', 'requests.service_id')
    .innerJoin('request_history', 'request_history.request_id', 'requests.id')
    .select([
      'requests.id',
      'services.working_days',
      sql<Date>`max(request_history.at)`.as('begun_at'),
    ])
    .where('requests.id', 'in', ids)
    .where('request_history.action', 'in', ['create', 'pay', 'update'])
    .groupBy(['requests.id', 'services.working_days'])
    .execute();
}
