import { recordAudit } from '../../platform/audit.ts';
import type { sessionEnds } from '@diwan/contract/audit';
import type { Database, Transaction } from '../../platform/database.ts';

/** The sessions of a user that began after `since` and go on, the latest seen first. */
export async function listOwnSessions(database: Database, userId: string, since: Date) {
  return database.selectFrom('sessions').select(['id', 'user_agent', 'is_uae_pass', 'created_at', 'rotated_at'])
    .where('user_id', '=', userId).where('ended_at', 'is', null).where('created_at', '>', since).orderBy('rotated_at', 'desc').orderBy('id').limit(100).execute();
}

/** Ends one session of a user, or all; the reply is how many. */
export async function endOwnSessions(transaction: Transaction, userId: string, { only, reason, address }: { only?: string | undefined; reason: (typeof sessionEnds)[number]; address: string }): Promise<number> {
  const all = transaction.updateTable('sessions').set({ ended_at: new Date() }).where('user_id', '=', userId).where('ended_at', 'is', null);
  const ended = await (only === undefined ? all : all.where('id', '=', only)).returning('id').execute();
  await recordAudit(transaction, ...ended.map(({ id }) => ({ kind: 'sessionEnded' as const, userId, sessionId: id, address, reason })));
  return ended.length;
}
