import { sql, type Selectable } from 'kysely';
import type { PaymentStatus } from '@diwan/contract/requests/payments';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/database-types.ts';
import type { ProviderEvent } from '../../platform/integrations/payment-provider.ts';

export type PaymentRow = Selectable<Tables['payments']>;

/**
 * The payment of a request that is open or paid, of this round; without one, of the latest that has
 * any.
 */
export function findAlive(
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
 * A pending payment; `undefined` when another one of the round is alive, whoever made it a moment
 * ago.
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

/**
 * Appends what the provider said; what was said before is left as it is. Answers the ids of what is
 * new.
 */
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

export async function selectEvents(
  transaction: Transaction,
  paymentId: number,
): Promise<Pick<ProviderEvent, 'kind' | 'amount' | 'currency'>[]> {
  const rows = await transaction
    .selectFrom('payment_events')
    .select(['kind', 'amount', 'currency'])
    .where('payment_id', '=', paymentId)
    .orderBy('occurred_at')
    .orderBy('id')
    .execute();
  return rows as Pick<ProviderEvent, 'kind' | 'amount' | 'currency'>[];
}

export async function setStatus(
  transaction: Transaction,
  id: number,
  status: PaymentStatus,
): Promise<void> {
  await transaction.updateTable('payments').set({ status }).where('id', '=', id).execute();
}

/** Closes every other open payment of a request: what it was over is not due any more. */
export async function closeOthers(
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
 * Payments that are due to be asked about, each taken by one process: pending ones, the older the
 * rarer, and for two hours those that were closed without money. The page of the provider
 * may still be open in some tab, and whoever pays there and never comes back has paid.
 */
export async function takeDue(database: Database, everySeconds: number): Promise<string[]> {
  const rows = await sql<{ merchant_reference: string }>`
    update payments set checked_at = now() where id in (
      select id from payments where (status = 'pending' or (status in ('declined', 'cancelled') and created_at > now() - interval '2 hours')) and checked_at < now() - greatest(${everySeconds} * interval '1 second', (now() - created_at) / 10)
      order by checked_at limit 20 for update skip locked
    ) returning merchant_reference`.execute(database);
  return rows.rows.map((row) => row.merchant_reference);
}
