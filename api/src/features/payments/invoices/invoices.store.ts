import type { Selectable } from 'kysely';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { sql } from '#platform/database/sql.ts';
import type { InvoiceKind } from '@diwan/contract/requests/payments';
import type { Language } from '@diwan/contract/wire/languages';

/** An invoice, receipt or credit note as it was issued, in the language of its request. */
export interface InvoiceContent {
  language: Language;
  seller: {
    name: string;
    trn: string;
    isDemo: boolean;
    /** Missing where no address is set; `emirate` is a code of ISO 3166-2 without its country. */
    address?: { street: string; city: string; emirate: string };
  };
  applicant: string;
  requestNumber: string;
  service: string;
  agency: string;
  /** Amounts in fils; `vatRate` in basis points. A receipt has no lines. */
  lines: { title: string; amount: number; vatRate: number; vat: number }[];
  /** The payment or the refund: its reference, its day in Asia/Dubai, fils. */
  transfer: { reference: string; day: string; amount: number };
  /** The numbers of the invoices that a receipt or a credit note concerns. */
  invoiceNumbers: string[];
}

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'invoices.content': InvoiceContent;
    'invoices.kind': InvoiceKind;
  }
}

export type InvoiceRow = Selectable<Tables['invoices']>;

/**
 * A payment without an invoice or a receipt, or a refund without a credit note. `before`: what was
 * paid or refunded before it, in fils.
 */
export interface Uninvoiced {
  id: number;
  amount: number;
  reference: string;
  at: Date;
  before: number;
  /** The number of its invoice, where it has one. */
  invoiceNumber: string | null;
}

/**
 * The payments of a request that have no invoice or no receipt yet, oldest first. The moment of a payment is that
 * of the provider's message.
 */
export async function selectUninvoicedPayments(
  transaction: Transaction,
  requestId: number,
): Promise<Uninvoiced[]> {
  const { rows } = await sql<Uninvoiced>`
    select paid.*, invoice.number as "invoiceNumber"
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
        (sum(amount) over (order by round, payments.id) - amount)::bigint as "before"
      from payments
      where request_id = ${requestId}
        and status = 'paid'
    ) as paid
    left join invoices as invoice
      on invoice.payment_id = paid.id
        and invoice.kind = 'invoice'
    -- guard: one invoice for each payment
    where not exists (select from invoices where payment_id = paid.id and kind = 'receipt')
    order by before`.execute(transaction);
  return rows;
}

/** The refunds of a request that have no credit note yet, oldest first. */
export async function selectUninvoicedRefunds(
  transaction: Transaction,
  requestId: number,
): Promise<Uninvoiced[]> {
  const { rows } = await sql<Uninvoiced>`
    select *
    from (
      select id, amount, reference, at, null as "invoiceNumber",
        (sum(amount) over (order by id) - amount)::bigint as before
      from request_refunds
      where request_id = ${requestId}
    ) as refund
    where not exists (select from invoices where refund_id = refund.id)
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

interface NewInvoice {
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
 * Returns the number.
 */
export async function insertInvoice(transaction: Transaction, issued: NewInvoice): Promise<string> {
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
  const number = `${series}-${String(sequence).padStart(6, '0')}`;
  await transaction
    .insertInto('invoices')
    .values({
      kind,
      series,
      sequence,
      number,
      request_id: requestId,
      payment_id: kind === 'creditNote' ? null : transferId,
      refund_id: kind === 'creditNote' ? transferId : null,
      total,
      content: JSON.stringify(content),
      issued_at: issuedAt,
    })
    .execute();
  return number;
}

/** An invoice with the sums of its request, in fils: what was invoiced and what was refunded. */
type CheckedInvoice = Pick<InvoiceRow, 'id' | 'kind' | 'number' | 'total' | 'issued_at'> & {
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
