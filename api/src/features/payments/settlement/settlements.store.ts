import type { Database, Transaction } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import type { SettlementLine } from '#platform/integrations/settlement-file.ts';
import type { PaymentProviderName } from '@diwan/contract/payments/providers';
import type { BookedMoney, ChargeRate, MatchedLine } from './match-lines.ts';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'settlement_files.provider': PaymentProviderName;
    'settlement_lines.kind': 'payment' | 'refund';
  }
}

export interface SettlementFile {
  provider: PaymentProviderName;
  /** YYYY-MM-DD in Asia/Dubai. */
  day: string;
}

const iso = sql.raw(`'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`);

/** The receipts and refunds of the ledger that may be meant by these references. */
export async function selectBooked(
  transaction: Transaction,
  provider: PaymentProviderName,
  references: readonly string[],
): Promise<BookedMoney[]> {
  const { rows } = await sql<BookedMoney>`
    select entry.id as "entryId", case entry.kind when 'refund' then 'refund' else 'payment' end as kind,
      merchant_reference as "merchantReference", payments.id as "paymentId",
      payments.request_id as "requestId", coalesce(refunds.provider_refund_id, '') as "refundId",
      line.amount, entry.currency, day_in_dubai(entry.occurred_at) as day,
      exists(
        select from settlement_lines where entry_id = entry.id and withdrawn_at is null
      ) as "isSettled"
    from payments
    join ledger_entries as entry
      on entry.payment_id = payments.id
        and entry.kind in ('received', 'refund')
    join ledger_lines as line
      on line.entry_id = entry.id
        and line.account = 'providerCash'
        and line.provider = ${provider}
    left join refunds
      on entry.source = 'refund:' || refunds.id
    where merchant_reference = any(${references}::text[])
    order by entry.id`.execute(transaction);
  return rows;
}

/** The lines of earlier files of a provider with these names. */
export async function selectKnownLines(
  transaction: Transaction,
  provider: PaymentProviderName,
  lineIds: readonly string[],
): Promise<Map<string, SettlementLine>> {
  const { rows } = await sql<SettlementLine>`
    select distinct on (line_id) line_id as "lineId", kind, merchant_reference as "merchantReference",
      refund_id as "refundId", amount, charge, currency,
      to_char(occurred_at at time zone 'UTC', ${iso}) as "occurredAt"
    from settlement_lines
    join settlement_files
      on settlement_files.id = file_id
    where provider = ${provider}
      and line_id = any(${lineIds}::text[])
      and settlement_lines.withdrawn_at is null
    order by line_id, settlement_lines.id`.execute(transaction);
  return new Map(rows.map((line) => [line.lineId, line]));
}

export async function findRate(
  database: Database | Transaction,
  provider: PaymentProviderName,
): Promise<(ChargeRate & { version: number }) | undefined> {
  return database
    .selectFrom('provider_charge_rates')
    .select(['rate', 'fixed', 'version'])
    .where('provider', '=', provider)
    .executeTakeFirst();
}

/** Stores a file; `undefined` when it was imported before. */
export async function insertFile(
  transaction: Transaction,
  row: SettlementFile & { digest: string; lines: number; importedBy: string | null },
): Promise<number | undefined> {
  const inserted = await transaction
    .insertInto('settlement_files')
    .values({
      provider: row.provider,
      day: row.day,
      digest: row.digest,
      lines: row.lines,
      imported_by: row.importedBy,
    })
    .onConflict((conflict) =>
      conflict.columns(['provider', 'digest']).where('withdrawn_at', 'is', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  return inserted?.id;
}

/** Stores the lines of a file. Returns the id of each by its row. */
export async function insertLines(
  transaction: Transaction,
  fileId: number,
  matched: readonly MatchedLine[],
): Promise<Map<number, number>> {
  const lines = matched.map(({ line, row, booked }) => ({
    row,
    line_id: line.lineId,
    kind: line.kind,
    merchant_reference: line.merchantReference,
    refund_id: line.refundId,
    amount: line.amount,
    charge: line.charge,
    currency: line.currency,
    occurred_at: line.occurredAt,
    entry_id: booked?.entryId ?? null,
  }));
  const { rows } = await sql<{ id: number; row: number }>`
    insert into settlement_lines (
      file_id, row, line_id, kind, merchant_reference, refund_id, amount, charge, currency, occurred_at,
      entry_id, payment_id
    )
    select ${fileId}, line.*,
      (select id from payments where payments.merchant_reference = line.merchant_reference)
    from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as line (
      row int, line_id text, kind text, merchant_reference text, refund_id text, amount bigint,
      charge bigint, currency text, occurred_at timestamptz, entry_id bigint
    )
    returning id, row`.execute(transaction);
  return new Map(rows.map(({ id, row }) => [row, id]));
}

/** Stores the differences of the lines of a file. */
export async function insertLineDifferences(
  transaction: Transaction,
  file: SettlementFile & { id: number },
  matched: readonly MatchedLine[],
  idOfRow: ReadonlyMap<number, number>,
): Promise<void> {
  const differences = matched.flatMap(({ row, booked, differences: found }) =>
    found.map((each) => ({
      ...each,
      line_id: idOfRow.get(row) ?? null,
      entry_id: booked?.entryId ?? null,
    })),
  );
  if (differences.length === 0) return;
  await sql`
    insert into settlement_differences (
      provider, day, file_id, kind, expected, actual, currency, line_id, entry_id
    )
    select ${file.provider}, ${file.day}::date, ${file.id}, found.*
    from jsonb_to_recordset(${JSON.stringify(differences)}::jsonb) as found (
      kind text, expected bigint, actual bigint, currency text, line_id bigint, entry_id bigint
    )`.execute(transaction);
}

/**
 * Names what the ledger has on the day of a file and no file settled, once each. Returns how many
 * are new.
 */
export async function insertMissing(
  transaction: Transaction,
  file: SettlementFile & { id: number },
): Promise<number> {
  const { rows } = await sql`
    insert into settlement_differences (kind, provider, day, file_id, entry_id, expected, currency)
    select 'missingThere', ${file.provider}, ${file.day}::date, ${file.id}, entry.id, line.amount,
      entry.currency
    from ledger_entries as entry
    join ledger_lines as line
      on line.entry_id = entry.id
        and line.account = 'providerCash'
        and line.provider = ${file.provider}
    where entry.kind in ('received', 'refund')
      and ${file.day}::date in (day_in_dubai(entry.occurred_at), entry.day)
      and not exists (
        select from settlement_lines where entry_id = entry.id and withdrawn_at is null
      )
      and not exists (
        select
        from settlement_differences
        where entry_id = entry.id
          and kind = 'missingThere'
          and withdrawn_at is null
      )
    returning id`.execute(transaction);
  return rows.length;
}

/** Resolves what was missing and came with these lines. */
export async function resolveFound(
  transaction: Transaction,
  entryIds: readonly number[],
): Promise<void> {
  await transaction
    .updateTable('settlement_differences')
    .set({
      state: 'resolved',
      decision: 'found',
      decided_at: sql`now()`,
      version: sql`version + 1`,
    })
    .where('kind', '=', 'missingThere')
    .where('state', '!=', 'resolved')
    .where('entry_id', 'in', entryIds)
    .execute();
}

/** What a file found when it was imported. */
export async function countFile(
  transaction: Transaction,
  provider: PaymentProviderName,
  digest: string,
): Promise<{ lines: number; matched: number; differences: number }> {
  const { rows } = await sql<{ lines: number; matched: number; differences: number }>`
    select lines,
      (select count(entry_id) from settlement_lines where file_id = file.id)::int as matched,
      (select count(*) from settlement_differences where file_id = file.id)::int as differences
    from settlement_files as file
    where provider = ${provider}
      and digest = ${digest}
      and withdrawn_at is null`.execute(transaction);
  return rows[0] ?? { lines: 0, matched: 0, differences: 0 };
}

/** The past days on which a provider received or refunded money and of which no file came. */
export async function selectDaysWithoutFile(
  database: Database,
  provider: PaymentProviderName,
  { from, to }: { from: string; to: string },
): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select day::date as day
    from generate_series(${from}::date, ${to}::date, interval '1 day') as day
    where not exists (
        select
        from settlement_files
        where provider = ${provider}
          and settlement_files.day = day::date
          and withdrawn_at is null
      )
    order by 1`.execute(database);
  return rows.map(({ day }) => day);
}
