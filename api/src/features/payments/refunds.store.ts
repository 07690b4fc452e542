import { randomUUID } from 'node:crypto';
import type { Selectable, Updateable } from 'kysely';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { sql } from '#platform/database/sql.ts';
import type { ProviderRefund } from '#platform/integrations/payment-provider.ts';
import type { RefundReason, RefundState } from '@diwan/contract/payments/events';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'refunds.reason': RefundReason;
    'refunds.state': RefundState;
  }
}

export type RefundRow = Selectable<Tables['refunds']>;

interface NewRefund {
  amount: number;
  reason: RefundReason;
  currency?: string;
  requestedBy?: string;
  /** The admin who decided that it goes back, where nobody asked for it. */
  decidedBy?: string;
  note?: string;
  /** Whether a second person must confirm it. */
  isWaiting?: boolean;
}

/**
 * Stores a refund of a payment; a job sends it. The database refuses more than was received. The
 * transaction holds the lock of the request.
 */
export function startRefund(
  transaction: Transaction,
  payment: Pick<Selectable<Tables['payments']>, 'id' | 'request_id' | 'currency'>,
  refund: NewRefund,
): Promise<RefundRow> {
  return transaction
    .insertInto('refunds')
    .values({
      payment_id: payment.id,
      request_id: payment.request_id,
      amount: refund.amount,
      currency: refund.currency ?? payment.currency,
      reason: refund.reason,
      state: refund.isWaiting ? 'waiting' : 'ready',
      idempotency_key: `refund-${randomUUID()}`,
      requested_by: refund.requestedBy ?? null,
      decided_by: refund.decidedBy ?? null,
      note: refund.note ?? '',
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function lockRefund(transaction: Transaction, id: number): Promise<RefundRow | undefined> {
  return transaction
    .selectFrom('refunds')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** The request of a refund. */
export async function findRequestOfRefund(
  transaction: Transaction,
  id: number,
): Promise<number | undefined> {
  const row = await transaction
    .selectFrom('refunds')
    .select('request_id')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.request_id;
}

export async function updateRefund(
  transaction: Transaction,
  id: number,
  row: Updateable<Tables['refunds']>,
): Promise<void> {
  await transaction
    .updateTable('refunds')
    .set({ ...row, version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
}

/**
 * Marks one refund as sent, for one process, before the provider is called: from then on its outcome
 * is unknown until the provider answers, and only the same key is sent again. One refund of a payment
 * is with the provider at a time.
 */
export async function claimRefund(database: Database): Promise<RefundRow | undefined> {
  const { rows } = await sql<RefundRow>`
    update refunds
    set state = 'sent',
      attempts = attempts + 1,
      next_attempt_at = now() + least(3600, 10 * 2 ^ least(attempts, 9)) * interval '1 second'
    where id = (
      select id
      from refunds as candidate
      where state in ('ready', 'sent')
        and next_attempt_at <= now()
        and (
          state = 'sent'
          or not exists (
            select
            from refunds as other
            where other.payment_id = candidate.payment_id
              and (
                other.state = 'sent'
                or (other.state = 'ready' and other.id < candidate.id)
              )
          )
        )
      order by next_attempt_at
      limit 1
      for update skip locked
    )
    returning *`.execute(database);
  return rows[0];
}

/** What the payments of a request can still give back, the newest first, in fils. */
export async function selectRefundablePayments(
  transaction: Transaction,
  requestId: number,
): Promise<{ id: number; request_id: number; currency: string; left: number }[]> {
  const { rows } = await sql<{ id: number; request_id: number; currency: string; left: number }>`
    select *
    from (
      select payments.id, payments.request_id, payments.currency,
        (
          select coalesce(sum(amount), 0)
          from payment_events
          where payment_id = payments.id
            and kind = 'paid'
            and currency = payments.currency
        )::bigint - (
          select coalesce(sum(amount), 0)
          from refunds
          where payment_id = payments.id
            and currency = payments.currency
            and state not in ('refused', 'withdrawn')
        )::bigint as left
      from payments
      where request_id = ${requestId}
        and status in ('paid', 'returned')
    ) as balances
    where "left" > 0
    order by id desc`.execute(transaction);
  return rows;
}

/** What the provider charged for a payment in its currency, in fils. */
export async function sumReceived(
  transaction: Transaction,
  { id, currency }: Pick<Selectable<Tables['payments']>, 'id' | 'currency'>,
): Promise<number> {
  const { sum } = await transaction
    .selectFrom('payment_events')
    .select(sql<number>`coalesce(sum(amount), 0)::bigint`.as('sum'))
    .where('payment_id', '=', id)
    .where('kind', '=', 'paid')
    .where('currency', '=', currency)
    .executeTakeFirstOrThrow();
  return sum;
}

/** Locks all refunds of a payment, in their order. */
export function lockRefundsOf(transaction: Transaction, paymentId: number): Promise<RefundRow[]> {
  return transaction
    .selectFrom('refunds')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Stores a refund that somebody made at the provider. */
export async function insertRefundElsewhere(
  transaction: Transaction,
  payment: Pick<Selectable<Tables['payments']>, 'id' | 'request_id'>,
  made: ProviderRefund,
): Promise<void> {
  await transaction
    .insertInto('refunds')
    .values({
      payment_id: payment.id,
      request_id: payment.request_id,
      amount: made.amount,
      currency: made.currency,
      reason: 'madeElsewhere',
      state: 'succeeded',
      idempotency_key: `elsewhere:${payment.id}:${made.id}`,
      provider_refund_id: made.id,
      finished_at: new Date(made.madeAt),
    })
    .execute();
}

/**
 * Stores which refunds of the payment existed before this one is sent. False: the refund was withdrawn
 * meanwhile, because one of them takes its amount.
 */
export async function storeEarlierRefunds(
  database: Database,
  id: number,
  earlier: readonly string[],
): Promise<boolean> {
  const row = await database
    .updateTable('refunds')
    .set({ earlier_refunds: [...earlier] })
    .where('id', '=', id)
    .where('state', '=', 'sent')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The next attempt of a refund that waits for an admin. */
const never = sql<Date>`'infinity'::timestamptz`;

/** Keeps a refund from being sent until an admin decides. */
export async function stopSending(transaction: Transaction, id: number): Promise<void> {
  await transaction
    .updateTable('refunds')
    .set({ next_attempt_at: never, version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
}

/** Lets the refund of a payment that waits for an admin be sent again, or ends it. */
export async function decideSuspendedRefund(
  transaction: Transaction,
  paymentId: number,
  decision: 'retry' | 'notRefunded',
): Promise<void> {
  // One refund of a payment is with the provider at a time.
  await transaction
    .updateTable('refunds')
    .set(
      decision === 'retry'
        ? { attempts: 0, next_attempt_at: new Date() }
        : { state: 'refused', finished_at: new Date() },
    )
    .set('version', sql`version + 1`)
    .where('payment_id', '=', paymentId)
    .where('state', '=', 'sent')
    .where('next_attempt_at', '=', never)
    .execute();
}

/** Why the last attempt of a refund had no answer. */
export async function noteError(database: Database, id: number, error: string): Promise<void> {
  await database
    .updateTable('refunds')
    .set({ last_error: error })
    .where('id', '=', id)
    .where('state', '=', 'sent')
    .execute();
}
