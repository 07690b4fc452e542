import { randomUUID } from 'node:crypto';
import type { Database, Transaction } from '#platform/database/database.ts';
import { openSharedStatement } from '#platform/database/shared-statement.ts';
import { idleLimitMs } from '../caller.ts';
import type { TokenClaims, TokenContext } from './session-tokens.ts';
import * as store from './sessions.store.ts';

// Two tabs may send the same old token within this time. Later, a reused token counts as stolen.
const reuseGraceMs = 10_000;

// The use of a session is written at most once in this time.
const useIntervalMs = 60_000;

/** Whether a session is younger than its maximum age. */
export const isAlive = (
  { config }: TokenContext,
  session: { created_at: Date; acts_until: Date | null },
): boolean =>
  // guard: age of a session (sessions)
  session.created_at.getTime() + config.SESSION_SECONDS * 1000 > Date.now() &&
  // guard: end of acting (acting)
  (session.acts_until?.getTime() ?? Infinity) > Date.now();

/** Whether a session was unused for longer than its roles allow. */
export const isIdle = (
  { config }: TokenContext,
  { usedAt, roles, isActing }: { usedAt: Date; roles: readonly string[]; isActing: boolean },
): boolean => usedAt.getTime() + idleLimitMs(roles, isActing, config) <= Date.now();

/** Records that sessions of a call are used, at most once a minute. */
export type RecordUse = (
  session: { used_at: Date },
  ids: readonly (string | null)[],
) => Promise<void>;

/** Makes a `RecordUse` that writes the uses of one moment by one statement. */
export function openUseRecorder(database: Database): RecordUse {
  const usedBefore = () => new Date(Date.now() - useIntervalMs);
  const write = openSharedStatement<readonly string[], void>(async (used) => {
    await store.updateUse(database, used.flat(), usedBefore());
    return used.map(() => undefined);
  });
  return async (session, ids) => {
    if (session.used_at <= usedBefore()) await write(ids.filter((id) => id !== null));
  };
}

/**
 * Replaces the token of a session. `undefined` when the session has ended, or ends now because an
 * old token was used again.
 */
export async function rotateToken(
  context: TokenContext,
  transaction: Transaction,
  claims: TokenClaims,
  address: string | undefined,
): Promise<{ session: store.SessionRow; tokenId: string } | undefined> {
  const session = await store.lockSession(transaction, claims.sid);
  if (!session || session.ended_at || !isAlive(context, session)) return undefined;
  // A session in which an employee acts ends with the employee's own session.
  const ownId = session.actor_session_id;
  if (ownId !== null && (await store.hasSessionEnded(transaction, ownId))) return undefined;
  const roles = await store.selectRoles(transaction, session.user_id);
  if (
    isIdle(context, {
      usedAt: session.used_at,
      roles,
      isActing: session.actor_id !== null,
    })
  )
    return undefined;
  if (session.token_id === claims.jti) {
    const tokenId = randomUUID();
    await store.updateToken(transaction, session.id, { tokenId, previous: claims.jti });
    return { session, tokenId };
  }
  // guard: second use of a token (sessions) => true
  if (
    session.previous_token_id === claims.jti &&
    session.rotated_at.getTime() + reuseGraceMs > Date.now()
  )
    return { session, tokenId: session.token_id };
  const ended = await store.endSessions(transaction, session.user_id, { only: session.id });
  // guard: pending actions of a session whose old token is used again (pending-actions)
  await store.stopPendingActions(transaction, session.user_id, { only: session.id });
  await store.recordSessionEnds(transaction, session.user_id, ended, {
    reason: 'tokenReused',
    address,
  });
  return undefined;
}
