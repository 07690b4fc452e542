import type { CompiledQuery } from 'kysely';
import { openSharedStatement } from '../database/shared-statement.ts';
import { sql } from '../database/sql.ts';
import { effectiveRoles, findRestriction, type Caller } from './caller.ts';
import { secondFactorColumns } from './second-factor-policy.ts';
import { verifyToken, type TokenContext } from './session-tokens.ts';
import { isAlive, isIdle, type RecordUse } from './session-use.ts';

// The ids are a subselect, so that PostgreSQL knows nothing of them and keeps one plan: planning takes
// longer than everything else.
const compileSelectCallers = ({ database, config }: TokenContext, sessionIds: readonly string[]) =>
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
      'sessions.id as sessionId',
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
    .where('sessions.id', '=', sql<string>`any((select ${sessionIds}::uuid[])::uuid[])`)
    // guard: ended session (sessions)
    .where('sessions.ended_at', 'is', null)
    .where('users.suspended_at', 'is', null)
    .where('companies.suspended_at', 'is', null)
    .compile();

type CallerRow =
  ReturnType<typeof compileSelectCallers> extends CompiledQuery<infer Row> ? Row : never;

// An employee may act only while their account, their role and their own session are valid.
const mayAct = (context: TokenContext, row: CallerRow): boolean =>
  // guard: account of the employee who acts (acting)
  row.actorSuspendedAt === null &&
  // guard: own session of the employee who acts (acting)
  row.ownEndedAt === null &&
  row.ownCreatedAt !== null &&
  row.ownUsedAt !== null &&
  !isIdle(context, { usedAt: row.ownUsedAt, roles: row.actorRoles ?? [], isActing: false }) &&
  isAlive(context, { created_at: row.ownCreatedAt, acts_until: null }) &&
  // guard: role of the employee who acts (acting)
  (row.actorRoles ?? []).some((role) => role === 'Employee' || role === 'Admin');

// Calls that arrive together share the statement, so that the end of a session is seen immediately.
function openCallerReader(
  context: TokenContext,
): (sessionId: string) => Promise<CallerRow | undefined> {
  const anyIds: string[] = [];
  const query = compileSelectCallers(context, anyIds);
  const idsAt = query.parameters.indexOf(anyIds);
  return openSharedStatement(async (ids) => {
    const parameters = query.parameters.with(idsAt, [...new Set(ids)]);
    const { rows } = await context.database.executeQuery<CallerRow>({ ...query, parameters });
    const known = new Map(rows.map((row) => [row.sessionId, row]));
    return ids.map((id) => known.get(id));
  });
}

type CallerReader = ReturnType<typeof openCallerReader>;

async function findCaller(
  context: TokenContext,
  { readCaller, recordUse }: { readCaller: CallerReader; recordUse: RecordUse },
  { token, isUse }: { token: string; isUse: boolean },
): Promise<Caller | undefined> {
  const claims = await verifyToken(context, token, { acceptsExpired: false });
  if (!claims) return undefined;
  const row = await readCaller(claims.sid);
  if (!row || !isAlive(context, row)) return undefined;
  const isActing = row.actorId !== null;
  if (isActing && !mayAct(context, row)) return undefined;
  // guard: idle session (idle-sessions)
  if (isIdle(context, { usedAt: row.used_at, roles: row.roles, isActing })) return undefined;
  if (isUse) await recordUse(row, [claims.sid, row.ownId]);
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

/**
 * A user as a caller without a session, for work that continues after the session has ended;
 * `undefined` for a suspended user. The second factor was checked with the session.
 */
export async function findUserAsCaller(
  { database, config }: Pick<TokenContext, 'database' | 'config'>,
  userId: string,
): Promise<Caller | undefined> {
  const row = await database
    .selectFrom('users')
    .leftJoin('partners', 'partners.id', 'users.partner_id')
    .leftJoin('companies', 'companies.id', 'users.company_id')
    .select([
      'users.full_name',
      'users.phone_number',
      'users.roles',
      'users.company_id',
      'users.partner_id',
      'partners.state as partnerState',
      'companies.name as companyName',
    ])
    .where('users.id', '=', userId)
    .where('users.suspended_at', 'is', null)
    .where('companies.suspended_at', 'is', null)
    .executeTakeFirst();
  if (!row) return undefined;
  const facts = { ...row, hasSecondFactor: true, rolesWithFactor: [], isUAEPass: false };
  return {
    userId,
    sessionId: '',
    fullName: row.full_name,
    phoneNumber: row.phone_number,
    roles: effectiveRoles(row.roles, false),
    companyId: row.company_id,
    partnerId: row.partner_id,
    companyName: row.companyName,
    restriction: findRestriction(facts, config),
  };
}

/** Returns `Sessions.findCaller`. */
export function openCallerFinder(
  context: TokenContext,
  recordUse: RecordUse,
): (token: string, isUse?: boolean) => Promise<Caller | undefined> {
  const statements = { readCaller: openCallerReader(context), recordUse };
  return (token, isUse = false) => findCaller(context, statements, { token, isUse });
}
