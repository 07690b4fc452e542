import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { sql } from '#platform/database/sql.ts';

type RefundRow = Selectable<Tables['request_refunds']>;

export function selectRefunds(
  database: Database | Transaction,
  requestId: number,
): Promise<(RefundRow & { expected_by: string | null; recorder_name_ar: string | null })[]> {
  return database
    .selectFrom('request_refunds as recorded')
    .leftJoin('refunds', (join) =>
      join
        .onRef('refunds.request_id', '=', 'recorded.request_id')
        .onRef('refunds.provider_refund_id', '=', 'recorded.reference'),
    )
    .leftJoin('users', 'users.id', 'recorded.recorded_by')
    .selectAll('recorded')
    .select(['refunds.expected_by', 'users.full_name_ar as recorder_name_ar'])
    .where('recorded.request_id', '=', requestId)
    .orderBy('recorded.id')
    .execute();
}

/**
 * What a person refunded to a request in the last 24 hours without a second person, in fils: through
 * the provider, and as recorded by hand.
 */
export async function sumRefundedAlone(
  transaction: Transaction,
  requestId: number,
  userId: string,
): Promise<number> {
  const { rows } = await sql<{ sum: number }>`
    select coalesce(sum(amount), 0)::bigint as sum
    from (
      select amount
      from refunds
      where request_id = ${requestId}
        and requested_by = ${userId}
        and created_at > now() - interval '24 hours'
        and state in ('ready', 'sent', 'succeeded')
        and decided_by is null
      union all
      select amount
      from request_refunds as recorded
      where request_id = ${requestId}
        and recorded_by = ${userId}
        and at > now() - interval '24 hours'
        and not exists (
          select
          from refunds
          where refunds.request_id = recorded.request_id
            and coalesce(outside_reference, provider_refund_id, idempotency_key) = recorded.reference
        )
    ) as alone`.execute(transaction);
  return rows[0]?.sum ?? 0;
}

/** Stores a refund outside of the portal that a second person must confirm. */
export async function insertWaitingRefund(
  transaction: Transaction,
  refund: { requestId: number; amount: number; reference: string; requestedBy: string },
): Promise<{ id: number }> {
  return transaction
    .insertInto('refunds')
    .values({
      payment_id: null,
      request_id: refund.requestId,
      amount: refund.amount,
      currency: 'AED',
      reason: 'recorded',
      state: 'waiting',
      idempotency_key: `recorded-${randomUUID()}`,
      outside_reference: refund.reference,
      requested_by: refund.requestedBy,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** The refunds outside of the portal that wait, with their references. */
export function selectWaitingRefunds(
  transaction: Transaction,
  requestId: number,
): Promise<{ amount: number; reference: string | null }[]> {
  return transaction
    .selectFrom('refunds')
    .select(['amount', 'outside_reference as reference'])
    .where('request_id', '=', requestId)
    .where('state', '=', 'waiting')
    .where('outside_reference', 'is not', null)
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
