import type { Database } from '../database/database.ts';
import { effectiveRoles, findRestriction, idleLimitMs, type Caller } from './caller.ts';
import { secondFactorColumns } from './second-factor-policy.ts';
import { verifyToken, type TokenContext } from './session-tokens.ts';

// The use of a session is written at most once in this time.
const useIntervalMs = 60_000;

/** Whether a session is younger than its maximum age. */
export const isAlive = (
  { config }: TokenContext,
  session: { created_at: Date; acts_until: Date | null },
): boolean =>
  session.created_at.getTime() + config.SESSION_SECONDS * 1000 > Date.now() &&
  (session.acts_until?.getTime() ?? Infinity) > Date.now();

/** Whether a session was unused for longer than its roles allow. */
export const isIdle = (
  { config }: TokenContext,
  { usedAt, roles, isActing }: { usedAt: Date; roles: readonly string[]; isActing: boolean },
): boolean => usedAt.getTime() + idleLimitMs(roles, isActing, config) <= Date.now();

/** Writes that sessions are used, at most once a minute. */
export async function recordUse(
  database: Database,
  session: { used_at: Date },
  ids: readonly (string | null)[],
): Promise<void> {
  const before = new Date(Date.now() - useIntervalMs);
  if (session.used_at > before) return;
  await database
    .updateTable('sessions')
    .set({ used_at: new Date() })
    .where(
      'id',
      'in',
      ids.filter((id) => id !== null),
    )
    .where('used_at', '<=', before)
    .execute();
}

const selectCaller = ({ database, config }: TokenContext, sessionId: string) =>
  database
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('partners', 'partners.id', 'users.partner_id')
    .leftJoin('companies', 'companies.id', 'users.company_id')
    .leftJoin('users as actor', 'actor.id', 'sessions.actor_id')
    .leftJoin('sessions as own', 'own.id', 'sessions.actor_session_id')
    .select([
      'actor.id as actorId',
      'actor.full_name as actorName',
      'actor.roles as actorRoles',
      'actor.suspended_at as actorSuspendedAt',
      'own.ended_at as ownEndedAt',
      'own.id as ownId',
      'own.created_at as ownCreatedAt',
      'own.used_at as ownUsedAt',
      'sessions.acts_until',
      'companies.name as companyName',
    ])
    .select([
      'users.id',
      'users.full_name',
      'users.phone_number',
      'users.roles',
      'users.company_id',
      'users.partner_id',
      'partners.state as partnerState',
      'sessions.created_at',
      'sessions.used_at',
      'sessions.is_uae_pass as isUAEPass',
    ])
    .select(secondFactorColumns(config))
    .where('sessions.id', '=', sessionId)
    .where('sessions.ended_at', 'is', null)
    .where('users.suspended_at', 'is', null)
    .executeTakeFirst();

type CallerRow = NonNullable<Awaited<ReturnType<typeof selectCaller>>>;

// An employee may act only while their account, their role and their own session are valid.
const mayAct = (context: TokenContext, row: CallerRow): boolean =>
  row.actorSuspendedAt === null &&
  row.ownEndedAt === null &&
  row.ownCreatedAt !== null &&
  row.ownUsedAt !== null &&
  !isIdle(context, { usedAt: row.ownUsedAt, roles: row.actorRoles ?? [], isActing: false }) &&
  isAlive(context, { created_at: row.ownCreatedAt, acts_until: null }) &&
  (row.actorRoles ?? []).some((role) => role === 'Employee' || role === 'Admin');

/**
 * The caller of a token, while the session and everything it depends on is valid. `isUse`: the call
 * counts as use of the session.
 */
export async function findCaller(
  context: TokenContext,
  token: string,
  isUse: boolean,
): Promise<Caller | undefined> {
  const claims = await verifyToken(context, token, { acceptsExpired: false });
  if (!claims) return undefined;
  const row = await selectCaller(context, claims.sid);
  if (!row || !isAlive(context, row)) return undefined;
  const isActing = row.actorId !== null;
  if (isActing && !mayAct(context, row)) return undefined;
  if (isIdle(context, { usedAt: row.used_at, roles: row.roles, isActing })) return undefined;
  if (isUse) await recordUse(context.database, row, [claims.sid, row.ownId]);
  const held = effectiveRoles(row.roles, isActing);
  return {
    userId: row.id,
    sessionId: claims.sid,
    fullName: row.full_name,
    phoneNumber: row.phone_number,
    roles: held.length > 0 ? held : ['Client'],
    companyId: row.company_id,
    partnerId: row.partner_id,
    companyName: row.companyName,
    ...(row.actorId === null
      ? {}
      : { actor: { userId: row.actorId, fullName: row.actorName ?? '' } }),
    restriction: findRestriction(row, context.config),
  };
}
