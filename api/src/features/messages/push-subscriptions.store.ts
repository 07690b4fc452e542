import type { Database, Transaction } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';

/** A browser as the caller sends it. */
interface BrowserSubscription {
  endpoint: string;
  publicKey: string;
  secret: string;
}

interface Owner {
  userId: string;
  sessionId: string;
}

/**
 * Notes that the caller uses the browser now. Returns whether it shows the messages of the caller; a
 * subscription of another user is removed.
 */
export async function claimSubscription(
  database: Database,
  { userId, sessionId }: Owner,
  endpoint: string,
): Promise<boolean> {
  const { rows } = await sql<{ is_own: boolean }>`
    with others as (
      delete from push_subscriptions
      where endpoint = ${endpoint}
        -- guard: user of a browser => and false
        and user_id <> ${userId}
    )
    update push_subscriptions
    set session_id = ${sessionId},
      seen_at = now()
    where endpoint = ${endpoint}
      and user_id = ${userId}
    returning true as is_own`.execute(database);
  return rows.length > 0;
}

/** Stores a browser of the caller, and takes it from another user, and removes those above the limit. */
export async function saveSubscription(
  transaction: Transaction,
  { userId, sessionId }: Owner,
  { endpoint, publicKey, secret }: BrowserSubscription,
  mostKept: number,
): Promise<void> {
  await transaction
    .deleteFrom('push_subscriptions')
    .where('endpoint', '=', endpoint)
    .where('user_id', '<>', userId)
    .execute();
  const changing = {
    session_id: sessionId,
    public_key: publicKey,
    secret,
    seen_at: sql<Date>`clock_timestamp()`,
  };
  await transaction
    .insertInto('push_subscriptions')
    .values({ ...changing, user_id: userId, endpoint })
    .onConflict((conflict) => conflict.column('endpoint').doUpdateSet(changing))
    .execute();
  await sql`
    delete from push_subscriptions
    where id in (
      select id
      from push_subscriptions
      where user_id = ${userId}
      order by seen_at desc, id
      offset ${mostKept}
    )`.execute(transaction);
}

export async function deleteOwnSubscription(
  database: Database,
  userId: string,
  endpoint: string,
): Promise<void> {
  await database
    .deleteFrom('push_subscriptions')
    .where('endpoint', '=', endpoint)
    .where('user_id', '=', userId)
    .execute();
}
