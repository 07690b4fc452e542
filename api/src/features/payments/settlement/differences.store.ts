import type { Selectable, Updateable } from 'kysely';
import type { Database, Transaction } from '#platform/database/database.ts';
import {
  agencyName,
  containsNumber,
  paymentsByNumber,
  type PaymentList,
} from '#platform/database/lists/payment-lists.ts';
import { personName } from '#platform/database/lists/person-name.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { sql } from '#platform/database/sql.ts';
import type {
  SettlementDifference,
  SettlementDecision,
  SettlementDifferenceKind,
  SettlementDifferenceState,
} from '@diwan/contract/payments/ledger';
import type { PaymentProviderName } from '@diwan/contract/payments/providers';
import type { Language } from '@diwan/contract/wire/languages';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'settlement_differences.decision': SettlementDecision;
    'settlement_differences.kind': SettlementDifferenceKind;
    'settlement_differences.provider': PaymentProviderName;
    'settlement_differences.state': SettlementDifferenceState;
  }
}

/** A difference with the line and the entry that it is about. */
export type DifferenceRow = Selectable<Tables['settlement_differences']> & {
  line_kind: 'payment' | 'refund' | null;
  line_amount: number | null;
  line_charge: number | null;
  line_currency: string | null;
  entry_currency: string | null;
  payment_id: number | null;
  merchant_reference: string | null;
  request_id: number | null;
};

const tables = sql`
  settlement_differences as difference
  left join settlement_lines as line
    on line.id = difference.line_id
  left join ledger_entries as entry
    on entry.id = difference.entry_id
  left join payments
    on payments.id = coalesce(entry.payment_id, line.payment_id)
  left join requests
    on requests.id = payments.request_id
  left join users as proposer
    on proposer.id = proposed_by
  left join users as decider
    on decider.id = decided_by`;

/** Locks a difference. */
export async function lockDifference(
  transaction: Transaction,
  id: number,
): Promise<DifferenceRow | undefined> {
  const { rows } = await sql<DifferenceRow>`
    select difference.*, line.kind as line_kind, line.amount as line_amount,
      line.charge as line_charge, line.currency as line_currency, entry.currency as entry_currency,
      payments.id as payment_id, payments.request_id,
      coalesce(payments.merchant_reference, line.merchant_reference) as merchant_reference
    from ${tables}
    where difference.id = ${id}
    for update of difference`.execute(transaction);
  return rows[0];
}

export async function updateDifference(
  transaction: Transaction,
  id: number,
  row: Updateable<Tables['settlement_differences']>,
): Promise<void> {
  await transaction
    .updateTable('settlement_differences')
    .set({ ...row, version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
}

/** A difference as it is read. */
export type DifferenceShown = Omit<SettlementDifference, 'decisions' | 'isOwn'> & {
  proposedById: string | null;
};

const columns = (language: Language) => sql`
  difference.id, difference.kind, difference.provider, difference.day,
  line.row, coalesce(payments.merchant_reference, line.merchant_reference, '') as "merchantReference",
  payments.id is not null as "isKnown", expected, actual, difference.currency, state, decision,
  difference.note, ${personName('proposer', language)} as "proposedBy",
  ${personName('decider', language)} as "decidedBy",
  proposed_by as "proposedById",
  to_char(difference.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
  difference.version`;

/** Open differences, those that wait for a second person first; or resolved ones, the newest first. */
export const differencesIn = (
  language: Language,
  state?: SettlementDifferenceState | undefined,
): PaymentList => ({
  columns: sql`${columns(language)}, ${agencyName}`,
  tables,
  at: { day: sql`difference.day` },
  agencyId: sql`requests.agency_id`,
  provider: sql`difference.provider`,
  method: sql`payments.method`,
  state: sql`state`,
  amount: sql`abs(coalesce(actual, expected, 0))`,
  sum: sql`coalesce(actual, 0) - coalesce(expected, 0)`,
  currency: sql`difference.currency`,
  byNumber: (plain) => sql`
    select found.id
    from settlement_differences as found
    left join settlement_lines as line
      on line.id = found.line_id
    left join ledger_entries as entry
      on entry.id = found.entry_id
    where coalesce(entry.payment_id, line.payment_id) in (${paymentsByNumber(plain)})
      or ${containsNumber(sql`line.merchant_reference`, plain)}`,
  unlessState: sql`state <> 'resolved'`,
  order:
    state === 'resolved'
      ? sql`difference.decided_at desc`
      : sql`(state = 'waiting') desc, difference.day`,
  ties: state === 'resolved' ? sql`difference.id desc` : sql`difference.id`,
  id: sql`difference.id`,
});

export async function findDifference(
  database: Database,
  language: Language,
  id: number,
): Promise<DifferenceShown | undefined> {
  const { rows } = await sql<DifferenceShown>`
    select ${columns(language)}
    from ${tables}
    where difference.id = ${id}`.execute(database);
  return rows[0];
}
