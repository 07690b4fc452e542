import { sql, type Selectable } from 'kysely';
import type { PaymentStatus } from '@diwan/contract/requests/payments';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/schema.generated.ts';
import type { ProviderEvent } from '../../platform/integrations/payment-provider.ts';

export type PaymentRow = Selectable<Tables['payments']>;

/**
 * The open or paid payment of a request in this round; without a round, of the latest round that
 * has one.
 */
export function findOpenOrPaid(
  database: Database | Transaction,
  requestId: number,
  round?: number,
): Promise<PaymentRow | undefined> {
  return database
    .selectFrom('payments')
    .selectAll()
    .where('request_id', '=', requestId)
    .where('status', 'in', ['pending', 'paid'])
    .$if(round !== undefined, (query) => query.where('round', '=', round ?? 0))
    .orderBy('round', 'desc')
    .executeTakeFirst();
}

/**
 * Stores a pending payment; `undefined` when the round already has an open or paid one, for example
 * because two tabs began to pay at once.
 */
export function insertPending(
  transaction: Transaction,
  row: {
    request_id: number;
    round: number;
    merchant_reference: string;
    amount: number;
    currency: string;
  },
): Promise<PaymentRow | undefined> {
  return transaction
    .insertInto('payments')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

export async function setPaymentUrl(database: Database, id: number, url: string): Promise<void> {
  await database.updateTable('payments').set({ payment_url: url }).where('id', '=', id).execute();
}

export function findPayment(
  database: Database,
  merchantReference: string,
): Promise<PaymentRow | undefined> {
  return database
    .selectFrom('payments')
    .selectAll()
    .where('merchant_reference', '=', merchantReference)
    .executeTakeFirst();
}

export function lockPayment(
  transaction: Transaction,
  merchantReference: string,
): Promise<PaymentRow | undefined> {
  return transaction
    .selectFrom('payments')
    .selectAll()
    .where('merchant_reference', '=', merchantReference)
    .forUpdate()
    .executeTakeFirst();
}

/** Appends messages of the provider and ignores known ones. Returns the ids of the new ones. */
export async function appendEvents(
  transaction: Transaction,
  paymentId: number,
  events: readonly ProviderEvent[],
): Promise<string[]> {
  if (events.length === 0) return [];
  const rows = await transaction
    .insertInto('payment_events')
    .values(
      events.map((event) => ({
        id: event.id,
        payment_id: paymentId,
        kind: event.kind,
        amount: event.amount,
        currency: event.currency,
        occurred_at: new Date(event.occurredAt),
      })),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

export function selectEvents(
  transaction: Transaction,
  paymentId: number,
): Promise<Pick<ProviderEvent, 'kind' | 'amount' | 'currency'>[]> {
  return transaction
    .selectFrom('payment_events')
    .select(['kind', 'amount', 'currency'])
    .where('payment_id', '=', paymentId)
    .orderBy('occurred_at')
    .orderBy('id')
    .execute();
}

export async function setStatus(
  transaction: Transaction,
  id: number,
  status: PaymentStatus,
): Promise<void> {
  await transaction.updateTable('payments').set({ status }).where('id', '=', id).execute();
}

/** Cancels every other open payment of a request, because its amount is no longer due. */
export async function cancelOtherPayments(
  transaction: Transaction,
  requestId: number,
  id: number,
): Promise<void> {
  await transaction
    .updateTable('payments')
    .set({ status: 'cancelled' })
    .where('request_id', '=', requestId)
    .where('id', '!=', id)
    .where('status', '=', 'pending')
    .execute();
}

/**
 * References of the payments about which the provider must be asked now; each is claimed by one
 * process. Pending payments are checked less often the older they are. Declined and cancelled ones
 * are checked for two hours, because the provider's page may still be open in a browser tab.
 */
export async function claimPaymentsToCheck(
  database: Database,
  everySeconds: number,
): Promise<string[]> {
  const rows = await sql<{ merchant_reference: string }>`
    update payments
    set checked_at = now()
    where id in (
      select id
      from payments
      where (
          status = 'pending'
          or (status in ('declined', 'cancelled') and created_at > now() - interval '2 hours')
        )
        and checked_at
          < now() - greatest(${everySeconds} * interval '1 second', (now() - created_at) / 10)
      order by checked_at
      limit 20
      for update skip locked
    )
    returning merchant_reference`.execute(database);
  return rows.rows.map((row) => row.merchant_reference);
}
