import type { Database } from '#platform/database/database.ts';
import {
  agencyName,
  containsNumber,
  paymentsByNumber,
  requestsByNumber,
  type PaymentList,
} from '#platform/database/lists/payment-lists.ts';
import { personName } from '#platform/database/lists/person-name.ts';
import { type Sql, sql } from '#platform/database/sql.ts';
import type {
  PaymentCase,
  PaymentSummary,
  RefundRecord,
  RefusedMessages,
  TimelineEntry,
} from '@diwan/contract/payments/events';
import type { StateOf } from '@diwan/contract/payments/payment-lists';
import type { Language } from '@diwan/contract/wire/languages';
import type { CaseRow } from '../payment-cases.store.ts';

// What admins read about payments. Times leave PostgreSQL as ISO 8601 in UTC.
const iso = (column: Sql<unknown>) =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const summaryColumns = sql`
  payments.merchant_reference as "merchantReference", payments.request_id as "requestId",
  requests.number as "requestNumber", payments.provider, payments.amount, payments.currency,
  payments.method, payments.status, ${iso(sql`payments.created_at`)} as "createdAt",
  (
    select coalesce(sum(amount), 0)
    from refunds
    where payment_id = payments.id
      and state = 'succeeded'
  )::bigint as refunded`;

/** Payments, the newest first. */
export const payments: PaymentList = {
  columns: sql`${summaryColumns}, ${agencyName}`,
  tables: sql`
    payments
    join requests
      on requests.id = payments.request_id`,
  at: { time: sql`payments.created_at` },
  agencyId: sql`requests.agency_id`,
  provider: sql`payments.provider`,
  method: sql`payments.method`,
  state: sql`payments.status`,
  amount: sql`payments.amount`,
  currency: sql`payments.currency`,
  byNumber: paymentsByNumber,
  order: sql`payments.created_at desc`,
  ties: sql`payments.id desc`,
  id: sql`payments.id`,
};

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
export async function selectTimeline(
  database: Database,
  language: Language,
  id: number,
): Promise<TimelineEntry[]> {
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
        null, null, note, ${personName('users', language)}
      from payment_cases
      left join users
        on users.id = decided_by
      where payment_id = ${id}
        and decision is not null
      union all
      select coalesce(finished_at, refunds.created_at), 6, ${placeOf(sql`refunds.id`)}, 'refund',
        case when state = 'sent' and last_error <> '' then 'retried' else state end, amount, currency, null,
        null, nullif(refunds.note, ''), ${personName('users', language)}
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

export type CaseShown = Omit<PaymentCase, 'decisions'> & {
  paymentStatus: PaymentSummary['status'] | null;
};

const caseColumns = (language: Language) => sql`
  payment_cases.id, payment_cases.kind, payment_cases.merchant_reference as "merchantReference",
  payments.request_id as "requestId", requests.number as "requestNumber", payment_cases.provider,
  payment_cases.amount, payment_cases.currency, payments.amount as expected, detail,
  ${iso(sql`payment_cases.created_at`)} as "createdAt", decision, note,
  ${personName('users', language)} as "decidedBy", ${iso(sql`decided_at`)} as "decidedAt",
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
export const casesIn = (language: Language, state?: StateOf<'cases'> | undefined): PaymentList => ({
  columns: sql`${caseColumns(language)}, ${agencyName}`,
  tables: caseTables,
  at: { time: sql`payment_cases.created_at` },
  agencyId: sql`requests.agency_id`,
  provider: sql`payment_cases.provider`,
  method: sql`payments.method`,
  state: sql`(case when decision is null then 'open' else 'decided' end)`,
  amount: sql`payment_cases.amount`,
  currency: sql`payment_cases.currency`,
  byNumber: (plain) => sql`
    select id
    from payment_cases
    where payment_id in (${paymentsByNumber(plain)})
    union all
    select id
    from payment_cases
    where ${containsNumber(sql`merchant_reference`, plain)}`,
  unlessState: sql`decision is null`,
  order: state === 'decided' ? sql`decided_at desc` : sql`payment_cases.created_at`,
  ties: state === 'decided' ? sql`payment_cases.id desc` : sql`payment_cases.id`,
  id: sql`payment_cases.id`,
});

export async function findShownCase(
  database: Database,
  language: Language,
  id: CaseRow['id'],
): Promise<CaseShown | undefined> {
  const { rows } = await sql<CaseShown>`
    select ${caseColumns(language)}
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

export type RefundShown = Omit<RefundRecord, 'isOwn'> & { requestedById: string | null };

const refundColumns = (language: Language) => sql`
  refunds.id, coalesce(payments.merchant_reference, '') as "merchantReference",
  outside_reference as "outsideReference",
  refunds.request_id as "requestId", requests.number as "requestNumber", refunds.amount,
  refunds.currency, reason, refunds.state, coalesce(${personName('asker', language)}, '') as "requestedBy",
  coalesce(${personName('decider', language)}, '') as "decidedBy", refunds.requested_by as "requestedById",
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

/**
 * Refunds: those that wait for a second person first, then the newest. `within` is a condition on
 * `requests`.
 */
export const refundsIn = (language: Language, within?: Sql<unknown>): PaymentList => ({
  // guard: refunds of other agencies (payment-lists)
  within,
  columns: sql`${refundColumns(language)}, ${agencyName}`,
  tables: refundTables,
  at: { time: sql`refunds.created_at` },
  agencyId: sql`requests.agency_id`,
  provider: sql`payments.provider`,
  method: sql`payments.method`,
  state: sql`refunds.state`,
  amount: sql`refunds.amount`,
  currency: sql`refunds.currency`,
  byNumber: (plain) => sql`
    select id
    from refunds
    where payment_id in (${paymentsByNumber(plain)})
    union all
    select id
    from refunds
    where request_id in (${requestsByNumber(plain)})
    union all
    select id
    from refunds
    where outside_reference is not null
      and ${containsNumber(sql`outside_reference`, plain)}`,
  order: sql`(refunds.state = 'waiting') desc, refunds.created_at desc`,
  ties: sql`refunds.id desc`,
  id: sql`refunds.id`,
});

/** Refunds by their ids, or of one payment. */
export async function selectRefundsOf(
  database: Database,
  language: Language,
  { ids, paymentId }: { ids?: readonly number[]; paymentId?: number },
): Promise<RefundShown[]> {
  const { rows } = await sql<RefundShown>`
    select ${refundColumns(language)}
    from ${refundTables}
    where refunds.id = any(${ids ?? []}::bigint[])
      or refunds.payment_id = ${paymentId ?? null}
    order by refunds.id`.execute(database);
  return rows;
}
