import type { Database, Transaction } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import type { ListedCharge } from '#platform/integrations/payment-provider.ts';
import type { PaymentProviderName } from '@diwan/contract/payments/providers';

/** A restore about which the payment providers are still asked. */
interface OpenRestore {
  id: number;
  restored_to: Date;
  marked_at: Date;
}

/** The oldest restore that is not reconciled. */
export function findOpenRestore(database: Database): Promise<OpenRestore | undefined> {
  return database
    .selectFrom('restores')
    .select(['id', 'restored_to', 'marked_at'])
    .where('reconciled_at', 'is', null)
    .orderBy('id')
    .executeTakeFirst();
}

/** Ends the reconciliation of a restore; false where another process did. */
export async function endRestore(database: Database, id: number): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('restores')
    .set({ reconciled_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('reconciled_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * The next payments after an id, of these providers, about which they were not asked since the restore:
 * those that may have changed in the time that was lost.
 */
export function selectUnasked(
  database: Database,
  { restored_to: restoredTo, marked_at: markedAt }: OpenRestore,
  { providers, after }: { providers: readonly PaymentProviderName[]; after: number },
) {
  return database
    .selectFrom('payments')
    .select(['id', 'merchant_reference'])
    .where('id', '>', after)
    .where('provider', 'in', providers)
    .where('checked_at', '<', markedAt)
    .where(({ or, eb }) =>
      or([
        eb('status', '=', 'pending'),
        eb('is_cancel_wanted', '=', true),
        eb('created_at', '>', sql<Date>`${restoredTo}::timestamptz - interval '7 days'`),
      ]),
    )
    .orderBy('id')
    .limit(200)
    .execute();
}

/** Stores that the provider was asked about a payment. */
export async function markAsked(database: Database, id: number): Promise<void> {
  await database
    .updateTable('payments')
    .set({ checked_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

/** The request of a merchant reference, which begins with the number of its request. */
export async function findRequestOf(
  transaction: Transaction,
  merchantReference: string,
): Promise<number | undefined> {
  const number = /^(DW\d\d-\d{5}-\d{5})-[\da-f]{8}$/.exec(merchantReference)?.[1];
  if (number === undefined) return undefined;
  const row = await transaction
    .selectFrom('requests')
    .select('id')
    .where('number', '=', number)
    .executeTakeFirst();
  return row?.id;
}

/**
 * Closes a payment whose page nobody knew at the time of the restore, and which was opened and charged
 * after it: the provider is asked about it from then on.
 */
export async function nameUnanswered(
  database: Database,
  id: number,
  providerReference: string | null,
): Promise<void> {
  await database
    .updateTable('payments')
    .set({ status: 'expired', provider_reference: providerReference })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where('payment_url', 'is', null)
    .execute();
}

/**
 * Stores a payment that only its provider knows, as one that has ended: what the provider tells about
 * it decides.
 */
export async function insertFound(
  transaction: Transaction,
  provider: PaymentProviderName,
  charge: ListedCharge,
  { requestId, round }: { requestId: number; round: number },
): Promise<void> {
  await transaction
    .insertInto('payments')
    .values({
      request_id: requestId,
      round,
      merchant_reference: charge.merchantReference,
      provider,
      provider_reference: charge.providerReference,
      amount: charge.amount,
      currency: charge.currency,
      status: 'expired',
      expires_at: sql<Date>`now()`,
    })
    .onConflict((conflict) => conflict.column('merchant_reference').doNothing())
    .execute();
}
