import type { Selectable } from 'kysely';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { sql } from '#platform/database/sql.ts';
import type { PaymentEventSource, PaymentEventKind } from '@diwan/contract/payments/events';
import type { PaymentProviderName } from '@diwan/contract/payments/providers';
import type { PaymentMethod, PaymentStatus } from '@diwan/contract/requests/payments';
import type { StatusEvent } from './payment-state.ts';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'payment_events.kind': PaymentEventKind;
    'payment_events.source': PaymentEventSource;
    'payments.method': PaymentMethod;
    'payments.provider': PaymentProviderName;
    'payments.status': PaymentStatus;
  }
}

export type PaymentRow = Selectable<Tables['payments']>;

/** An event to append. `amount` in fils. */
export interface NewEvent extends StatusEvent {
  id: string;
  occurredAt: string;
  source: PaymentEventSource;
  note?: string;
}

/**
 * The open, held or paid payment of a request in this round; without a round, of the latest round that
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
    .where('status', 'in', ['pending', 'paid', 'held'])
    .$if(round !== undefined, (query) => query.where('round', '=', round ?? 0))
    .orderBy('round', 'desc')
    .executeTakeFirst();
}

/** What became of the open payment of a request, else of the latest. */
export async function findLastStatus(
  database: Database,
  requestId: number,
): Promise<PaymentStatus | undefined> {
  const row = await database
    .selectFrom('payments')
    .select('status')
    .where('request_id', '=', requestId)
    .orderBy(sql`status in ('pending', 'held')`, 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return row?.status;
}

/**
 * Stores a pending payment; `undefined` when the round already has an open or paid one, for example
 * because two tabs began to pay at the same time.
 */
export function insertPending(
  transaction: Transaction,
  row: {
    request_id: number;
    round: number;
    merchant_reference: string;
    amount: number;
    currency: string;
    provider: PaymentProviderName;
    method: PaymentMethod;
    expires_at: Date;
  },
): Promise<PaymentRow | undefined> {
  return transaction
    .insertInto('payments')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

/**
 * Stores the page of a payment, which may be sent to a visitor from then on. The first page counts, and
 * a payment that was closed in the meantime takes none; `undefined` then.
 */
export async function storePage(
  database: Database,
  id: number,
  page: { paymentUrl: string; providerReference: string | null },
): Promise<string | undefined> {
  const row = await database
    .updateTable('payments')
    .set((column) => ({
      payment_url: column.fn.coalesce('payment_url', sql<string>`${page.paymentUrl}`),
      provider_reference: sql`
        case when payment_url is null then ${page.providerReference} else provider_reference end`,
    }))
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .returning('payment_url')
    .executeTakeFirst();
  return row?.payment_url ?? undefined;
}

/** Stores the new address of the page of a payment that is open. */
export async function movePage(database: Database, id: number, paymentUrl: string): Promise<void> {
  await database
    .updateTable('payments')
    .set({ payment_url: paymentUrl })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where('payment_url', 'is not', null)
    .execute();
}

/**
 * Closes a payment whose page nobody knows, so that nobody can pay it. False when another process
 * stored the page in the meantime.
 */
export async function closeUnanswered(transaction: Transaction, id: number): Promise<boolean> {
  const row = await transaction
    .updateTable('payments')
    .set({ status: 'cancelled', is_cancel_wanted: true })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    // guard: page of a payment that was closed (payment-safety)
    .where('payment_url', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** A payment of the request about whose amount an admin decides. */
export function findPaymentUnderReview(
  transaction: Transaction,
  requestId: number,
): Promise<{ id: number } | undefined> {
  return transaction
    .selectFrom('payments')
    .select('id')
    .where('request_id', '=', requestId)
    .where('status', '=', 'held')
    .executeTakeFirst();
}

/** The provider confirmed that nothing can be charged any more. */
export async function confirmCancelled(database: Database, id: number): Promise<void> {
  await database
    .updateTable('payments')
    .set({ is_cancel_wanted: false })
    .where('id', '=', id)
    .execute();
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

export function findPaymentById(
  database: Database | Transaction,
  id: number,
): Promise<PaymentRow | undefined> {
  return database.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The name of the user who asked for a refund. */
export async function findUserName(
  transaction: Transaction,
  id: string,
): Promise<string | undefined> {
  const row = await transaction
    .selectFrom('users')
    .select('full_name')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.full_name;
}

/** Counts a payment as paid with the amount that an admin accepted, in fils. */
export async function acceptAmount(
  transaction: Transaction,
  id: number,
  amount: number,
): Promise<void> {
  await transaction
    .updateTable('payments')
    .set({ amount, status: 'paid' })
    .where('id', '=', id)
    .execute();
}

/**
 * Locks a payment without its key: rows that refer to it, such as the message of the provider, are
 * inserted before the request is locked, and must not wait for a return that has locked both.
 */
export function lockPayment(
  transaction: Transaction,
  merchantReference: string,
): Promise<PaymentRow | undefined> {
  return transaction
    .selectFrom('payments')
    .selectAll()
    .where('merchant_reference', '=', merchantReference)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Appends events and ignores known ones. Returns the new ones. */
export async function appendEvents(
  transaction: Transaction,
  paymentId: number,
  events: readonly NewEvent[],
): Promise<NewEvent[]> {
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
        source: event.source,
        note: event.note ?? '',
      })),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .execute();
  const added = new Set(rows.map(({ id }) => id));
  // The same event twice in one list is one event.
  return events.filter(({ id }) => added.delete(id));
}

export function selectEvents(transaction: Transaction, paymentId: number): Promise<StatusEvent[]> {
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

/**
 * Cancels every other open payment of a request, because its amount is no longer due. The provider
 * is notified later.
 */
export async function cancelOtherPayments(
  transaction: Transaction,
  requestId: number,
  id: number,
): Promise<void> {
  await transaction
    .updateTable('payments')
    .set({ status: 'cancelled', is_cancel_wanted: true })
    .where('request_id', '=', requestId)
    .where('id', '!=', id)
    .where('status', '=', 'pending')
    .execute();
}

/**
 * References of the payments about which the provider must be asked now; each is claimed by one
 * process. Pending payments are checked less often the older they are. Declined and cancelled ones
 * are checked for two hours, because the provider's page may still be open in a browser tab. Those
 * that are paid, held or returned are checked once more after ten minutes: the message about a second
 * charge may have been lost.
 */
export async function claimPaymentsToCheck(
  database: Database,
  everySeconds: number,
): Promise<string[]> {
  const rows = await sql<{ merchant_reference: string }>`
    with open_ones as (
      select id
      from payments
      where (
          status = 'pending'
          or is_cancel_wanted
          or (
            status in ('declined', 'cancelled', 'expired')
            and created_at > now() - interval '2 hours'
          )
        )
        and checked_at
          < now() - greatest(${everySeconds} * interval '1 second', (now() - created_at) / 10)
      order by checked_at
      limit 20
      for update skip locked
    ),
    second_look as (
      select id
      from payments
      where status in ('paid', 'held', 'returned')
        and checked_at - created_at < interval '10 minutes'
        and created_at between now() - interval '1 day' and now() - interval '10 minutes'
        and payment_url is not null
      order by created_at
      limit 20
      for update skip locked
    )
    update payments
    set checked_at = now()
    where id in (select id from open_ones union all select id from second_look)
    returning merchant_reference`.execute(database);
  return rows.rows.map((row) => row.merchant_reference);
}
