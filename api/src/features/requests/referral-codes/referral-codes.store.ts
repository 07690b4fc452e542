import type { Selectable } from 'kysely';
import { normalizeText } from '#platform/core/normalize-text.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { sql } from '#platform/database/sql.ts';
import type { LocalizedText } from '@diwan/contract/wire/languages';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'referral_codes.name': LocalizedText;
  }
}

type ReferralCodeRow = Selectable<Tables['referral_codes']>;

// Codes may be typed with digits of any set, in small letters and with spaces around them.
const normalizeCode = (typed: string): string =>
  normalizeText(typed).toUpperCase().replaceAll(' ', '-');

/**
 * A code that is valid at this moment, in any spelling that people type. With `isLocked` its row is
 * locked, so that two concurrent requests cannot both claim the last use.
 */
export function findReferralCode(
  database: Database | Transaction,
  typed: string,
  at: Date,
  isLocked = false,
): Promise<ReferralCodeRow | undefined> {
  return database
    .selectFrom('referral_codes')
    .selectAll()
    .where('code', '=', normalizeCode(typed))
    .where('valid_from', '<=', at)
    .where((eb) => eb.or([eb('valid_until', 'is', null), eb('valid_until', '>', at)]))
    .$if(isLocked, (query) => query.forUpdate())
    .executeTakeFirst();
}

/** Whether a code can be used once more. */
export async function hasUsesLeft(
  database: Database | Transaction,
  typed: string,
): Promise<boolean> {
  const { rows } = await sql`
    select
    from referral_codes
    where code = ${normalizeCode(typed)}
      and (
        most_uses is null
        or most_uses > (
          select count(*)
          from (
            select
            from requests
            where referral_code = referral_codes.code
            limit referral_codes.most_uses
          ) as used
        )
      )
  `.execute(database);
  return rows.length > 0;
}
