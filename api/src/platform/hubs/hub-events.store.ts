import type { Database, Transaction } from '../database/database.ts';
import { insertRows, type Sql, sql } from '../database/sql.ts';

/** An event, and the audiences of a hub that receive it. */
export interface HubEvent {
  hub: string;
  event: string;
  audiences: readonly string[];
}

/** What is counted: events of a hub and an audience, or notifications. */
export interface Counter {
  hub: string;
  audience: string;
}

/**
 * The write that stores events, in the transaction of the change that they are about. Events of a
 * transaction that is rolled back are never published. Events of a committed one are published even
 * if this process dies.
 */
export function insertHubEvents(events: readonly HubEvent[]): Sql | undefined {
  const [first, ...others] = events.map(({ hub, event, audiences }) => ({
    hub,
    event,
    audiences: [...audiences],
  }));
  return first && insertRows('hub_news', [first, ...others]);
}

/** Adds steps to the positions of counters, and returns the positions that they reach. */
export const addToPositions = (
  transaction: Transaction,
  steps: readonly (Counter & { position: number })[],
): Promise<(Counter & { position: number })[]> =>
  transaction
    .insertInto('hub_positions')
    .values([...steps])
    .onConflict((conflict) =>
      conflict.columns(['hub', 'audience']).doUpdateSet((eb) => ({
        position: eb('hub_positions.position', '+', eb.ref('excluded.position')),
      })),
    )
    .returningAll()
    .execute();

/** Ends the transaction when its process pauses for longer than this. */
export async function limitPause(transaction: Transaction, milliseconds: number): Promise<void> {
  await sql`
    select set_config('idle_in_transaction_session_timeout', ${String(milliseconds)}, true)
  `.execute(transaction);
}

/** Takes the oldest stored events, in their order. */
export async function takeEvents(transaction: Transaction, maximum: number): Promise<HubEvent[]> {
  const { rows } = await sql<HubEvent & { id: number }>`
    delete from hub_news
    where id = any(array(
      select id
      from hub_news
      order by id
      limit ${maximum}
    ))
    returning id, hub, event, audiences`.execute(transaction);
  return rows.sort((one, other) => one.id - other.id);
}

/** The position of a counter, and whether events wait to be published. */
export async function readPosition(
  database: Database,
  { hub, audience }: Counter,
): Promise<{ sent: number; isWaiting: boolean }> {
  const { rows } = await sql<{ sent: number; isWaiting: boolean }>`
    select
      coalesce((
        select position
        from hub_positions
        where hub = ${hub}
          and audience = ${audience}
      ), 0)::bigint as sent,
      exists (select from hub_news) as "isWaiting"`.execute(database);
  return rows[0] as (typeof rows)[number];
}
