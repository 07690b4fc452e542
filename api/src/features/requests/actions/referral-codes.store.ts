import { sql, type Selectable } from 'kysely';
import type { Database, Transaction } from '../../../platform/database/database.ts';
import type { Tables } from '../../../platform/database/database-types.ts';

export type ReferralCodeRow = Selectable<Tables['referral_codes']>;

/**
 * A code that counts at this moment and has uses left. `lock` keeps two that come at once from both
 * taking the last.
 */
export async function findUsable(
  database: Database | Transaction,
  code: string,
  at: Date,
  isLocked = false,
): Promise<ReferralCodeRow | undefined> {
  const row = await database
    .selectFrom('referral_codes')
    .selectAll()
    .where('code', '=', code)
    .where('valid_from', '<=', at)
    .where((eb) => eb.or([eb('valid_until', 'is', null), eb('valid_until', '>', at)]))
    .$if(isLocked, (query) => query.forUpdate())
    .executeTakeFirst();
  if (!row || row.most_uses === null) return row;
  const { rows } = await sql<{
    uses: number;
  }>`select count(*)::int as uses from (select from requests where referral_code = ${code} limit ${row.most_uses}) as used`.execute(
    database,
  );
  return (rows[0]?.uses ?? 0) < row.most_uses ? row : undefined;
}
