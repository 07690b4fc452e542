import type { Database, Transaction } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import type { RefundReason } from '@diwan/contract/payments/events';
import type { PaymentProviderName } from '@diwan/contract/payments/providers';

/** Money of a request that the ledger does not know yet. */
export interface UnpostedMoney {
  kind: 'received' | 'sale' | 'refund';
  source: string;
  /** In the smallest unit of its currency. */
  amount: number;
  currency: string;
  at: Date;
  paymentId: number | null;
  /** Null: the money moved outside of the payment providers. */
  provider: PaymentProviderName | null;
  /** Of a payment: what was paid before it, in fils. */
  before: number;
  /** Of a refund through the provider. */
  reason: RefundReason | null;
}

// A payment without a charge of a provider was received in another way.
const providerOfPayment = sql`
  case
    when exists (select from payment_events where payment_id = payments.id and kind = 'paid')
    then payments.provider
  end`;

// A payment that is booked as paid without an event of the provider was received with its amount.
const received = sql`
  select payments.request_id, 1 as rank, 'received' as kind, 'received:' || event.id as source,
    event.amount, event.currency, event.occurred_at as at, payments.id as "paymentId",
    payments.provider, 0::bigint as before, null as reason, payments.id as position
  from payment_events as event
  join payments
    on payments.id = event.payment_id
  where event.kind = 'paid'
  union all
  select request_id, 1, 'received', 'received:payment ' || id, amount, currency, created_at, id,
    null, 0, null, id
  from payments
  where status = 'paid'
    and not exists (
      select
      from payment_events
      where payment_id = payments.id
        and kind in ('paid', 'accepted')
    )`;

const sales = sql`
  select request_id, 2, 'sale', 'sale:' || id, amount, currency,
    coalesce(
      (
        select max(occurred_at)
        from payment_events
        where payment_id = paid.id
          and kind in ('paid', 'accepted')
      ),
      created_at
    ),
    id, null, before, null, id
  from (
    select id, request_id, amount, currency, created_at,
      (sum(amount) over (partition by request_id order by round, id) - amount)::bigint as before
    from payments
    where status = 'paid'
  ) as paid`;

const refunds = sql`
  select payments.request_id, 3, 'refund', 'refund:' || refunds.id, refunds.amount,
    refunds.currency, finished_at, payment_id, ${providerOfPayment}, 0, refunds.reason, refunds.id
  from refunds
  join payments
    on payments.id = refunds.payment_id
  where refunds.state = 'succeeded'
  union all
  select request_id, 3, 'refund', 'recorded:' || id, amount, 'AED', at, null, null, 0, null, id
  from request_refunds as recorded
  where not exists (
    select
    from refunds
    where refunds.request_id = recorded.request_id
      and refunds.state = 'succeeded'
      and coalesce(provider_refund_id, idempotency_key) = recorded.reference
  )`;

const unposted = sql`
  (${received} union all ${sales} union all ${refunds}) as money
  where not exists (select from ledger_entries where source = money.source)`;

/** The money of a request that is not in the ledger, in the order in which it is booked. */
export async function selectUnposted(
  transaction: Transaction,
  requestId: number,
): Promise<UnpostedMoney[]> {
  const { rows } = await sql<UnpostedMoney>`
    select kind, source, amount, currency, at, "paymentId", provider, before, reason
    from ${unposted}
      and request_id = ${requestId}
    order by rank, position`.execute(transaction);
  return rows;
}

/**
 * Requests with money that is not in the ledger, among those of the `limit` payments after the id
 * `after`, and the id of the last of these payments: null when there are none.
 */
export async function selectUnpostedRequests(
  database: Database,
  after: number,
  limit: number,
): Promise<{ requestIds: number[]; last: number | null }> {
  const { rows } = await sql<{ requestIds: number[]; last: number | null }>`
    with part as materialized (
      select id, request_id
      from payments
      where id > ${after}
      order by id
      limit ${limit}
    )
    select (select max(id) from part) as last,
      (
        select coalesce(json_agg(distinct request_id order by request_id), '[]')
        from ${unposted}
          and request_id = any(array(select request_id from part))
      ) as "requestIds"`.execute(database);
  return rows[0] ?? { requestIds: [], last: null };
}
