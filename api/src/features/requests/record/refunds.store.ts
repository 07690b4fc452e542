import type { Selectable } from 'kysely';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { sql } from '#platform/database/sql.ts';

type RefundRow = Selectable<Tables['request_refunds']>;

export function selectRefunds(
  database: Database | Transaction,
  requestId: number,
): Promise<(RefundRow & { expected_by: string | null })[]> {
  return database
    .selectFrom('request_refunds as recorded')
    .leftJoin('refunds', (join) =>
      join
        .onRef('refunds.request_id', '=', 'recorded.request_id')
        .onRef('refunds.provider_refund_id', '=', 'recorded.reference'),
    )
    .selectAll('recorded')
    .select('refunds.expected_by')
    .where('recorded.request_id', '=', requestId)
    .orderBy('recorded.id')
    .execute();
}

/** The transaction must hold the lock of the request, and no refund may have this reference. */
export async function insertRefund(
  transaction: Transaction,
  row: Omit<RefundRow, 'id' | 'at'> & { at: Date },
): Promise<void> {
  await transaction.insertInto('request_refunds').values(row).execute();
}

/** The refunds of a request that have not ended, and those of them that wait, in fils. */
export function sumStartedRefunds(
  database: Database | Transaction,
  requestId: number,
): Promise<{ started: number; waiting: number }> {
  return database
    .selectFrom('refunds')
    .select([
      sql<number>`coalesce(sum(amount), 0)::bigint`.as('started'),
      sql<number>`coalesce(sum(amount) filter (where state = 'waiting'), 0)::bigint`.as('waiting'),
    ])
    .where('request_id', '=', requestId)
    .where('reason', '!=', 'unexpectedAmount')
    .where('state', 'in', ['waiting', 'ready', 'sent'])
    .executeTakeFirstOrThrow();
}
