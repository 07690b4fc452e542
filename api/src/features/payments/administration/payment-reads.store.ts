import type { Database } from '#platform/database/database.ts';
import { selectCountedPage } from '#platform/database/keyword-search.ts';
import { type Sql, sql } from '#platform/database/sql.ts';
import type {
  getPaymentCases,
  getPayments,
  getRefunds,
  PaymentCase,
  PaymentSummary,
  RefundRecord,
  RefusedMessages,
  TimelineEntry,
} from '@diwan/contract/payments/events';
import type { QueryOf } from '@diwan/contract/wire/call';
import type { CaseRow } from '../payment-cases.store.ts';

// What admins read about payments. Times leave PostgreSQL as ISO 8601 in UTC.
const iso = (column: Sql<unknown>) =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const summaryColumns = sql`
  payments.merchant_reference as "merchantReference", payments.request_id as "requestId",
  requests.number as "requestNumber", payments.provider, payments.amount, payments.currency,
  payments.status, ${iso(sql`payments.created_at`)} as "createdAt",
  (
    select coalesce(sum(amount), 0)
    from refunds
    where payment_id = payments.id
      and state = 'succeeded'
  )::bigint as refunded`;

/** Payments, the newest first. */
export async function selectPayments(database: Database, query: QueryOf<typeof getPayments>) {
  const { Keyword, Status, Provider, PageNumber: pageNumber } = query;
  const keyword = Keyword ? `%${Keyword.replace(/[\\%_]/g, '\\$&')}%` : null;
  const page = await selectCountedPage<PaymentSummary>(
    database,
    {
      columns: summaryColumns,
      from: sql`
        payments
        join requests
          on requests.id = payments.request_id
        where (${keyword}::text is null or merchant_reference ilike ${keyword})
          and (${Status ?? null}::text is null or payments.status = ${Status ?? null})
          and (${Provider ?? null}::text is null or payments.provider = ${Provider ?? null})`,
      ties: sql`payments.id desc`,
    },
    query,
  );
  return { ...page, pageNumber };
}

/** One payment; `undefined` when there is none. `refundable` is what it can still give back. */
export async function findSummary(
  database: Database,
  merchantReference: string,
): Promise<(PaymentSummary & { id: number; refundable: number }) | undefined> {
  const { rows } = await sql<PaymentSummary & { id: number; refundable: number }>`
    select payments.id, ${summaryColumns},
      greatest(0, least(
        (
          select coalesce(sum(amount), 0)
          from payment_events
          where payment_id = payments.id
            and kind = 'paid'
            and currency = payments.currency
        ) - (
          select coalesce(sum(amount), 0)
          from refunds
          where payment_id = payments.id
            and currency = payments.currency
            and state not in ('refused', 'withdrawn')
        ),
        requests.refundable - requests.refunded - (
          select coalesce(sum(amount), 0)
          from refunds
          where request_id = requests.id
            and reason <> 'unexpectedAmount'
            and state in ('waiting', 'ready', 'sent')
        )
      ))::bigint as refundable
    from payments
    join requests
      on requests.id = payments.request_id
    where merchant_reference = ${merchantReference}`.execute(database);
  return rows[0];
}

// The ids of events are texts, all others numbers.
const placeOf = (id: Sql<unknown>) => sql`lpad(${id}::text, 20, '0')`;

/** Everything that happened to a payment, in its order. */
export async function selectTimeline(database: Database, id: number): Promise<TimelineEntry[]> {
  const { rows } = await sql<{ [Key in keyof TimelineEntry]: TimelineEntry[Key] | null }>`
    select ${iso(sql`at`)} as at, what, kind, amount, currency, source, times, note, "by"
    from (
      select created_at as at, 1 as rank, ${placeOf(sql`id`)} as place, 'opened' as what,
        provider as kind, amount, currency,
        null as source, null::int as times, null as note, null as "by"
      from payments
      where id = ${id}
      union all
      select occurred_at, 2, id, 'event', kind, amount, currency, source, null, nullif(note, ''), null
      from payment_events
      where payment_id = ${id}
      union all
      select received_at, 3, ${placeOf(sql`id`)}, 'message', verdict, null, null, null, times, null, null
      from payment_messages
      where payment_id = ${id}
      union all
      select created_at, 4, ${placeOf(sql`id`)}, 'case', kind, amount, currency, null, null, nullif(detail, ''), null
      from payment_cases
      where payment_id = ${id}
      union all
      select decided_at, 5, ${placeOf(sql`payment_cases.id`)}, 'decision', decision, amount, currency,
        null, null, note, full_name
      from payment_cases
      left join users
        on users.id = decided_by
      where payment_id = ${id}
        and decision is not null
      union all
      select coalesce(finished_at, refunds.created_at), 6, ${placeOf(sql`refunds.id`)}, 'refund',
        case when state = 'sent' and last_error <> '' then 'retried' else state end, amount, currency, null,
        null, nullif(refunds.note, ''), full_name
      from refunds
      left join users
        on users.id = requested_by
      where payment_id = ${id}
    ) as entries
    order by entries.at, rank, place
    limit 500`.execute(database);
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
  ) as TimelineEntry[];
}

type CaseShown = Omit<PaymentCase, 'decisions'> & {
  paymentStatus: PaymentSummary['status'] | null;
};

const caseColumns = sql`
  payment_cases.id, payment_cases.kind, payment_cases.merchant_reference as "merchantReference",
  payments.request_id as "requestId", requests.number as "requestNumber", payment_cases.provider,
  payment_cases.amount, payment_cases.currency, payments.amount as expected, detail,
  ${iso(sql`payment_cases.created_at`)} as "createdAt", decision, note,
  users.full_name as "decidedBy", ${iso(sql`decided_at`)} as "decidedAt",
  payment_cases.version, payments.status as "paymentStatus"`;

const caseTables = sql`
  payment_cases
  left join payments
    on payments.id = payment_cases.payment_id
  left join requests
    on requests.id = payments.request_id
  left join users
    on users.id = payment_cases.decided_by`;

/** Open cases, the oldest first; or decided ones, the newest first. */
export async function selectCases(database: Database, query: QueryOf<typeof getPaymentCases>) {
  const page = await selectCountedPage<CaseShown>(
    database,
    {
      columns: caseColumns,
      from: sql`${caseTables} where (decision is not null) = ${query.IsDecided ?? false}`,
      ...(query.IsDecided
        ? { order: sql`decided_at desc`, ties: sql`payment_cases.id desc` }
        : { ties: sql`payment_cases.id` }),
    },
    query,
  );
  return { ...page, pageNumber: query.PageNumber };
}

export async function findShownCase(
  database: Database,
  id: CaseRow['id'],
): Promise<CaseShown | undefined> {
  const { rows } = await sql<CaseShown>`
    select ${caseColumns}
    from ${caseTables}
    where payment_cases.id = ${id}`.execute(database);
  return rows[0];
}

/** Refused messages of the last 30 days, the newest hours first. */
export async function selectRefused(database: Database): Promise<RefusedMessages[]> {
  const { rows } = await sql<RefusedMessages>`
    select provider, reason, ${iso(sql`hour`)} as hour, times, ${iso(sql`last_at`)} as "lastAt",
      last_bytes as "lastBytes"
    from refused_payment_messages
    where hour > now() - interval '30 days'
    order by refused_payment_messages.hour desc, provider, reason
    limit 200`.execute(database);
  return rows;
}

type RefundShown = Omit<RefundRecord, 'isOwn'> & { requestedById: string | null };

const refundColumns = sql`
  refunds.id, coalesce(payments.merchant_reference, '') as "merchantReference",
  outside_reference as "outsideReference",
  refunds.request_id as "requestId", requests.number as "requestNumber", refunds.amount,
  refunds.currency, reason, refunds.state, coalesce(asker.full_name, '') as "requestedBy",
  coalesce(decider.full_name, '') as "decidedBy", refunds.requested_by as "requestedById",
  refunds.note, ${iso(sql`refunds.created_at`)} as "createdAt",
  expected_by as "expectedBy", last_error as "lastError", refunds.version`;

const refundTables = sql`
  refunds
  left join payments
    on payments.id = refunds.payment_id
  join requests
    on requests.id = refunds.request_id
  left join users as asker
    on asker.id = refunds.requested_by
  left join users as decider
    on decider.id = refunds.decided_by`;

/** Refunds: those that wait for a second person first, then the newest. */
export async function selectRefunds(database: Database, query: QueryOf<typeof getRefunds>) {
  const page = await selectCountedPage<RefundShown>(
    database,
    {
      columns: refundColumns,
      from: sql`
        ${refundTables}
        where ${query.State ?? null}::text is null
          or refunds.state = ${query.State ?? null}`,
      order: sql`(refunds.state = 'waiting') desc`,
      ties: sql`refunds.id desc`,
    },
    query,
  );
  return { ...page, pageNumber: query.PageNumber };
}

/** Refunds by their ids, or of one payment. */
export async function selectRefundsOf(
  database: Database,
  { ids, paymentId }: { ids?: readonly number[]; paymentId?: number },
): Promise<RefundShown[]> {
  const { rows } = await sql<RefundShown>`
    select ${refundColumns}
    from ${refundTables}
    where refunds.id = any(${ids ?? []}::bigint[])
      or refunds.payment_id = ${paymentId ?? null}
    order by refunds.id`.execute(database);
  return rows;
}
