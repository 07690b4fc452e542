import type { CompiledQuery, Insertable, Selectable } from 'kysely';
import type { Config } from '#config.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { sql } from '#platform/database/sql.ts';
import { onePlanMark } from '#platform/database/statement-names.ts';
import type { SessionEnd } from '@diwan/contract/people/audit';
import type { RefusalName } from '@diwan/contract/wire/errors';
import { recordAudit } from '../audit.store.ts';
import type { CallerNames, TeamsOfAgency } from '../caller.ts';
import { secondFactorColumns } from '../second-factor-policy.store.ts';

/** A session as it is stored. */
export type SessionRow = Selectable<Tables['sessions']>;

// The columns of `users`, and of the user's partner and company, of which a caller is made.
const callerColumns = [
  'users.id',
  'users.full_name',
  'users.full_name_ar',
  'users.phone_number',
  'users.roles',
  'users.company_id',
  'users.partner_id',
  'partners.state as partnerState',
  'companies.name as companyName',
] as const;

/** The agencies and teams of a user of the portal's staff, as columns of a statement that reads `users`. */
export const scopeColumns = [
  'users.all_agencies as allAgencies',
  sql<number[]>`array(
    select agency_id
    from staff_agencies
    where user_id = users.id
    order by agency_id
  )`.as('agencyIds'),
  sql<TeamsOfAgency[]>`coalesce(
    (
      select jsonb_agg(jsonb_build_object(
        'agencyId', staff_agencies.agency_id,
        'isLimited', staff_agencies.teams_only,
        'teamIds', array(
          select team_id
          from team_members
          where team_members.user_id = users.id
            and team_members.agency_id = staff_agencies.agency_id
          order by team_id
        ),
        'serviceIds', array(
          select distinct service_id
          from team_members
          join team_work on team_work.team_id = team_members.team_id
          where team_members.user_id = users.id
            and team_members.agency_id = staff_agencies.agency_id
          order by service_id
        )
      ) order by staff_agencies.agency_id)
      from staff_agencies
      where staff_agencies.user_id = users.id
        and (
          teams_only
          or exists (
            select
            from team_members
            where team_members.user_id = users.id
              and team_members.agency_id = staff_agencies.agency_id
          )
        )
    ),
    '[]'
  )`.as('teams'),
] as const;

// The ids are a subselect, so that PostgreSQL plans for an unknown number of them, and the statement keeps its
// plan: planning takes longer than everything else.
const compileSelectCallers = (database: Database, config: Config, sessionIds: readonly string[]) =>
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
      'actor.full_name_ar as actorNameAr',
      'actor.roles as actorRoles',
      'actor.suspended_at as actorSuspendedAt',
      'own.ended_at as ownEndedAt',
      'own.id as ownId',
      'own.created_at as ownCreatedAt',
      'own.used_at as ownUsedAt',
      'sessions.acts_until',
      'sessions.id as sessionId',
      'sessions.created_at',
      'sessions.used_at',
      'sessions.is_uae_pass as isUAEPass',
    ])
    .select(callerColumns)
    .select(scopeColumns)
    .select(secondFactorColumns(config))
    .where('sessions.id', '=', sql<string>`any((select ${sessionIds}::uuid[])::uuid[])`)
    // guard: ended session (sessions)
    .where('sessions.ended_at', 'is', null)
    .where('users.suspended_at', 'is', null)
    .where('companies.suspended_at', 'is', null)
    .modifyEnd(sql.raw(onePlanMark))
    .compile();

/** A session that has not ended, with its user and, where an employee acts, with the employee. */
export type CallerRow =
  ReturnType<typeof compileSelectCallers> extends CompiledQuery<infer Row> ? Row : never;

/** Returns a function that reads the callers of sessions, by a statement that is compiled once. */
export function openSelectCallers(
  database: Database,
  config: Config,
): (sessionIds: readonly string[]) => Promise<CallerRow[]> {
  const anyIds: string[] = [];
  const query = compileSelectCallers(database, config, anyIds);
  const idsAt = query.parameters.indexOf(anyIds);
  return async (sessionIds) => {
    const parameters = query.parameters.with(idsAt, sessionIds);
    return (await database.executeQuery<CallerRow>({ ...query, parameters })).rows;
  };
}

/** A user who is not suspended, and whose company is not. */
export const selectUser = (database: Database, userId: string) =>
  database
    .selectFrom('users')
    .leftJoin('partners', 'partners.id', 'users.partner_id')
    .leftJoin('companies', 'companies.id', 'users.company_id')
    .select(callerColumns)
    .select(scopeColumns)
    .where('users.id', '=', userId)
    .where('users.suspended_at', 'is', null)
    .where('companies.suspended_at', 'is', null)
    .executeTakeFirst();

/** A user of whom a caller is made. */
export type UserRow = NonNullable<Awaited<ReturnType<typeof selectUser>>>;

/** What a token says of a user who is not suspended. */
export const selectUserForClaims = (database: Database, config: Config, userId: string) =>
  database
    .selectFrom('users')
    .leftJoin('partners', 'partners.id', 'users.partner_id')
    .selectAll('users')
    .select('partners.state as partnerState')
    .select(secondFactorColumns(config))
    .where('users.id', '=', userId)
    .where('suspended_at', 'is', null)
    .executeTakeFirst();

/** Throws when there is no such user. */
export const selectName = (database: Database, userId: string) =>
  database
    .selectFrom('users')
    .select(['id', 'full_name'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();

/** Throws when there is no such user. */
export const selectRoles = async (transaction: Transaction, userId: string) =>
  (
    await transaction
      .selectFrom('users')
      .select('roles')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
  ).roles;

/** Locks a user for a session that starts. */
export const lockUser = (transaction: Transaction, userId: string) =>
  transaction
    .selectFrom('users')
    .select(['suspended_at', 'password_hash', 'uaepass_id', 'company_id'])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst();

/** Whether a company is suspended; one that does not exist is not. */
export async function isCompanySuspended(
  transaction: Transaction,
  companyId: number,
): Promise<boolean> {
  const company = await transaction
    .selectFrom('companies')
    .select('suspended_at')
    .where('id', '=', companyId)
    .executeTakeFirst();
  return company !== undefined && company.suspended_at !== null;
}

/** Inserts a session, of a user who signs in or of an employee who acts for its user. */
export const insertSession = (
  transaction: Transaction,
  row: Insertable<Tables['sessions']>,
): Promise<SessionRow> =>
  transaction.insertInto('sessions').values(row).returningAll().executeTakeFirstOrThrow();

/** Stores that a user has signed in, by the session that began. */
export async function updateLastSignIn(
  transaction: Transaction,
  session: SessionRow,
): Promise<void> {
  await transaction
    .updateTable('users')
    .set({ last_sign_in_at: session.created_at })
    .where('id', '=', session.user_id)
    .execute();
}

/** Locks a session. */
export const lockSession = (
  transaction: Transaction,
  sessionId: string,
): Promise<SessionRow | undefined> =>
  transaction
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', sessionId)
    .forUpdate()
    .executeTakeFirst();

/** Whether a session exists and has ended. */
export async function hasSessionEnded(
  transaction: Transaction,
  sessionId: string,
): Promise<boolean> {
  const row = await transaction
    .selectFrom('sessions')
    .select('ended_at')
    .where('id', '=', sessionId)
    .executeTakeFirst();
  return Boolean(row?.ended_at);
}

/** Records that sessions are used, if they were last used before a time. */
export async function updateUse(
  database: Database,
  sessionIds: readonly string[],
  usedBefore: Date,
): Promise<void> {
  // A row that is locked is being written by another call, or its session ends.
  const unrecorded = database
    .selectFrom('sessions')
    .select('id')
    .where((eb) => eb('id', '=', eb.fn.any(eb.val([...sessionIds]))))
    .where('used_at', '<=', usedBefore)
    .forUpdate()
    .skipLocked();
  await database
    .updateTable('sessions')
    .set({ used_at: new Date() })
    .where('id', 'in', unrecorded)
    .execute();
}

/** Replaces the token of a session. */
export async function updateToken(
  transaction: Transaction,
  sessionId: string,
  { tokenId, previous }: { tokenId: string; previous: string },
): Promise<void> {
  await transaction
    .updateTable('sessions')
    .set({ token_id: tokenId, previous_token_id: previous, rotated_at: new Date() })
    .where('id', '=', sessionId)
    .execute();
}

/** Which sessions of a user end: one, or all but the one that stays. */
interface SessionSelection {
  only?: string | undefined;
  exceptId?: string | null;
  /** Sessions that began earlier are too old to be used. */
  begunAfter?: Date;
}

/** Ends sessions of a user, and returns the ids of those that had not ended. */
export async function endSessions(
  transaction: Transaction,
  userId: string,
  { only, exceptId = null, begunAfter }: SessionSelection,
): Promise<string[]> {
  let query = transaction
    .updateTable('sessions')
    .set({ ended_at: new Date() })
    .where('user_id', '=', userId)
    .where('id', 'is distinct from', exceptId)
    .where('ended_at', 'is', null);
  if (only !== undefined) query = query.where('id', '=', only);
  if (begunAfter) query = query.where('created_at', '>', begunAfter);
  const rows = await query.returning('id').execute();
  return rows.map(({ id }) => id);
}

/** Why sessions end, for the audit log. */
export interface SessionEndCause {
  reason: SessionEnd;
  address?: string | undefined;
  /** Another person who ends them. */
  by?: CallerNames | undefined;
}

/** Appends the end of sessions of a user to the audit log. */
export async function recordSessionEnds(
  transaction: Transaction,
  userId: string,
  sessionIds: readonly string[],
  cause: SessionEndCause,
): Promise<void> {
  await recordAudit(
    transaction,
    ...sessionIds.map((sessionId) => ({
      kind: 'sessionEnded' as const,
      userId,
      sessionId,
      ...cause,
    })),
  );
}

/**
 * Stops actions of a user that can be undone still, because somebody has ended their session: those of
 * one session, or all but those of the session that stays. Decision 0122.
 */
export async function stopPendingActions(
  transaction: Transaction,
  userId: string,
  { only, exceptId = null }: Pick<SessionSelection, 'only' | 'exceptId'>,
): Promise<void> {
  const refusal: RefusalName = 'SessionEnded';
  const waiting = transaction
    .updateTable('held_actions')
    .set({ refusal })
    .where('user_id', '=', userId)
    .where('refusal', 'is', null);
  await (
    only === undefined
      ? waiting.where('session_id', 'is distinct from', exceptId)
      : waiting.where('session_id', '=', only)
  ).execute();
}

/**
 * Removes the browsers to which messages of a user go, because somebody has ended their session: those
 * of one session, or all but those of the session that stays. Decision 0081.
 */
export async function endPushSubscriptions(
  transaction: Transaction,
  userId: string,
  { only, exceptId = null }: Pick<SessionSelection, 'only' | 'exceptId'>,
): Promise<void> {
  const own = transaction.deleteFrom('push_subscriptions').where('user_id', '=', userId);
  await (
    only === undefined
      ? own.where('session_id', 'is distinct from', exceptId)
      : own.where('session_id', '=', only)
  ).execute();
}
