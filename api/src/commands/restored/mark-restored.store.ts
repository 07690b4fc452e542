import type { Database, Transaction } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import type { MessageState } from '@diwan/contract/requests/messages';

/** Stores that the database was restored to a time. Returns the id of the restore. */
export async function insertRestore(transaction: Transaction, restoredTo: Date): Promise<number> {
  const { id } = await transaction
    .insertInto('restores')
    .values({ restored_to: restoredTo })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Pauses every message that waits. Returns their ids. */
export async function pauseWaiting(transaction: Transaction): Promise<string[]> {
  const rows = await transaction
    .updateTable('messages')
    .set({ state: 'paused', lease: null, leased_until: null })
    .where('state', '=', 'waiting')
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** What became of a message in the database of before the restore. */
interface FormerMessage {
  id: string;
  state: MessageState;
  ended_at: Date | null;
}

/** The messages of before the restore that have these ids. */
export function selectMessages(former: Database, ids: readonly string[]): Promise<FormerMessage[]> {
  return former
    .selectFrom('messages')
    .select(['id', 'state', 'ended_at'])
    .where('id', 'in', ids)
    .execute();
}

/** Gives messages the state that they had before the restore. */
export async function copyStates(
  transaction: Transaction,
  messages: readonly FormerMessage[],
): Promise<void> {
  await sql`
    update messages
    set state = former.state,
      ended_at = former.ended_at
    from jsonb_to_recordset(${JSON.stringify(messages)}::jsonb)
      as former (id uuid, state text, ended_at timestamptz)
    where messages.id = former.id`.execute(transaction);
}

/** The last number of each series of invoices, receipts, credit notes and certificates. */
export async function selectCounters(database: Database | Transaction) {
  return database.selectFrom('invoice_counters').selectAll().orderBy('series').execute();
}

/** The last id that a request was given; 0 where there is none. */
export async function findLastRequestId(database: Database | Transaction): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    select coalesce(max(last_value), 0)::bigint as last
    from pg_sequences
    where schemaname = 'public'
      and sequencename = 'requests_id_seq'`.execute(database);
  return rows[0]?.last ?? 0;
}

// The newest rows tell how many a day may have.
const looksBack = 100_000;

/** How many numbers the busiest of the last days of each series took. */
export async function countBusiestDays(
  transaction: Transaction,
): Promise<{ series: string; count: number }[]> {
  const { rows } = await sql<{ series: string; count: number }>`
    select series, max(count)::bigint as count
    from (
      select series, day_in_dubai(issued_at) as day, count(*) as count
      from (
        select series, sequence, issued_at
        from invoices
        union all
        select series, sequence, issued_at
        from certificates
      ) as issued
      join invoice_counters
        using (series)
      where sequence > last_sequence - ${looksBack}
      group by series, day
    ) as days
    group by series`.execute(transaction);
  return rows;
}

/** How many requests the busiest of the last days had. */
export async function countBusiestRequests(transaction: Transaction): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(max(count), 0)::bigint as count
    from (
      select count(*) as count
      from requests
      where id > (select max(id) from requests) - ${looksBack}
      group by day_in_dubai(created_at)
    ) as days`.execute(transaction);
  return rows[0]?.count ?? 0;
}

/** Continues a series after a number. What is skipped is stored with the restore. */
export async function skipNumbers(
  transaction: Transaction,
  restoreId: number,
  { series, first, last }: { series: string; first: number; last: number },
): Promise<void> {
  await transaction
    .insertInto('invoice_counters')
    .values({ series, last_sequence: last })
    .onConflict((conflict) => conflict.column('series').doUpdateSet({ last_sequence: last }))
    .execute();
  await transaction
    .insertInto('skipped_numbers')
    .values({ series, first, last, restore_id: restoreId })
    .execute();
}

/** Takes ids of requests that no request gets. The role of the server may not set a sequence. */
export async function skipRequestIds(transaction: Transaction, count: number): Promise<void> {
  await sql`
    select nextval('requests_id_seq')
    from generate_series(1, ${count})`.execute(transaction);
}
