import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Database, Transaction } from '../database/database.ts';
import type { Tables } from '../database/schema.generated.ts';
import { openSharedStatement } from '../database/shared-statement.ts';
import { recordAudit } from './audit.ts';
import { idleLimitMs } from './caller.ts';
import type { TokenClaims, TokenContext } from './session-tokens.ts';

// Two tabs may send the same old token within this time. Later, a reused token counts as stolen.
const reuseGraceMs = 10_000;

// The use of a session is written at most once in this time.
const useIntervalMs = 60_000;

/** A session as it is stored. */
export type SessionRow = Selectable<Tables['sessions']>;

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
    // A row that is locked is being written by another call, or its session ends.
    const unrecorded = database
      .selectFrom('sessions')
      .select('id')
      .where((eb) => eb('id', '=', eb.fn.any(eb.val(used.flat()))))
      .where('used_at', '<=', usedBefore())
      .forUpdate()
      .skipLocked();
    await database
      .updateTable('sessions')
      .set({ used_at: new Date() })
      .where('id', 'in', unrecorded)
      .execute();
    return used.map(() => undefined);
  });
  return async (session, ids) => {
    if (session.used_at <= usedBefore()) await write(ids.filter((id) => id !== null));
  };
}

// A session in which an employee acts ends with the employee's own session.
async function hasActorSessionEnded(
  transaction: Transaction,
  session: Pick<SessionRow, 'actor_session_id'>,
): Promise<boolean> {
  if (!session.actor_session_id) return false;
  const own = await transaction
    .selectFrom('sessions')
    .select('ended_at')
    .where('id', '=', session.actor_session_id)
    .executeTakeFirst();
  return Boolean(own?.ended_at);
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
): Promise<{ session: SessionRow; tokenId: string } | undefined> {
  const session = await transaction
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', claims.sid)
    .forUpdate()
    .executeTakeFirst();
  if (!session || session.ended_at || !isAlive(context, session)) return undefined;
  if (await hasActorSessionEnded(transaction, session)) return undefined;
  const user = await transaction
    .selectFrom('users')
    .select('roles')
    .where('id', '=', session.user_id)
    .executeTakeFirstOrThrow();
  if (
    isIdle(context, {
      usedAt: session.used_at,
      roles: user.roles,
      isActing: session.actor_id !== null,
    })
  )
    return undefined;
  if (session.token_id === claims.jti) {
    const tokenId = randomUUID();
    await transaction
      .updateTable('sessions')
      .set({ token_id: tokenId, previous_token_id: claims.jti, rotated_at: new Date() })
      .where('id', '=', session.id)
      .execute();
    return { session, tokenId };
  }
  // guard: second use of a token (sessions) => true
  if (
    session.previous_token_id === claims.jti &&
    session.rotated_at.getTime() + reuseGraceMs > Date.now()
  )
    return { session, tokenId: session.token_id };
  await transaction
    .updateTable('sessions')
    .set({ ended_at: new Date() })
    .where('id', '=', session.id)
    .execute();
  await recordAudit(transaction, {
    kind: 'sessionEnded',
    userId: session.user_id,
    sessionId: session.id,
    address,
    reason: 'tokenReused',
  });
  return undefined;
}
