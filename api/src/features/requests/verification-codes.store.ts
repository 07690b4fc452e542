import { sql } from 'kysely';
import type { Database } from '../../platform/database.ts';

export async function hasRequests(database: Database, phoneNumber: string): Promise<boolean> {
  return (await database.selectFrom('requests').select('id').where('phone_number', '=', phoneNumber).limit(1).executeTakeFirst()) !== undefined;
}

/** Puts a fresh code in force unless one was made after `notAfter` would expire: of several at once, one is told yes. */
export async function renewCode(database: Database, phoneNumber: string, codeHash: string, expiresAt: Date, unlessExpiresAfter: Date): Promise<boolean> {
  const renewed = await database.insertInto('verification_codes').values({ phone_number: phoneNumber, code_hash: codeHash, attempts: 0, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('phone_number').doUpdateSet({ code_hash: codeHash, attempts: 0, expires_at: expiresAt }).where('verification_codes.expires_at', '<=', unlessExpiresAfter))
    .returning('phone_number').executeTakeFirst();
  return renewed !== undefined;
}

/** Spends one attempt and gives the hash to compare with; `undefined` when there is no code in force or its attempts are spent. */
export async function spendAttempt(database: Database, phoneNumber: string, now: Date, attempts: number): Promise<string | undefined> {
  const row = await database.updateTable('verification_codes').set({ attempts: sql`attempts + 1` })
    .where('phone_number', '=', phoneNumber).where('expires_at', '>', now).where('attempts', '<', attempts)
    .returning('code_hash').executeTakeFirst();
  return row?.code_hash;
}

/** A right answer costs no attempt: the same code turns the pages of the list. */
export async function returnAttempt(database: Database, phoneNumber: string, codeHash: string): Promise<void> {
  await database.updateTable('verification_codes').set({ attempts: 0 }).where('phone_number', '=', phoneNumber).where('code_hash', '=', codeHash).execute();
}
