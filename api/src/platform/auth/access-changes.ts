import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Notifications } from '../database/notifications.ts';

// All processes listen to this channel. The payload is the id of a user.
const channel = 'diwan_access';

/**
 * Tells all processes that sessions of a user have ended or that their roles have changed, so that
 * live connections are checked at once. Is called after the commit. The regular check of a
 * connection finds the change too, within seconds, where this fails.
 */
export async function announceAccessChange(database: Database, userId: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${userId})`.execute(database);
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
