import type { Database } from '#platform/database/database.ts';
import { selectCountedPage } from '#platform/database/keyword-search.ts';
import { personName } from '#platform/database/lists/person-name.ts';
import { type Sql, sql } from '#platform/database/sql.ts';
import type {
  getJournal,
  JournalEntry,
  JournalSum,
  TrialBalanceRow,
} from '@diwan/contract/payments/journal';
import type { QueryOf } from '@diwan/contract/wire/call';
import type { Language } from '@diwan/contract/wire/languages';

export type JournalFilter = Omit<QueryOf<typeof getJournal>, 'PageNumber' | 'Take'>;

const and = (conditions: readonly (Sql<unknown> | undefined)[]): Sql<unknown> =>
  sql.join(
    conditions.filter((condition) => condition !== undefined),
    ' and ',
  );

/** The condition on a line; `undefined` where every line matches. */
function lineCondition({ Account, AgencyId, Provider }: JournalFilter) {
  if (!Account && !AgencyId && !Provider) return undefined;
  return and([
    Account ? sql`line.account = ${Account}` : undefined,
    AgencyId ? sql`line.agency_id = ${AgencyId}` : undefined,
    Provider ? sql`line.provider = ${Provider}` : undefined,
  ]);
}

function entryCondition(filter: JournalFilter) {
  const { From, Until, RequestNumber, MerchantReference } = filter;
  const ofLine = lineCondition(filter);
  return and([
    sql`true`,
    From ? sql`entry.day >= ${From}::date` : undefined,
    Until ? sql`entry.day <= ${Until}::date` : undefined,
    RequestNumber
      ? sql`entry.request_id = (select id from requests where number = ${RequestNumber})`
      : undefined,
    MerchantReference
      ? sql`entry.payment_id = (
          select id from payments where merchant_reference = ${MerchantReference}
        )`
      : undefined,
    ofLine
      ? sql`exists (select from ledger_lines as line where line.entry_id = entry.id and ${ofLine})`
      : undefined,
  ]);
}

const columns = (language: Language) => sql`
  entry.id, entry.day, entry.kind, entry.currency, requests.number as "requestNumber",
  payments.merchant_reference as "merchantReference", entry.note, ${personName('users', language)} as "postedBy",
  to_char(entry.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
  (
    select jsonb_agg(
      jsonb_strip_nulls(
        jsonb_build_object(
          'account', account, 'provider', provider, 'agencyName', name ->> ${language},
          'debit', greatest(amount, 0), 'credit', greatest(-amount, 0)
        )
      )
      order by line.id
    )
    from ledger_lines as line
    left join agencies
      on agencies.id = agency_id
    where entry_id = entry.id
  ) as lines`;

const tables = sql`
  ledger_entries as entry
  left join requests
    on requests.id = entry.request_id
  left join payments
    on payments.id = entry.payment_id
  left join users
    on users.id = entry.posted_by`;

type EntryRow = { [Key in keyof JournalEntry]: JournalEntry[Key] | null };

const toEntry = (row: EntryRow): JournalEntry =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as JournalEntry;

/** A page of the entries, by day and time. */
export async function selectJournal(
  database: Database,
  language: Language,
  { PageNumber, Take, ...filter }: QueryOf<typeof getJournal>,
): Promise<{ items: JournalEntry[]; totalCount: number }> {
  const { items, totalCount } = await selectCountedPage<EntryRow>(
    database,
    {
      columns: columns(language),
      from: sql`${tables} where ${entryCondition(filter)}`,
      order: sql`entry.day, entry.occurred_at`,
      ties: sql`entry.id`,
    },
    { PageNumber, Take },
  );
  return { items: items.map(toEntry), totalCount };
}

/** The debits and credits of all lines that match, by currency. */
export async function selectSums(database: Database, filter: JournalFilter): Promise<JournalSum[]> {
  const { rows } = await sql<JournalSum>`
    select currency, coalesce(sum(amount) filter (where amount > 0), 0)::bigint as debits,
      coalesce(-sum(amount) filter (where amount < 0), 0)::bigint as credits
    from ledger_entries as entry
    join ledger_lines as line
      on line.entry_id = entry.id
    where ${entryCondition(filter)}
      and ${lineCondition(filter) ?? sql`true`}
    group by currency
    order by currency`.execute(database);
  return rows;
}

const batch = 1000;

/** All entries that match, in batches. What is booked meanwhile is left out. */
export async function* readJournal(
  database: Database,
  language: Language,
  filter: JournalFilter,
): AsyncGenerator<JournalEntry[]> {
  const { rows } = await sql<{ id: number | null }>`
    select max(id) as id
    from ledger_entries`.execute(database);
  const newest = rows[0]?.id ?? 0;
  let after: Sql<unknown> = sql`true`;
  for (;;) {
    const { rows: found } = await sql<EntryRow>`
      select ${columns(language)}
      from ${tables}
      where ${entryCondition(filter)}
        and entry.id <= ${newest}
        and ${after}
      order by entry.day, entry.occurred_at, entry.id
      limit ${batch}`.execute(database);
    if (found.length > 0) yield found.map(toEntry);
    const last = found.at(-1);
    if (!last || found.length < batch) return;
    after = sql`(entry.day, entry.occurred_at, entry.id)
      > (${last.day}::date, ${last.at}::timestamptz, ${last.id})`;
  }
}

/**
 * Each account and currency for a period of days. Of closed days before it only the totals are read:
 * nothing is booked on them any more.
 */
export async function selectTrialBalance(
  database: Database,
  { From, Until }: { From: string; Until: string },
): Promise<TrialBalanceRow[]> {
  const { rows } = await sql<TrialBalanceRow>`
    with moved as (
      select account, currency, amount as opening, 0 as debit, 0 as credit
      from ledger_days
      cross join jsonb_to_recordset(totals) as total (account text, currency text, amount bigint)
      where day < ${From}::date
      union all
      select account, currency, amount, 0, 0
      from ledger_entries
      join ledger_lines
        on entry_id = ledger_entries.id
      where day < ${From}::date
        and day > coalesce(
          (select max(day) from ledger_days where day < ${From}::date), '-infinity'
        )
      union all
      select account, currency, 0, greatest(amount, 0), greatest(-amount, 0)
      from ledger_entries
      join ledger_lines
        on entry_id = ledger_entries.id
      where day between ${From}::date and ${Until}::date
    )
    select account, currency, sum(opening)::bigint as opening, sum(debit)::bigint as debits,
      sum(credit)::bigint as credits, sum(opening + debit - credit)::bigint as closing
    from moved
    group by account, currency
    order by currency, account`.execute(database);
  return rows;
}
