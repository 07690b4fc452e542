import type { Transaction } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import type { LedgerAccount, LedgerEntryKind } from '@diwan/contract/payments/ledger';
import type { PaymentProviderName } from '@diwan/contract/payments/providers';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'ledger_accounts.name': LedgerAccount;
    'ledger_entries.kind': LedgerEntryKind;
    'ledger_lines.account': LedgerAccount;
    'ledger_lines.provider': PaymentProviderName;
  }
}

/** A line of an entry, in the smallest unit of its currency; a debit is positive. */
interface LedgerLine {
  account: LedgerAccount;
  provider?: PaymentProviderName;
  amount: number;
}

/**
 * What is booked together. The agency of its lines is that of the request's service, unless it is
 * given.
 */
export interface LedgerEntry {
  kind: LedgerEntryKind;
  /** Names the event that is booked; a second entry with it is not written. */
  source: string;
  currency: string;
  occurredAt: Date;
  requestId?: number | null;
  agencyId?: number | null;
  paymentId?: number | null;
  postedBy?: string;
  note?: string;
  lines: readonly LedgerLine[];
}

/**
 * Writes an entry on its day, or on the first open one. Returns its id; `undefined` when its source
 * was booked before. The database refuses one that is not balanced.
 */
export async function insertEntry(
  transaction: Transaction,
  entry: LedgerEntry,
): Promise<number | undefined> {
  const requestId = entry.requestId ?? null;
  const { rows } = await sql<{ entry_id: number }>`
    with entry as (
      insert into ledger_entries (kind, source, currency, occurred_at, request_id, payment_id, posted_by, note)
      values (
        ${entry.kind}, ${entry.source}, ${entry.currency}, ${entry.occurredAt}, ${requestId},
        ${entry.paymentId ?? null}, ${entry.postedBy ?? null}, ${entry.note ?? ''}
      )
      on conflict (source) do nothing
      returning id
    )
    insert into ledger_lines (entry_id, account, provider, agency_id, amount)
    select entry.id, line.account, line.provider,
      coalesce(
        ${entry.agencyId ?? null}::int,
        (
          select agency_id
          from requests
          where requests.id = ${requestId}::bigint
        )
      ),
      line.amount
    from entry
    cross join unnest(
      ${entry.lines.map(({ account }) => account)}::text[],
      ${entry.lines.map(({ provider }) => provider ?? null)}::text[],
      ${entry.lines.map(({ amount }) => amount)}::bigint[]
    ) as line (account, provider, amount)
    returning entry_id`.execute(transaction);
  return rows[0]?.entry_id;
}

/**
 * Turns entries round by others on their days: the same lines with the opposite sign. Those of
 * unknown sources and those that are turned round already are left out.
 */
export async function insertReversals(
  transaction: Transaction,
  sources: readonly string[],
  { kind, note, postedBy }: { kind: LedgerEntryKind; note: string; postedBy: string },
): Promise<void> {
  await sql`
    with entry as (
      insert into ledger_entries (
        kind, source, currency, occurred_at, request_id, payment_id, posted_by, note
      )
      select ${kind}, 'reversed:' || id, currency, occurred_at, request_id, payment_id,
        ${postedBy}::uuid, ${note}
      from ledger_entries
      where source = any(${[...sources]}::text[])
      order by id
      on conflict (source) do nothing
      returning id, source
    )
    insert into ledger_lines (entry_id, account, provider, agency_id, amount)
    select entry.id, account, provider, agency_id, -amount
    from entry
    join ledger_lines as line
      on line.entry_id = split_part(entry.source, ':', 2)::bigint
    order by line.id`.execute(transaction);
}

/**
 * Of a request, in the smallest unit of a currency: what was received and neither counted as paid
 * nor given back, and what refunds gave back of its lines, with VAT.
 */
export async function selectRequestBalance(
  transaction: Transaction,
  requestId: number,
  currency: string,
): Promise<{ surplus: number; credited: number }> {
  const { rows } = await sql<{ surplus: number; credited: number }>`
    select
      coalesce(-sum(amount) filter (where account = 'receivable'), 0)::bigint as surplus,
      coalesce(sum(amount) filter (where kind = 'refund' and account in ('refunds', 'vat')), 0)::bigint as credited
    from ledger_entries
    join ledger_lines
      on entry_id = ledger_entries.id
    where request_id = ${requestId}
      and currency = ${currency}`.execute(transaction);
  return rows[0] ?? { surplus: 0, credited: 0 };
}
