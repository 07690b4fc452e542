import type { Database, Transaction } from '#platform/database/database.ts';
import { selectCountedPage } from '#platform/database/keyword-search.ts';
import { personName } from '#platform/database/lists/person-name.ts';
import { sql } from '#platform/database/sql.ts';
import type {
  ClosingContent,
  ClosingState,
  LedgerClosing,
} from '@diwan/contract/payments/closings';
import type { Language } from '@diwan/contract/wire/languages';

/** What was closed, with the path of the portal's logo of that time. */
type StoredClosing = ClosingContent & { portalLogo?: string };

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'ledger_closings.state': ClosingState;
    'ledger_closings.content': StoredClosing;
  }
}

/**
 * The days after the last closed one up to a day, with their sums. The hash is that of one line of
 * text for each line of an entry, in the order of their ids: decision 0131.
 */
export async function selectContent(
  database: Database | Transaction,
  until: string,
): Promise<ClosingContent> {
  const { rows } = await sql<ClosingContent>`
    with line as (
      select entry.id as entry_id, line.id, day, kind, source, currency, account, provider, agency_id,
        amount, to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
      from ledger_entries as entry
      join ledger_lines as line
        on line.entry_id = entry.id
      where day > coalesce((select max(day) from ledger_days), '-infinity')
        and day <= ${until}::date
    ), sum as (
      select account, currency, provider,
        coalesce(sum(amount) filter (where amount > 0), 0)::bigint as debits,
        coalesce(-sum(amount) filter (where amount < 0), 0)::bigint as credits
      from line
      group by account, currency, provider
    )
    select array(select distinct day::text from line order by 1) as days,
      (select count(distinct entry_id)::int from line) as entries,
      (
        select coalesce(jsonb_agg(each order by currency, account), '[]')
        from (
          select account, currency, sum(debits)::bigint as debits, sum(credits)::bigint as credits
          from sum
          group by account, currency
        ) as each
      ) as accounts,
      (
        select coalesce(jsonb_agg(each order by provider, currency, account), '[]')
        from (
          select provider, account, currency, debits, credits
          from sum
          where provider is not null
        ) as each
      ) as providers,
      (
        select encode(
          sha256(
            convert_to(
              coalesce(
                string_agg(
                  concat_ws(
                    '|', entry_id, id, day, kind, source, currency, at, account,
                    coalesce(provider, ''), coalesce(agency_id::text, ''), amount
                  ),
                  E'\n'
                  order by entry_id, id
                ),
                ''
              ),
              'UTF8'
            )
          ),
          'hex'
        )
        from line
      ) as hash`.execute(database);
  const [content] = rows;
  if (!content) throw new Error('The ledger was not read');
  return content;
}

/** Stores a closing; false where another one waits. */
export async function insertClosing(
  transaction: Transaction,
  row: { from: string; until: string; askedBy: string | null; content: StoredClosing | null },
): Promise<boolean> {
  const { content } = row;
  const inserted = await transaction
    .insertInto('ledger_closings')
    .values({
      from_day: row.from,
      until_day: row.until,
      state: content ? 'closed' : 'waiting',
      asked_by: row.askedBy,
      content: content ? JSON.stringify(content) : null,
      ...(content ? { decided_at: sql<Date>`now()` } : {}),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Whether a closing waits for a second person. */
export async function hasWaiting(transaction: Transaction): Promise<boolean> {
  const row = await transaction
    .selectFrom('ledger_closings')
    .select('id')
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  return row !== undefined;
}

export function lockClosing(transaction: Transaction, id: number) {
  return transaction
    .selectFrom('ledger_closings')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export async function decideClosing(
  transaction: Transaction,
  id: number,
  row: { decidedBy: string; content: StoredClosing | null },
): Promise<void> {
  await transaction
    .updateTable('ledger_closings')
    .set({
      state: row.content ? 'closed' : 'refused',
      decided_by: row.decidedBy,
      decided_at: new Date(),
      content: row.content ? JSON.stringify(row.content) : null,
    })
    .where('id', '=', id)
    .execute();
}

/** A closing as it is read. */
export type ClosingShown = Omit<LedgerClosing, 'isOwn'> & { askedById: string | null };

const columns = (language: Language) => sql`
  ledger_closings.id, from_day as "from", until_day as until, state,
  to_char(asked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "askedAt",
  ${personName('asker', language)} as "askedBy", ${personName('decider', language)} as "decidedBy",
  asked_by as "askedById"`;

const tables = sql`
  ledger_closings
  left join users as asker
    on asker.id = asked_by
  left join users as decider
    on decider.id = decided_by`;

/** The one that waits first, then the newest. */
export function selectClosings(
  database: Database,
  language: Language,
  page: { PageNumber: number; Take: number },
): Promise<{ items: ClosingShown[]; totalCount: number }> {
  return selectCountedPage<ClosingShown>(
    database,
    {
      columns: columns(language),
      from: tables,
      order: sql`(state <> 'waiting')`,
      ties: sql`ledger_closings.id desc`,
    },
    page,
  );
}

/** A closing with what was closed, and when. */
export async function findClosing(
  database: Database,
  language: Language,
  id: number,
): Promise<(ClosingShown & { content: StoredClosing | null; decidedAt: Date | null }) | undefined> {
  const { rows } = await sql<
    ClosingShown & { content: StoredClosing | null; decidedAt: Date | null }
  >`
    select ${columns(language)}, content, decided_at as "decidedAt"
    from ${tables}
    where ledger_closings.id = ${id}`.execute(database);
  return rows[0];
}
