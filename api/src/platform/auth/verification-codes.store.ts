import type { Database, Transaction } from '../database/database.ts';
import { sql } from '../database/sql.ts';

/** What a code by mail or SMS is for; one of another purpose opens nothing. */
export type CodePurpose = 'inquiry' | 'register' | 'contact' | 'password' | 'counter';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'verification_codes.purpose': CodePurpose;
  }
}

/** Each key has at most one valid code. */
interface CodeKey {
  purpose: CodePurpose;
  address: string;
}

/**
 * A code to issue. A code that expires after `unlessExpiresAfter` was issued a moment ago and is not
 * replaced. `maximumPerDay` codes are issued for an address within 24 hours.
 */
interface NewCode {
  hash: string;
  now: Date;
  expiresAt: Date;
  unlessExpiresAfter: Date;
  maximumPerDay: number;
}

const dayBefore = (now: Date): Date => new Date(now.getTime() - 86_400_000);

/** Issues a code, if the limits allow it. Of several calls at the same time, one returns `true`. */
export async function issueCode(
  database: Database,
  key: CodeKey,
  { hash, now, expiresAt, unlessExpiresAfter, maximumPerDay }: NewCode,
): Promise<boolean> {
  const isNewDay = sql<boolean>`verification_codes.first_sent_at <= ${dayBefore(now)}`;
  const code = { code_hash: hash, attempts: 0, expires_at: expiresAt };
  const issued = await database
    .insertInto('verification_codes')
    .values({ ...key, ...code, first_sent_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['purpose', 'address'])
        .doUpdateSet({
          ...code,
          sent: sql`case when ${isNewDay} then 1 else verification_codes.sent + 1 end`,
          first_sent_at: sql`case
            when ${isNewDay} then ${now}::timestamptz
            else verification_codes.first_sent_at
          end`,
        })
        .where('verification_codes.expires_at', '<=', unlessExpiresAfter)
        // guard: codes of an address in a day
        .where((eb) => eb.or([isNewDay, eb('verification_codes.sent', '<', maximumPerDay)])),
    )
    .returning('address')
    .executeTakeFirst();
  return issued !== undefined;
}

/**
 * Counts an attempt and returns the hash of the valid code; `undefined` when there is no valid code
 * or its attempts are used up.
 */
export async function countAttempt(
  database: Database,
  { purpose, address }: CodeKey,
  now: Date,
  maximumAttempts: number,
): Promise<string | undefined> {
  const row = await database
    .updateTable('verification_codes')
    .set({ attempts: sql`attempts + 1` })
    .where('purpose', '=', purpose)
    .where('address', '=', address)
    // guard: expiry of a code (register, inquire)
    .where('expires_at', '>', now)
    // guard: attempts of a code (register)
    .where('attempts', '<', maximumAttempts)
    .returning('code_hash')
    .executeTakeFirst();
  return row?.code_hash;
}

/** Restores all attempts of a code, unless another code was issued meanwhile. */
export async function resetAttempts(
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
 * Invalidates a code; `false` when it is not valid any more. The count of the day stays. The new
 * expiry is 1970, because the clock of another process may be behind this one.
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

/** Counts a request for a code by a network and returns the network's count of the day. */
export async function countRequester(database: Database, networkHash: string): Promise<number> {
  const { rows } = await sql<{ asked: number }>`
    insert into code_askers as requester (network_hash)
    values (${networkHash})
    on conflict (network_hash) do update set
      asked = case
        when requester.first_at < now() - interval '1 day' then 1
        else requester.asked + 1
      end,
      first_at = case
        when requester.first_at < now() - interval '1 day' then now()
        else requester.first_at
      end
    returning asked`.execute(database);
  return rows[0]?.asked ?? 1;
}

/** Deletes codes and counts that are too old to matter. */
export async function deleteOldCodes(database: Database): Promise<void> {
  await sql`
    delete from verification_codes
    where expires_at < now() - interval '2 days'
      and first_sent_at < now() - interval '2 days'`.execute(database);
  await sql`
    delete from code_askers
    where first_at < now() - interval '2 days'`.execute(database);
}
