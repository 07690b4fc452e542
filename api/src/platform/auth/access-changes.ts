import type { Database, Transaction } from '../database/database.ts';
import type { Notifications } from '../database/notifications.ts';
import { sql } from '../database/sql.ts';

// All processes listen to this channel. The payload is the id of a user.
const channel = 'diwan_access';

/**
 * Tells all processes that sessions of a user have ended or that their roles have changed, so that
 * live connections are checked immediately. Is called after the commit. Never throws: the regular
 * check of a connection finds the change too, within seconds.
 */
export async function announceAccessChange(database: Database, userId: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${userId})`.execute(database).catch(() => undefined);
}

/**
 * Calls `onChange` with the id of a user whose access has changed, and without one when changes
 * may be missing.
 */
export function listenToAccessChanges(
  notifications: Notifications,
  onChange: (userId?: string) => void,
): Promise<void> {
  return notifications.listen(channel, onChange, () => onChange());
}

/**
 * Removes the browsers to which messages of a user go, because somebody has ended their session: those
 * of one session, or all but those of the session that stays. Decision 0081.
 */
export async function endPushSubscriptions(
  transaction: Transaction,
  userId: string,
  ended: { only: string } | { except: string | null },
): Promise<void> {
  const own = transaction.deleteFrom('push_subscriptions').where('user_id', '=', userId);
  await (
    'only' in ended
      ? own.where('session_id', '=', ended.only)
      : own.where('session_id', 'is distinct from', ended.except)
  ).execute();
}
