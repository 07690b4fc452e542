import { sql } from 'kysely';
import type { CodePurpose } from '../database/database-types.ts';
import type { Database, Transaction } from '../database/database.ts';

/** There is one code in force for each of these. */
export interface CodeKey {
  purpose: CodePurpose;
  address: string;
}

/**
 * `unlessExpiresAfter`: a code that lives longer was made a moment ago and stays. `mostInDay`: how
 * many an address is sent in twenty-four hours.
 */
export interface FreshCode {
  hash: string;
  now: Date;
  expiresAt: Date;
  unlessExpiresAfter: Date;
  mostInDay: number;
}

const dayBefore = (now: Date): Date => new Date(now.getTime() - 86_400_000);

/** Puts a fresh code in force, if it is time for one: of several at once, one is told yes. */
export async function renewCode(
  database: Database,
  key: CodeKey,
  { hash, now, expiresAt, unlessExpiresAfter, mostInDay }: FreshCode,
): Promise<boolean> {
  const isNewDay = sql<boolean>`verification_codes.first_sent_at <= ${dayBefore(now)}`;
  const code = { code_hash: hash, attempts: 0, expires_at: expiresAt };
  const renewed = await database
    .insertInto('verification_codes')
    .values({ ...key, ...code, first_sent_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['purpose', 'address'])
        .doUpdateSet({
          ...code,
          sent: sql`case when ${isNewDay} then 1 else verification_codes.sent + 1 end`,
          first_sent_at: sql`case when ${isNewDay} then ${now}::timestamptz else verification_codes.first_sent_at end`,
        })
        .where('verification_codes.expires_at', '<=', unlessExpiresAfter)
        .where((eb) => eb.or([isNewDay, eb('verification_codes.sent', '<', mostInDay)])),
    )
    .returning('address')
    .executeTakeFirst();
  return renewed !== undefined;
}

/**
 * Spends one attempt and gives the hash to compare with; `undefined` when there is no code in force
 * or its attempts are spent.
 */
export async function spendAttempt(
  database: Database,
  { purpose, address }: CodeKey,
  now: Date,
  attempts: number,
): Promise<string | undefined> {
  const row = await database
    .updateTable('verification_codes')
    .set({ attempts: sql`attempts + 1` })
    .where('purpose', '=', purpose)
    .where('address', '=', address)
    .where('expires_at', '>', now)
    .where('attempts', '<', attempts)
    .returning('code_hash')
    .executeTakeFirst();
  return row?.code_hash;
}

/** Gives all attempts back, unless there is another code by now. */
export async function returnAttempt(
  database: Database,
  { purpose, address }: CodeKey,
  codeHash: string,
): Promise<void> {
  await database
    .updateTable('verification_codes')
    .set({ attempts: 0 })
    .where('purpose', '=', purpose)
    .where('address', '=', address)
    .where('code_hash', '=', codeHash)
    .execute();
}

/**
 * Takes a code out of force, once; what was sent in a day stays counted. A past that no clock
 * shows: another's moment may lie before this one's.
 */
export async function consumeCode(
  transaction: Transaction,
  { purpose, address }: CodeKey,
  codeHash: string,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('verification_codes')
    .set({ expires_at: sql`'epoch'::timestamptz` })
    .where('purpose', '=', purpose)
    .where('address', '=', address)
    .where('code_hash', '=', codeHash)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Counts that a network asked for a code; the reply is the count of its day. */
export async function countAsker(database: Database, networkHash: string): Promise<number> {
  const { rows } = await sql<{ asked: number }>`
    insert into code_askers as made (network_hash) values (${networkHash})
    on conflict (network_hash) do update set asked = case when made.first_at < now() - interval '1 day' then 1 else made.asked + 1 end, first_at = case when made.first_at < now() - interval '1 day' then now() else made.first_at end
    returning asked`.execute(database);
  return rows[0]?.asked ?? 1;
}

/** Throws away codes and counts that mean nothing any more. */
export async function deleteOldCodes(database: Database): Promise<void> {
  await sql`delete from verification_codes where expires_at < now() - interval '2 days' and first_sent_at < now() - interval '2 days'`.execute(
    database,
  );
  await sql`delete from code_askers where first_at < now() - interval '2 days'`.execute(database);
}
