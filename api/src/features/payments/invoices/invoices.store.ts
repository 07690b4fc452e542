import type { Selectable } from 'kysely';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { sql } from '#platform/database/sql.ts';
import type { Emirate } from '@diwan/contract/forms/emirates';
import type { InvoiceKind } from '@diwan/contract/requests/payments';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import type { VatTreatment } from '@diwan/contract/wire/money';

/** The emirates as documents store them: codes of ISO 3166-2 without their country. */
export const emirateCodes: Readonly<Record<Emirate, string>> = {
  abuDhabi: 'AUH',
  dubai: 'DXB',
  sharjah: 'SHJ',
  ajman: 'AJM',
  ummAlQuwain: 'UAQ',
  rasAlKhaimah: 'RAK',
  fujairah: 'FUJ',
};

/** Who sells or buys, as documents store it; what is not known is missing. */
export interface InvoiceParty {
  name: string;
  /** The tax registration number; empty where there is none. */
  trn: string;
  /** `emirate` is one of `emirateCodes`. */
  address?: { street: string; city: string; emirate: string };
  /** `authority`: who issued the trade licence. */
  registration?: {
    kind: 'emiratesId' | 'tradeLicence' | 'cabinetDecision';
    number: string;
    authority?: string;
  };
}

/**
 * A line as documents store it: in fils; `vatRate` in basis points, `vatCategory` where it is 0. `title` is in
 * the language of the document; pages about many documents show `titles` in the reader's, which those from
 * before it was stored do not have.
 */
export type InvoiceLine = VatTreatment & {
  title: string;
  titles?: LocalizedText;
  amount: number;
  vat: number;
};

/** An invoice, receipt or credit note as it was issued, in the language of its request. */
export interface InvoiceContent {
  language: Language;
  seller: InvoiceParty & { isDemo: boolean };
  applicant: string;
  /** Missing in documents from before it was stored. */
  buyer?: Omit<InvoiceParty, 'name'>;
  requestNumber: string;
  service: string;
  agency: string;
  /** A receipt has no lines. */
  lines: InvoiceLine[];
  /** The payment or the refund: its reference, its day in Asia/Dubai, fils. */
  transfer: { reference: string; day: string; amount: number };
  /** The numbers of the invoices that a receipt or a credit note concerns. */
  invoiceNumbers: string[];
  /** The path of the portal's logo on this site; missing where it had none. */
  portalLogo?: string;
}

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'invoices.content': InvoiceContent;
    'invoices.kind': InvoiceKind;
  }
}

export type InvoiceRow = Selectable<Tables['invoices']>;

/** A payment without a receipt, or a refund without a credit note. */
export interface DueTransfer {
  kind: 'payment' | 'refund';
  id: number;
  requestId: number;
}

// The moment of a payment is that of the provider's message, or that in which staff accepted another amount,
// as in the ledger.
const paidAt = sql<Date>`coalesce(
  (
    select min(occurred_at)
    from payment_events
    where payment_id = payments.id
      and kind = 'paid'
      and payment_events.amount = payments.amount
  ),
  (
    select min(occurred_at)
    from payment_events
    where payment_id = payments.id
      and kind = 'accepted'
  ),
  payments.created_at
)`;

/**
 * The payments and refunds that have no documents yet, in the order in which the money moved; those of one
 * request, or the first ones of all.
 */
export async function selectDueTransfers(
  database: Database,
  { requestId, limit = 500 }: { requestId?: number; limit?: number } = {},
): Promise<DueTransfer[]> {
  const ofRequest = requestId === undefined ? sql`true` : sql`request_id = ${requestId}`;
  const { rows } = await sql<DueTransfer>`
    select kind, id, request_id as "requestId"
    from (
      select 'payment' as kind, id, request_id, ${paidAt} as at
      from payments
      where status = 'paid'
        and invoiced_at is null
        and ${ofRequest}
      union all
      select 'refund', id, request_id, at
      from request_refunds
      where ${ofRequest}
        and not exists (select from invoices where refund_id = request_refunds.id)
    ) as due
    order by at, kind, id
    limit ${limit}`.execute(database);
  return rows;
}

/** A payment or a refund as its documents show it. */
export interface Transfer {
  /** In fils. */
  amount: number;
  reference: string;
  at: Date;
  /** What was paid or refunded before it, in fils. */
  before: number;
}

/** A payment or a refund; undefined where its documents are issued. */
export async function findDueTransfer(
  transaction: Transaction,
  { kind, id, requestId }: DueTransfer,
): Promise<Transfer | undefined> {
  const { rows } =
    kind === 'payment'
      ? await sql<Transfer>`
        select amount, reference, at, before
        from (
          select id, amount, merchant_reference as reference, ${paidAt} as at, invoiced_at,
            (sum(amount) over (order by round, id) - amount)::bigint as before
          from payments
          where request_id = ${requestId}
            and status = 'paid'
        ) as paid
        where id = ${id}
          -- guard: one invoice for each payment
          and invoiced_at is null`.execute(transaction)
      : await sql<Transfer>`
        select amount, reference, at, before
        from (
          select id, amount, reference, at,
            (sum(amount) over (order by id) - amount)::bigint as before
          from request_refunds
          where request_id = ${requestId}
        ) as refund
        where id = ${id}
          and not exists (select from invoices where refund_id = refund.id)`.execute(transaction);
  return rows[0];
}

/** The numbers of the invoices of a payment: one from before receipts has them without a receipt. */
export async function selectInvoiceNumbers(
  transaction: Transaction,
  paymentId: number,
): Promise<string[]> {
  const rows = await transaction
    .selectFrom('invoices')
    .select('number')
    .where('payment_id', '=', paymentId)
    .where('kind', '=', 'invoice')
    .orderBy('id')
    .execute();
  return rows.map(({ number }) => number);
}

/** Records that a payment has its invoice and its receipt. */
export async function markInvoiced(
  transaction: Transaction,
  paymentId: number,
  at: Date,
): Promise<void> {
  await transaction
    .updateTable('payments')
    .set({ invoiced_at: at })
    .where('id', '=', paymentId)
    .execute();
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
