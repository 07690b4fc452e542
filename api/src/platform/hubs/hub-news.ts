import { sql } from 'kysely';
import type { Database, Transaction } from '../database/database.ts';

/** Something that happened, and the audiences of a hub that hear of it. */
export interface News {
  hub: string;
  event: string;
  audiences: readonly string[];
}

/** News as one audience hears it; `sequence` counts within hub and audience. */
export interface ToldNews {
  hub: string;
  event: string;
  audience: string;
  sequence: number;
}

/** The channel that all processes listen to; PostgreSQL keeps one a database. */
export const channel = 'diwan_hubs';
const mostAtOnce = 200;
// A notification holds 8000 bytes.
const newsPerNotification = 50;

/**
 * Writes news down in the transaction that it speaks of: what is rolled back is never told, what is
 * committed is told even if this process dies.
 */
export async function writeNews(transaction: Transaction, news: readonly News[]): Promise<void> {
  if (news.length > 0)
    await transaction
      .insertInto('hub_news')
      .values(news.map(({ hub, event, audiences }) => ({ hub, event, audiences: [...audiences] })))
      .execute();
}

// The rows of positions are touched in the order of their key, so that two processes that pass each
// other cannot wait for one another.
async function numberNews(
  transaction: Transaction,
  told: readonly Omit<ToldNews, 'sequence'>[],
): Promise<ToldNews[]> {
  const keyOf = ({ hub, audience }: { hub: string; audience: string }) => `${hub} ${audience}`;
  const counts = new Map<string, { hub: string; audience: string; position: number }>();
  for (const each of told)
    counts.set(keyOf(each), {
      hub: each.hub,
      audience: each.audience,
      position: (counts.get(keyOf(each))?.position ?? 0) + 1,
    });
  const steps = [...counts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, step]) => step);
  const reached = await transaction
    .insertInto('hub_positions')
    .values(steps)
    .onConflict((conflict) =>
      conflict.columns(['hub', 'audience']).doUpdateSet((eb) => ({
        position: eb('hub_positions.position', '+', eb.ref('excluded.position')),
      })),
    )
    .returningAll()
    .execute();
  const next = new Map(
    reached.map((row) => [keyOf(row), row.position - (counts.get(keyOf(row))?.position ?? 0)]),
  );
  return told.map((each) => {
    const sequence = (next.get(keyOf(each)) ?? 0) + 1;
    next.set(keyOf(each), sequence);
    return { ...each, sequence };
  });
}

/**
 * Tells all processes what was written down, in a transaction of its own that holds no business.
 * Answers whether there may be more.
 */
export async function sendNews(database: Database): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const { rows } = await sql<News & { id: number }>`
      delete from hub_news where id = any(array(select id from hub_news order by id limit ${mostAtOnce} for update skip locked)) returning id, hub, event, audiences`.execute(
      transaction,
    );
    if (rows.length === 0) return false;
    const inOrder = rows.sort((one, other) => one.id - other.id);
    const told = await numberNews(
      transaction,
      inOrder.flatMap(({ hub, event, audiences }) =>
        audiences.map((audience) => ({ hub, event, audience })),
      ),
    );
    for (let first = 0; first < told.length; first += newsPerNotification) {
      await sql`select pg_notify(${channel}, ${JSON.stringify(told.slice(first, first + newsPerNotification))})`.execute(
        transaction,
      );
    }
    return rows.length === mostAtOnce;
  });
}
