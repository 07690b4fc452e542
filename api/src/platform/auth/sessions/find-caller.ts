import { openSharedStatement } from '#platform/database/shared-statement.ts';
import { effectiveRoles, findRestriction, type AgencyScope, type Caller } from '../caller.ts';
import { verifyToken, type TokenContext } from './session-tokens.ts';
import { isAlive, isIdle, type RecordUse } from './session-use.ts';
import * as store from './sessions.store.ts';

// An employee may act only while their account, their role and their own session are valid.
const mayAct = (context: TokenContext, row: store.CallerRow): boolean =>
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
function openCallerReader({
  database,
  config,
}: TokenContext): (sessionId: string) => Promise<store.CallerRow | undefined> {
  const selectCallers = store.openSelectCallers(database, config);
  return openSharedStatement(async (ids) => {
    const rows = await selectCallers([...new Set(ids)]);
    const known = new Map(rows.map((row) => [row.sessionId, row]));
    return ids.map((id) => known.get(id));
  });
}

type CallerReader = ReturnType<typeof openCallerReader>;

/** The agencies of a caller, as the columns `scopeColumns` have them. */
export const scopeOf = ({
  allAgencies,
  agencyIds,
}: Pick<store.UserRow, 'allAgencies' | 'agencyIds'>): AgencyScope =>
  allAgencies ? 'all' : agencyIds;

const toCaller = (
  row: store.UserRow,
  rest: Pick<Caller, 'sessionId' | 'roles' | 'restriction'>,
): Caller => ({
  userId: row.id,
  fullName: row.full_name,
  fullNameAr: row.full_name_ar,
  phoneNumber: row.phone_number,
  companyId: row.company_id,
  partnerId: row.partner_id,
  scope: scopeOf(row),
  teams: row.teams,
  companyName: row.companyName,
  ...rest,
});

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
  const effective = effectiveRoles(row.roles, isActing);
  const caller = toCaller(row, {
    sessionId: claims.sid,
    roles: effective.length > 0 ? effective : ['Client'],
    restriction: findRestriction(row, context.config),
  });
  return row.actorId === null
    ? caller
    : {
        ...caller,
        actor: {
          userId: row.actorId,
          fullName: row.actorName ?? '',
          fullNameAr: row.actorNameAr,
        },
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
  const row = await store.selectUser(database, userId);
  if (!row) return undefined;
  const facts = { ...row, hasSecondFactor: true, rolesWithFactor: [], isUAEPass: false };
  return toCaller(row, {
    sessionId: '',
    roles: effectiveRoles(row.roles, false),
    restriction: findRestriction(facts, config),
  });
}

/** Returns `Sessions.findCaller`. */
export function openCallerFinder(
  context: TokenContext,
  recordUse: RecordUse,
): (token: string, isUse?: boolean) => Promise<Caller | undefined> {
  const statements = { readCaller: openCallerReader(context), recordUse };
  return (token, isUse = false) => findCaller(context, statements, { token, isUse });
}
