import { sql, type Selectable } from 'kysely';
import { normalizeText } from '../../../platform/core/normalize-text.ts';
import type { Database, Transaction } from '../../../platform/database/database.ts';
import type { Tables } from '../../../platform/database/schema.generated.ts';

export type ReferralCodeRow = Selectable<Tables['referral_codes']>;

// Codes may be typed with digits of any set, in small letters and with spaces around them.
const normalizeCode = (typed: string): string =>
  normalizeText(typed).toUpperCase().replaceAll(' ', '-');

/**
 * A code that is valid at this moment and has uses left. With `isLocked` the row is locked, so that
 * two concurrent requests cannot both claim the last use.
 */
async function findUsable(
  database: Database | Transaction,
  typed: string,
  at: Date,
  isLocked: boolean,
): Promise<ReferralCodeRow | undefined> {
  const code = normalizeCode(typed);
  const row = await database
    .selectFrom('referral_codes')
    .selectAll()
    .where('code', '=', code)
    .where('valid_from', '<=', at)
    .where((eb) => eb.or([eb('valid_until', 'is', null), eb('valid_until', '>', at)]))
    .$if(isLocked, (query) => query.forUpdate())
    .executeTakeFirst();
  if (!row || row.most_uses === null) return row;
  const { rows } = await sql<{ uses: number }>`
    select count(*)::int as uses
    from (
      select
      from requests
      where referral_code = ${code}
      limit ${row.most_uses}
    ) as used
  `.execute(database);
  return (rows[0]?.uses ?? 0) < row.most_uses ? row : undefined;
}

/** A code that can be used now, in any spelling that people type. */
export function findReferralCode(
  database: Database,
  typed: string,
  at: Date,
): Promise<ReferralCodeRow | undefined> {
  return findUsable(database, typed, at, false);
}

/** Like `findReferralCode`, and locks the code until the transaction ends. */
export function lockReferralCode(
  transaction: Transaction,
  typed: string,
  at: Date,
): Promise<ReferralCodeRow | undefined> {
  return findUsable(transaction, typed, at, true);
}
