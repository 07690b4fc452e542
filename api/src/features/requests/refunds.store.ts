import type { Selectable } from 'kysely';
import type { Database, Transaction } from '../../platform/database.ts';
import type { Tables } from '../../platform/database-types.ts';

export type RefundRow = Selectable<Tables['request_refunds']>;

export function selectRefunds(database: Database | Transaction, requestId: number): Promise<RefundRow[]> {
  return database.selectFrom('request_refunds').selectAll().where('request_id', '=', requestId).orderBy('id').execute();
}

/** False when it is written down already under this reference. */
export async function insertRefund(transaction: Transaction, row: Omit<RefundRow, 'id' | 'at'> & { at: Date }): Promise<boolean> {
  const inserted = await transaction.insertInto('request_refunds').values(row).onConflict((conflict) => conflict.columns(['request_id', 'reference']).doNothing()).returning('id').executeTakeFirst();
  return inserted !== undefined;
}
