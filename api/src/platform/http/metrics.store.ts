import type { Database } from '../database/database.ts';
import { sql } from '../database/sql.ts';

/** How many payments the provider has not decided. */
export async function countPendingPayments(database: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count
    from payments
    where status = 'pending'`.execute(database);
  return rows[0]?.count ?? 0;
}

/** For how many seconds the oldest change has waited to be folded into the figures. */
export async function readFiguresLag(database: Database): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(extract(epoch from now() - min(at)), 0)::float8 as seconds
    from figure_changes`.execute(database);
  return rows[0]?.seconds ?? 0;
}

/** How many documents wait for a scan. */
export async function countWaitingDocuments(database: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (
      select count(*)
      from attachments
      where scan_state = 'waiting'
    ) + (
      select count(*)
      from partner_documents
      where scan_state = 'waiting'
    ) + (
      select count(*)
      from complaint_documents
      where scan_state = 'waiting'
    ) as count`.execute(database);
  return rows[0]?.count ?? 0;
}

/** How many messages of each channel wait for a gateway, and how many have failed. */
export async function countMessages(
  database: Database,
): Promise<{ channel: string; state: string; count: number }[]> {
  const { rows } = await sql<{ channel: string; state: string; count: number }>`
    select channel, state, count(messages.id) as count
    from unnest(array['email', 'sms', 'push']) as channel
    cross join unnest(array['waiting', 'failed']) as state
    left join messages using (channel, state)
    where state in ('waiting', 'failed')
    group by channel, state`.execute(database);
  return rows;
}
