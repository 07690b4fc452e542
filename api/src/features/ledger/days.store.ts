import type { Database, Transaction } from '#platform/database/database.ts';
import { selectCountedPage } from '#platform/database/keyword-search.ts';
import { personName } from '#platform/database/lists/person-name.ts';
import { sql } from '#platform/database/sql.ts';
import type { LedgerBalance, LedgerDay, LedgerTotal } from '@diwan/contract/payments/ledger';
import type { Language } from '@diwan/contract/wire/languages';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'ledger_days.totals': LedgerTotal[];
  }
}

/** The balance of each account, by provider, agency and currency. */
export async function selectBalances(
  database: Database,
  language: Language,
): Promise<LedgerBalance[]> {
  const { rows } = await sql<{ [Key in keyof LedgerBalance]: LedgerBalance[Key] | null }>`
    select account, case when account like 'provider%' then provider end as provider, currency,
      case when account in ('revenue', 'refunds', 'providerCharges', 'payouts') then agency_id end as "agencyId",
      case when account in ('revenue', 'refunds', 'providerCharges', 'payouts') then name ->> ${language} end
        as "agencyName",
      coalesce(sum(amount) filter (where amount > 0), 0)::bigint as debits,
      coalesce(-sum(amount) filter (where amount < 0), 0)::bigint as credits,
      sum(amount)::bigint as balance
    from ledger_lines
    join ledger_entries
      on ledger_entries.id = entry_id
    left join agencies
      on agencies.id = agency_id
    group by 1, 2, 3, 4, 5
    order by account, provider, "agencyName", currency`.execute(database);
  return rows.map(
    (row) =>
      Object.fromEntries(
        Object.entries(row).filter(([, value]) => value !== null),
      ) as LedgerBalance,
  );
}

interface DayRow extends Omit<LedgerDay, 'totals' | 'closedAt' | 'closedBy'> {
  totals: LedgerTotal[] | null;
  closedAt: string | null;
  closedBy?: string | null;
}

const totalsOf = (day: ReturnType<typeof sql>) => sql`(
  select coalesce(jsonb_agg(total order by total.account, total.currency), '[]')
  from (
    select account, currency, sum(amount)::bigint as amount
    from ledger_entries
    join ledger_lines
      on entry_id = ledger_entries.id
    where ledger_entries.day = ${day}
    group by account, currency
  ) as total
)`;

// Money at a provider with no settlement file of its day.
const missingOf = (day: ReturnType<typeof sql>) => sql`
  array(
    select distinct provider
    from ledger_entries
    join ledger_lines
      on entry_id = ledger_entries.id
    where kind in ('received', 'refund')
      and account = 'providerCash'
      and ledger_entries.day = ${day}
      and not exists (
        select
        from settlement_files
        where settlement_files.provider = ledger_lines.provider
          and settlement_files.day = ledger_entries.day
          and withdrawn_at is null
      )
    order by provider
  )`;

const dayColumns = sql`
  day,
  coalesce(
    closed.entries, (select count(*)::int from ledger_entries where ledger_entries.day = days.day)
  ) as entries,
  coalesce(closed.totals, ${totalsOf(sql`days.day`)}) as totals,
  (
    select count(*)::int
    from settlement_differences
    where settlement_differences.day = days.day
      and state <> 'resolved'
  ) as "openDifferences",
  case when closed.day is null then ${missingOf(sql`days.day`)} else '{}' end as "missingSettlements",
  (
    select count(*)::int
    from settlement_withdrawals
    join settlement_files
      on settlement_files.id = file_id
    where settlement_files.day = days.day
      and state = 'waiting'
  ) as "waitingWithdrawals",
  to_char(closed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "closedAt"`;

// Nobody has closed an open day.
const shownColumns = (language: Language) => sql`
  ${dayColumns}, ${personName('users', language)} as "closedBy"`;

const dayTables = sql`
  (
    select day from ledger_entries
    union
    select day from ledger_days
    union
    select day
    from settlement_differences
    where state <> 'resolved'
      and day > coalesce((select max(day) from ledger_days), '-infinity')
  ) as days
  left join ledger_days as closed using (day)
  left join users
    on users.id = closed_by`;

const toDay = ({ totals, closedAt, closedBy, ...row }: DayRow): LedgerDay => ({
  ...row,
  totals: totals ?? [],
  ...(closedAt ? { closedAt } : {}),
  ...(closedBy ? { closedBy } : {}),
});

/** Days with entries and closed days, the newest first. */
export async function selectDays(
  database: Database,
  language: Language,
  page: { PageNumber: number; Take: number },
): Promise<{ items: LedgerDay[]; totalCount: number }> {
  const { items, totalCount } = await selectCountedPage<DayRow>(
    database,
    { columns: shownColumns(language), from: dayTables, ties: sql`days.day desc` },
    page,
  );
  return { items: items.map(toDay), totalCount };
}

/** The open days up to a day that have entries or unresolved differences, the oldest first. */
export async function selectOpenDays(
  database: Database | Transaction,
  until: string,
): Promise<LedgerDay[]> {
  const { rows } = await sql<DayRow>`
    select ${dayColumns}
    from ${dayTables}
    where days.day > coalesce((select max(day) from ledger_days), '-infinity')
      and days.day <= ${until}::date
    order by days.day`.execute(database);
  return rows.map(toDay);
}

export async function findDay(
  database: Database,
  language: Language,
  day: string,
): Promise<LedgerDay | undefined> {
  const { rows } = await sql<DayRow>`
    select ${shownColumns(language)}
    from ${dayTables}
    where days.day = ${day}::date`.execute(database);
  return rows[0] && toDay(rows[0]);
}

/** The last closed day; `undefined` before the first. */
export async function findLastClosed(transaction: Transaction): Promise<string | undefined> {
  const { rows } = await sql<{ day: string | null }>`
    select max(day) as day
    from ledger_days`.execute(transaction);
  return rows[0]?.day ?? undefined;
}

/** Waits for entries that are being written, and lets none begin until the transaction ends. */
export async function lockDays(transaction: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('ledger', 0))`.execute(transaction);
}

/** Lets no day be closed until the transaction ends, as each entry that is written does. */
export async function shareDays(transaction: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended('ledger', 0))`.execute(
    transaction,
  );
}

/** Closes a day with its totals. */
export async function insertClosed(
  transaction: Transaction,
  day: string,
  closedBy: string | null,
): Promise<void> {
  await sql`
    insert into ledger_days (day, totals, entries, closed_by)
    select ${day}::date, ${totalsOf(sql`${day}::date`)},
      (select count(*) from ledger_entries where ledger_entries.day = ${day}::date), ${closedBy}`.execute(
    transaction,
  );
}
