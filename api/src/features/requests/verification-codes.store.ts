import { sql } from 'kysely';
import type { Database } from '../../platform/database.ts';

export async function hasRequests(database: Database, phoneNumber: string): Promise<boolean> {
  return (await database.selectFrom('requests').select('id').where('phone_number', '=', phoneNumber).limit(1).executeTakeFirst()) !== undefined;
}

/** `unlessExpiresAfter`: a code that lives longer was made a moment ago and stays. `mostInDay`: how many a phone is sent in twenty-four hours. */
export interface FreshCode {
  hash: string;
  now: Date;
  expiresAt: Date;
  unlessExpiresAfter: Date;
  mostInDay: number;
}

/** Puts a fresh code in force, if it is time for one: of several at once, one is told yes. */
export async function renewCode(database: Database, phoneNumber: string, { hash, now, expiresAt, unlessExpiresAfter, mostInDay }: FreshCode): Promise<boolean> {
  const isNewDay = sql<boolean>`verification_codes.first_sent_at <= ${new Date(now.getTime() - 86_400_000)}`;
  const code = { code_hash: hash, attempts: 0, expires_at: expiresAt };
  const renewed = await database.insertInto('verification_codes').values({ phone_number: phoneNumber, ...code, first_sent_at: now })
    .onConflict((conflict) => conflict.column('phone_number')
      .doUpdateSet({ ...code, sent: sql`case when ${isNewDay} then 1 else verification_codes.sent + 1 end`, first_sent_at: sql`case when ${isNewDay} then ${now}::timestamptz else verification_codes.first_sent_at end` })
      .where('verification_codes.expires_at', '<=', unlessExpiresAfter).where((eb) => eb.or([isNewDay, eb('verification_codes.sent', '<', mostInDay)])))
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
