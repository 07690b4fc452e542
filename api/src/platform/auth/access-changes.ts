import type { Database } from '../database/database.ts';
import { notifyListeners, type Notifications } from '../database/notifications.ts';

// All processes listen to this channel. The payload is the id of a user.
const channel = 'diwan_access';

/**
 * Tells all processes that sessions of a user have ended or that their roles have changed, so that
 * live connections are checked immediately. Is called after the commit. Never throws: the regular
 * check of a connection finds the change too, within seconds.
 */
export async function announceAccessChange(database: Database, userId: string): Promise<void> {
  await notifyListeners(database, channel, userId).catch(() => undefined);
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
