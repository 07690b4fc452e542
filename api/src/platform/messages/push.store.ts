import type { Database } from '../database/database.ts';

/** The subscription of a browser, unless its user is suspended. */
export const findSubscription = (database: Database, id: string) =>
  database
    .selectFrom('push_subscriptions')
    .innerJoin('users', 'users.id', 'push_subscriptions.user_id')
    .select(['endpoint', 'public_key', 'secret'])
    .where('push_subscriptions.id', '=', id)
    .where('users.suspended_at', 'is', null)
    .executeTakeFirst();

/** Deletes a subscription, because its browser shows no messages any more. */
export async function deleteSubscription(database: Database, id: string): Promise<void> {
  await database.deleteFrom('push_subscriptions').where('id', '=', id).execute();
}
