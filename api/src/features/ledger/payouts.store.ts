import type { Selectable, Updateable } from 'kysely';
import type { Database, Transaction } from '#platform/database/database.ts';
import { containsNumber, type PaymentList } from '#platform/database/lists/payment-lists.ts';
import { personName } from '#platform/database/lists/person-name.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { sql } from '#platform/database/sql.ts';
import type { Payee, Payout, PayoutState } from '@diwan/contract/payments/payouts';
import type { PaymentProviderName } from '@diwan/contract/payments/providers';
import type { Language } from '@diwan/contract/wire/languages';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'payouts.provider': PaymentProviderName;
    'payouts.state': PayoutState;
  }
}

/** An agency by its id, or a payment provider by its name. */
export interface PayeeKey {
  agencyId?: number | undefined;
  provider?: PaymentProviderName | undefined;
}

export type PayoutRow = Selectable<Tables['payouts']>;

/** The lines of the ledger that say what is owed to a payee: a credit is owed to it. */
export const linesOf = ({ agencyId, provider }: PayeeKey) =>
  provider
    ? sql`account = 'providerCash' and ledger_lines.provider = ${provider}`
    : sql`account in ('revenue', 'refunds', 'payouts') and ledger_lines.agency_id = ${agencyId ?? null}::int`;

const ofPayee = ({ agencyId, provider }: PayeeKey) =>
  provider
    ? sql`payouts.provider = ${provider}`
    : sql`payouts.agency_id = ${agencyId ?? null}::int`;

/** What is owed to every agency and provider of the ledger; a provider's name is left empty. */
export async function selectPayees(database: Database, language: Language): Promise<Payee[]> {
  const { rows } = await sql<{ [Key in keyof Payee]: Payee[Key] | null }>`
    with owed as (
      select agency_id, null::text as provider, currency, -sum(amount) as owed
      from ledger_lines
      join ledger_entries
        on ledger_entries.id = entry_id
      where account in ('revenue', 'refunds', 'payouts')
      group by agency_id, currency
      union all
      select null, provider, currency, -sum(amount)
      from ledger_lines
      join ledger_entries
        on ledger_entries.id = entry_id
      where account = 'providerCash'
      group by provider, currency
    )
    select owed.agency_id as "agencyId", owed.provider, coalesce(name ->> ${language}, '') as name,
      owed.currency, owed.owed::bigint as owed,
      coalesce(sum(amount) filter (where state = 'waiting'), 0)::bigint as waiting,
      max(paid_on) filter (where state = 'booked') as "paidOn"
    from owed
    left join agencies
      on agencies.id = owed.agency_id
    left join payouts
      on payouts.currency = owed.currency
        and (payouts.agency_id = owed.agency_id or payouts.provider = owed.provider)
    group by owed.agency_id, owed.provider, name, owed.currency, owed.owed
    order by owed.provider nulls first, name, owed.currency`.execute(database);
  return rows.map(
    (row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Payee,
  );
}

/** The name of an agency in each language; `undefined` where there is none. */
export async function findAgencyName(database: Database | Transaction, agencyId: number) {
  const row = await database
    .selectFrom('agencies')
    .select('name')
    .where('id', '=', agencyId)
    .executeTakeFirst();
  return row?.name;
}

/** What is owed to a payee less what waits for a second person; without the payout `exceptId`. */
export async function selectPayable(
  transaction: Transaction,
  payee: PayeeKey,
  { currency, exceptId = 0 }: { currency: string; exceptId?: number },
): Promise<number> {
  const { rows } = await sql<{ payable: number }>`
    select (
      coalesce(
        (
          select -sum(amount)
          from ledger_lines
          join ledger_entries
            on ledger_entries.id = entry_id
          where ${linesOf(payee)}
            and currency = ${currency}
        ),
        0
      ) - coalesce(
        (
          select sum(amount)
          from payouts
          where ${ofPayee(payee)}
            and currency = ${currency}
            and state = 'waiting'
            and id <> ${exceptId}
        ),
        0
      )
    )::bigint as payable`.execute(transaction);
  return rows[0]?.payable ?? 0;
}

/**
 * What a person paid out to a payee in the last 24 hours without a second person. What the bank
 * returned counts: who says so may be wrong.
 */
export async function sumPaidAlone(
  transaction: Transaction,
  payee: PayeeKey,
  { currency, userId }: { currency: string; userId: string },
): Promise<number> {
  const { rows } = await sql<{ sum: number }>`
    select coalesce(sum(amount), 0)::bigint as sum
    from payouts
    where ${ofPayee(payee)}
      and currency = ${currency}
      and requested_by = ${userId}
      and requested_at > now() - interval '24 hours'
      and state in ('booked', 'returned')
      and decided_by is null`.execute(transaction);
  return rows[0]?.sum ?? 0;
}

/** Stores a payout; `undefined` where the payee has one with this reference. */
export async function insertPayout(
  transaction: Transaction,
  row: {
    payee: PayeeKey;
    amount: number;
    currency: string;
    reference: string;
    paidOn: string;
    note: string;
    state: 'waiting' | 'booked';
    requestedBy: string;
  },
): Promise<PayoutRow | undefined> {
  return transaction
    .insertInto('payouts')
    .values({
      agency_id: row.payee.agencyId ?? null,
      provider: row.payee.provider ?? null,
      amount: row.amount,
      currency: row.currency,
      reference: row.reference,
      paid_on: row.paidOn,
      note: row.note,
      state: row.state,
      requested_by: row.requestedBy,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

export async function lockPayout(
  transaction: Transaction,
  id: number,
): Promise<PayoutRow | undefined> {
  return transaction
    .selectFrom('payouts')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export async function updatePayout(
  transaction: Transaction,
  id: number,
  row: Updateable<Tables['payouts']>,
): Promise<void> {
  await transaction
    .updateTable('payouts')
    .set({ ...row, version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
}

/** A payout as it is read. */
export type PayoutShown = Omit<Payout, 'decisions'> & { requestedById: string };

const columns = (language: Language) => sql`
  payouts.id, payouts.agency_id as "agencyId", payouts.provider,
  coalesce(name ->> ${language}, '') as name, amount, currency, reference,
  paid_on as "paidOn", note, state, ${personName('requester', language)} as "requestedBy",
  requested_by as "requestedById", ${personName('decider', language)} as "decidedBy", payouts.version`;

const tables = sql`
  payouts
  left join agencies
    on agencies.id = agency_id
  join users as requester
    on requester.id = requested_by
  left join users as decider
    on decider.id = decided_by`;

/** Those that wait first, then the newest. */
export const payoutsIn = (language: Language): PaymentList => ({
  columns: columns(language),
  tables,
  at: { day: sql`paid_on` },
  agencyId: sql`payouts.agency_id`,
  provider: sql`payouts.provider`,
  method: sql`null::text`,
  state: sql`state`,
  amount: sql`amount`,
  currency: sql`currency`,
  byNumber: (plain) => sql`
    select id
    from payouts
    where ${containsNumber(sql`reference`, plain)}`,
  order: sql`(state <> 'waiting'), paid_on desc`,
  ties: sql`payouts.id desc`,
  id: sql`payouts.id`,
});

export async function findPayout(
  database: Database,
  language: Language,
  id: number,
): Promise<PayoutShown | undefined> {
  const { rows } = await sql<PayoutShown>`
    select ${columns(language)}
    from ${tables}
    where payouts.id = ${id}`.execute(database);
  return rows[0];
}
