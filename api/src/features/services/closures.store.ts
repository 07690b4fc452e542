import type { Database, Transaction } from '#platform/database/database.ts';
import type { LocalizedText } from '@diwan/contract/wire/languages';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'service_closures.reason': LocalizedText;
  }
}

export interface ClosureRow {
  service_id: number;
  reason: LocalizedText;
  closed_from: Date;
  closed_until: Date | null;
  opened_at: Date | null;
  version: number;
}

const columns = [
  'service_id',
  'reason',
  'closed_from',
  'closed_until',
  'opened_at',
  'version',
] as const;

/** Closures that have not ended, in the order in which they begin. */
export async function selectClosures(database: Database, now: Date): Promise<ClosureRow[]> {
  return database
    .selectFrom('service_closures')
    .select(columns)
    .where('opened_at', 'is', null)
    .where((or) => or.or([or('closed_until', 'is', null), or('closed_until', '>', now)]))
    .orderBy('closed_from')
    .orderBy('service_id')
    .execute();
}

/** Locks the service and reads its last closure, also one that has ended. */
export async function lockClosure(
  transaction: Transaction,
  serviceId: number,
): Promise<ClosureRow | undefined> {
  await transaction
    .selectFrom('services')
    .select('id')
    .where('id', '=', serviceId)
    .forUpdate()
    .execute();
  return transaction
    .selectFrom('service_closures')
    .select(columns)
    .where('service_id', '=', serviceId)
    .executeTakeFirst();
}

/** Stores the closure of a locked service as its next version. */
export async function storeClosure(
  transaction: Transaction,
  serviceId: number,
  {
    reason,
    closed_from,
    closed_until,
  }: Pick<ClosureRow, 'reason' | 'closed_from' | 'closed_until'>,
): Promise<ClosureRow> {
  const values = { reason: JSON.stringify(reason), closed_from, closed_until };
  return transaction
    .insertInto('service_closures')
    .values({ service_id: serviceId, ...values })
    .onConflict((conflict) =>
      conflict.column('service_id').doUpdateSet((row) => ({
        ...values,
        opened_at: null,
        version: row('service_closures.version', '+', 1),
      })),
    )
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** Ends the closure of a locked service. */
export async function endClosure(
  transaction: Transaction,
  serviceId: number,
  at: Date,
): Promise<void> {
  await transaction
    .updateTable('service_closures')
    .set((row) => ({ opened_at: at, version: row('version', '+', 1) }))
    .where('service_id', '=', serviceId)
    .execute();
}
