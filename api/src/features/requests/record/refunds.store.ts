import type { Selectable } from 'kysely';
import type { Database, Transaction } from '../../../platform/database/database.ts';
import type { Tables } from '../../../platform/database/database-types.ts';

export type RefundRow = Selectable<Tables['request_refunds']>;

export function selectRefunds(
  database: Database | Transaction,
  requestId: number,
): Promise<RefundRow[]> {
  return database
    .selectFrom('request_refunds')
    .selectAll()
    .where('request_id', '=', requestId)
    .orderBy('id')
    .execute();
}

/** The caller holds the lock of the request and has seen that there is none of this reference. */
export async function insertRefund(
  transaction: Transaction,
  row: Omit<RefundRow, 'id' | 'at'> & { at: Date },
): Promise<void> {
  await transaction.insertInto('request_refunds').values(row).execute();
}
