import { sql, type Selectable } from 'kysely';
import type { InvoiceKind } from '@diwan/contract/requests/payments';
import type { InvoiceContent } from '../../platform/database/columns.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/schema.generated.ts';

export type InvoiceRow = Selectable<Tables['invoices']>;

/** A payment or a refund without an invoice. `paidBefore`: what was paid before it, in fils. */
export interface Uninvoiced {
  id: number;
  amount: number;
  reference: string;
  at: Date;
  paidBefore: number;
}

/**
 * The payments of a request that have no invoice yet, oldest first. The moment of a payment is that
 * of the provider's message.
 */
export async function selectUninvoicedPayments(
  transaction: Transaction,
  requestId: number,
): Promise<Uninvoiced[]> {
  const { rows } = await sql<Uninvoiced>`
    select *
    from (
      select payments.id, amount, merchant_reference as reference,
        coalesce(
          (
            select min(occurred_at)
            from payment_events
            where payment_id = payments.id
              and kind = 'paid'
              and payment_events.amount = payments.amount
          ),
          created_at
        ) as at,
        (sum(amount) over (order by round, payments.id) - amount)::bigint as "paidBefore"
      from payments
      where request_id = ${requestId}
        and status = 'paid'
    ) as paid
    where not exists (select from invoices where payment_id = paid.id)
    order by "paidBefore"`.execute(transaction);
  return rows;
}

/** The refunds of a request that have no receipt yet, oldest first. */
export async function selectUninvoicedRefunds(
  transaction: Transaction,
  requestId: number,
): Promise<Uninvoiced[]> {
  const { rows } = await sql<Uninvoiced>`
    select id, amount, reference, at, 0::bigint as "paidBefore"
    from request_refunds
    where request_id = ${requestId}
      and not exists (select from invoices where refund_id = request_refunds.id)
    order by id`.execute(transaction);
  return rows;
}

/** The invoices of a request in the order of their issue; up to the one with an id. */
export function selectInvoices(
  database: Database | Transaction,
  requestId: number,
  lastId?: number,
): Promise<InvoiceRow[]> {
  return database
    .selectFrom('invoices')
    .selectAll()
    .where('request_id', '=', requestId)
    .$if(lastId !== undefined, (query) => query.where('id', '<=', lastId ?? 0))
    .orderBy('id')
    .execute();
}

export interface NewInvoice {
  kind: InvoiceKind;
  requestId: number;
  /** The id of the payment or the refund. */
  transferId: number;
  /** A series such as INV-2026, whose numbers have no gap. */
  series: string;
  total: number;
  content: InvoiceContent;
  issuedAt: Date;
}

/**
 * Issues a document with the next number of its series. The counter stays locked until the
 * transaction ends: no other one takes a number meanwhile, and a rollback gives the number back.
 */
export async function insertInvoice(transaction: Transaction, issued: NewInvoice): Promise<void> {
  const { kind, requestId, transferId, series, total, content, issuedAt } = issued;
  const { last_sequence: sequence } = await transaction
    .insertInto('invoice_counters')
    .values({ series, last_sequence: 1 })
    .onConflict((conflict) =>
      conflict
        .column('series')
        .doUpdateSet({ last_sequence: sql<number>`invoice_counters.last_sequence + 1` }),
    )
    .returning('last_sequence')
    .executeTakeFirstOrThrow();
  await transaction
    .insertInto('invoices')
    .values({
      kind,
      series,
      sequence,
      number: `${series}-${String(sequence).padStart(6, '0')}`,
      request_id: requestId,
      payment_id: kind === 'invoice' ? transferId : null,
      refund_id: kind === 'refund' ? transferId : null,
      total,
      content: JSON.stringify(content),
      issued_at: issuedAt,
    })
    .execute();
}

/** An invoice with the sums of its request, in fils: what was invoiced and what was refunded. */
export type CheckedInvoice = Pick<InvoiceRow, 'id' | 'kind' | 'number' | 'total' | 'issued_at'> & {
  invoiced: number;
  refunded: number;
};

export async function findCheckedInvoice(
  database: Database,
  id: number,
): Promise<CheckedInvoice | undefined> {
  const { rows } = await sql<CheckedInvoice>`
    select id, kind, number, total, issued_at,
      (
        select coalesce(sum(total), 0)::bigint
        from invoices as others
        where others.request_id = invoices.request_id
          and others.kind = 'invoice'
      ) as invoiced,
      (
        select refunded
        from requests
        where requests.id = invoices.request_id
      ) as refunded
    from invoices
    where id = ${id}`.execute(database);
  return rows[0];
}
