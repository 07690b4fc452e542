import { sql } from 'kysely';
import { factorRoles, type SecondFactorPolicy } from '@diwan/contract/people/second-factor';
import type { Database, Transaction } from '../../../platform/database/database.ts';

// A scanned code that is left alone is forgotten; whoever loads the page again meanwhile sees the
// same one.
const pendingMinutes = 30;
// For so long after a sign-in nobody has to prove again who they are.
const freshMinutes = 10;

export async function findFactor(database: Database | Transaction, userId: string) {
  return database
    .selectFrom('second_factors')
    .select(['secret', 'confirmed_at'])
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
}

export async function countRecoveryCodes(database: Database, userId: string): Promise<number> {
  return (
    await database
      .selectFrom('recovery_codes')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', userId)
      .where('used_at', 'is', null)
      .executeTakeFirstOrThrow()
  ).count;
}

export async function isFreshSession(database: Database, sessionId: string): Promise<boolean> {
  const row = await database
    .selectFrom('sessions')
    .select(sql<boolean>`created_at > now() - make_interval(mins => ${freshMinutes})`.as('isFresh'))
    .where('id', '=', sessionId)
    .executeTakeFirst();
  return row?.isFresh ?? false;
}

/** What this session has begun and not left alone. */
export async function findPending(
  database: Database | Transaction,
  userId: string,
  sessionId: string,
): Promise<string | undefined> {
  const row = await database
    .selectFrom('second_factors')
    .select('pending_secret')
    .where('user_id', '=', userId)
    .where('pending_session', '=', sessionId)
    .where('pending_since', '>', sql<Date>`now() - make_interval(mins => ${pendingMinutes})`)
    .executeTakeFirst();
  return row?.pending_secret ?? undefined;
}

export async function keepPending(
  database: Database,
  userId: string,
  sessionId: string,
  sealed: string,
): Promise<void> {
  const pending = { pending_secret: sealed, pending_session: sessionId, pending_since: new Date() };
  await database
    .insertInto('second_factors')
    .values({ user_id: userId, ...pending })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(pending))
    .execute();
}

/** Makes the pending secret the one that counts; `false` when another one is pending by now. */
export async function confirmPending(
  transaction: Transaction,
  userId: string,
  sealed: string,
  step: number,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('second_factors')
    .set({
      secret: sealed,
      last_step: step,
      confirmed_at: new Date(),
      pending_secret: null,
      pending_session: null,
      pending_since: null,
    })
    .where('user_id', '=', userId)
    .where('pending_secret', '=', sealed)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * Uses a step up; `false` when it, or a later one, was used before, or the secret is no longer the
 * one that was asked.
 */
export async function takeStep(
  database: Database | Transaction,
  userId: string,
  sealed: string,
  step: number,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('secret', '=', sealed)
    .where('last_step', '<', step)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Uses a recovery code up; `false` when there is none with such a hash, or it was used. */
export async function takeRecoveryCode(
  database: Database | Transaction,
  userId: string,
  hashes: readonly string[],
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('recovery_codes')
    .set({ used_at: new Date() })
    .where('user_id', '=', userId)
    .where('code_hash', 'in', hashes)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function replaceRecoveryCodes(
  transaction: Transaction,
  userId: string,
  hashes: readonly string[],
): Promise<void> {
  await transaction.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  if (hashes.length > 0)
    await transaction
      .insertInto('recovery_codes')
      .values(hashes.map((code_hash) => ({ user_id: userId, code_hash })))
      .execute();
}

/** `false` when there was none. */
export async function deleteFactor(transaction: Transaction, userId: string): Promise<boolean> {
  await transaction.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  const deleted = await transaction
    .deleteFrom('second_factors')
    .where('user_id', '=', userId)
    .returning('confirmed_at')
    .executeTakeFirst();
  return Boolean(deleted?.confirmed_at);
}

/**
 * How many people, suspended ones apart, hold each role, and how many of them have a second factor.
 */
export async function countByRole(database: Database): Promise<SecondFactorPolicy['standing']> {
  const { rows } = await sql<SecondFactorPolicy['standing'][number]>`
    select role, count(users.id)::int as people, count(second_factors.confirmed_at)::int as "withFactor"
    from unnest(${sql.val([...factorRoles])}::text[]) with ordinality as held (role, place)
    left join users on held.role = any(users.roles) and users.suspended_at is null left join second_factors on second_factors.user_id = users.id
    group by role, place order by place`.execute(database);
  return rows;
}
