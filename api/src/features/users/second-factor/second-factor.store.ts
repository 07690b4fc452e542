import type { Database, Transaction } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import { factorRoles, type SecondFactorPolicy } from '@diwan/contract/people/second-factor';

// A pending secret expires. Until then, a reload of the page shows the same QR code.
const pendingMinutes = 30;
// Minutes after a sign-in in which no password is asked again.
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

/** The encrypted secret that this session has begun to set up and that has not expired. */
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

export async function storePending(
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

/** Activates the pending secret. Returns `false` when another one is pending. */
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
 * Consumes a time step. Returns `false` when it or a later one was used, or when the secret has
 * changed.
 */
export async function consumeStep(
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
    // guard: second use of a second factor
    .where('last_step', '<', step)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * Consumes a recovery code. Returns `false` when there is none with such a hash, or it was used.
 */
export async function consumeRecoveryCode(
  database: Database | Transaction,
  userId: string,
  hashes: readonly string[],
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('recovery_codes')
    .set({ used_at: new Date() })
    .where('user_id', '=', userId)
    .where('code_hash', 'in', hashes)
    // guard: second use of a recovery code
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

/** Deletes a second factor. Returns `false` when there was none. */
export async function deleteFactor(transaction: Transaction, userId: string): Promise<boolean> {
  await transaction.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  const deleted = await transaction
    .deleteFrom('second_factors')
    .where('user_id', '=', userId)
    .returning('confirmed_at')
    .executeTakeFirst();
  return Boolean(deleted?.confirmed_at);
}

/** Counts the active users of each role, and those of them with a second factor. */
export async function countByRole(database: Database): Promise<SecondFactorPolicy['standing']> {
  const { rows } = await sql<SecondFactorPolicy['standing'][number]>`
    select role,
      count(users.id)::int as people,
      count(second_factors.confirmed_at)::int as "withFactor"
    from unnest(${[...factorRoles]}::text[]) with ordinality as listed (role, place)
    left join users on listed.role = any(users.roles) and users.suspended_at is null
    left join second_factors on second_factors.user_id = users.id
    group by role, place
    order by place`.execute(database);
  return rows;
}

/** The encrypted secrets of all users. */
export const selectSealed = (database: Database) =>
  database.selectFrom('second_factors').select(['user_id', 'secret', 'pending_secret']).execute();

/** Replaces an encrypted secret, unless it has changed. */
export async function replaceSealed(
  database: Database,
  column: 'secret' | 'pending_secret',
  userId: string,
  [before, after]: readonly [string, string],
): Promise<void> {
  await database
    .updateTable('second_factors')
    .set({ [column]: after })
    .where('user_id', '=', userId)
    .where(column, '=', before)
    .execute();
}
