import {
  endPushSubscriptions,
  endSessions,
  recordSessionEnds,
  stopPendingActions,
  type SessionEndCause,
} from '#platform/auth/sessions/sessions.store.ts';
import type { Database, Transaction } from '#platform/database/database.ts';

/** Open sessions of a user that began after `since` and were used after `usedSince`, the last one first. */
export async function listOwnSessions(
  database: Database,
  userId: string,
  { since, usedSince }: { since: Date; usedSince: Date },
) {
  return database
    .selectFrom('sessions')
    .leftJoin('users as actor', 'actor.id', 'sessions.actor_id')
    .leftJoin('sessions as own', 'own.id', 'sessions.actor_session_id')
    .select([
      'sessions.id',
      'sessions.user_agent',
      'sessions.is_uae_pass',
      'sessions.created_at',
      'sessions.used_at',
      'sessions.acts_until',
      'actor.full_name as actor_name',
      'actor.full_name_ar as actor_name_ar',
    ])
    .where('sessions.user_id', '=', userId)
    .where('sessions.ended_at', 'is', null)
    .where('sessions.created_at', '>', since)
    .where('sessions.used_at', '>', usedSince)
    .where('own.ended_at', 'is', null)
    .where(({ or, eb }) =>
      or([eb('sessions.acts_until', 'is', null), eb('sessions.acts_until', '>', new Date())]),
    )
    .orderBy('sessions.used_at', 'desc')
    .orderBy('sessions.id')
    .limit(100)
    .execute();
}

/**
 * Ends one session of a user, or all, with its pending actions and the browsers of its messages. Returns
 * the number of sessions.
 */
export async function endOwnSessions(
  transaction: Transaction,
  userId: string,
  { only, ...cause }: { only?: string | undefined } & SessionEndCause,
): Promise<number> {
  const ended = await endSessions(transaction, userId, { only });
  // guard: pending actions of a session that somebody ended (pending-actions)
  await stopPendingActions(transaction, userId, { only });
  // guard: browsers of a session that ended (push-subscriptions)
  await endPushSubscriptions(transaction, userId, { only });
  await recordSessionEnds(transaction, userId, ended, cause);
  return ended.length;
}
