import type { Insertable, Selectable } from 'kysely';
import type { Transaction } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import type { CaseDecision, PaymentCaseKind } from '@diwan/contract/payments/events';
import type { PaymentProviderName } from '@diwan/contract/payments/providers';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'payment_cases.decision': CaseDecision;
    'payment_cases.kind': PaymentCaseKind;
    'payment_cases.provider': PaymentProviderName;
  }
}

export type CaseRow = Selectable<Tables['payment_cases']>;

/** Opens a case, once for each cause. */
export async function insertCase(
  transaction: Transaction,
  row: Insertable<Tables['payment_cases']>,
): Promise<void> {
  await transaction
    .insertInto('payment_cases')
    .values(row)
    .onConflict((conflict) => conflict.columns(['kind', 'cause']).doNothing())
    .execute();
}

export function findCase(transaction: Transaction, id: number): Promise<CaseRow | undefined> {
  return transaction
    .selectFrom('payment_cases')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
}

export function lockCase(transaction: Transaction, id: number): Promise<CaseRow | undefined> {
  return transaction
    .selectFrom('payment_cases')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** Ends a case. The transaction holds its lock. */
export async function updateCase(
  transaction: Transaction,
  id: number,
  row: Pick<CaseRow, 'decision' | 'note' | 'decided_by' | 'decided_at' | 'version'>,
): Promise<void> {
  await transaction.updateTable('payment_cases').set(row).where('id', '=', id).execute();
}
