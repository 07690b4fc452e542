import {
  agencyName,
  containsNumber,
  type PaymentList,
} from '#platform/database/lists/payment-lists.ts';
import { sql } from '#platform/database/sql.ts';
import type { InvoiceKind } from '@diwan/contract/requests/payments';
import type { LocalizedText } from '@diwan/contract/wire/languages';

/** A document in the list of a period: days in Asia/Dubai, amounts in fils, those of a credit note negative. */
export interface ListedDocument {
  number: string;
  kind: InvoiceKind;
  issuedOn: string;
  /** The day of its payment or refund. */
  suppliedOn: string;
  payer: string;
  agency: LocalizedText | null;
  requestNumber: string;
  /** Null in a receipt, which has no lines. */
  net: number | null;
  vat: number | null;
  total: number;
}

const signed = (amount: ReturnType<typeof sql>) =>
  sql`case invoices.kind when 'creditNote' then -${amount} else ${amount} end`;
const sumOf = (field: 'amount' | 'vat') =>
  signed(sql`(
    select sum((line ->> ${field})::bigint)
    from jsonb_array_elements(content -> 'lines') as line
  )::bigint`);

/** Invoices, receipts and credit notes by the day of their payment or refund. */
export const documents: PaymentList = {
  columns: sql`
    invoices.number, invoices.kind, content -> 'transfer' ->> 'day' as "suppliedOn",
    to_char(invoices.issued_at at time zone 'Asia/Dubai', 'YYYY-MM-DD') as "issuedOn",
    content ->> 'applicant' as payer, requests.number as "requestNumber", ${agencyName},
    ${sumOf('amount')} as net, ${sumOf('vat')} as vat, ${signed(sql`invoices.total`)} as total`,
  tables: sql`
    invoices
    join requests
      on requests.id = invoices.request_id
    left join payments
      on payments.id = invoices.payment_id`,
  at: { day: sql`(content -> 'transfer' ->> 'day')::date` },
  agencyId: sql`requests.agency_id`,
  provider: sql`payments.provider`,
  method: sql`payments.method`,
  state: sql`invoices.kind`,
  amount: sql`invoices.total`,
  currency: sql`'AED'`,
  byNumber: (plain) => sql`
    select id
    from invoices
    where ${containsNumber(sql`number`, plain)}`,
  order: sql`invoices.id`,
  ties: sql`invoices.id`,
  id: sql`invoices.id`,
};
