import type { Insertable, Selectable, Updateable } from 'kysely';
import { normalizeText } from '#platform/core/normalize-text.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { selectCountedPage } from '#platform/database/keyword-search.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { sql } from '#platform/database/sql.ts';
import type { ReferralCodeState } from '@diwan/contract/payments/referral-codes';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';

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

interface ReferralCodeShown {
  code: string;
  name: LocalizedText;
  validFrom: string;
  validUntil: string | null;
  mostUses: number | null;
  uses: number;
  state: ReferralCodeState;
  version: number;
}

const uses = sql`(select count(*)::int from requests where referral_code = referral_codes.code)`;

const stateOf = sql`
  case
    when valid_until <= now() then 'ended'
    when most_uses <= ${uses} then 'usedUp'
    when valid_from > now() then 'planned'
    else 'active'
  end`;

// The day of the last moment: a code that ends at midnight is valid until the day before.
const shown = sql`
  code, name, day_in_dubai(valid_from)::text as "validFrom",
  day_in_dubai(valid_until - interval '1 microsecond')::text as "validUntil", most_uses as "mostUses",
  ${uses} as uses, ${stateOf} as state, version`;

/** Codes, the newest first. */
export function selectReferralCodes(
  database: Database,
  { State, ...page }: { State?: ReferralCodeState | undefined; PageNumber: number; Take: number },
): Promise<{ items: ReferralCodeShown[]; totalCount: number }> {
  return selectCountedPage<ReferralCodeShown>(
    database,
    {
      columns: shown,
      from: sql`
        referral_codes
        where ${State ?? null}::text is null
          or ${stateOf} = ${State ?? null}`,
      order: sql`referral_codes.created_at desc`,
      ties: sql`referral_codes.code`,
    },
    page,
  );
}

export async function findShownCode(
  database: Database | Transaction,
  code: string,
): Promise<ReferralCodeShown | undefined> {
  const { rows } = await sql<ReferralCodeShown>`
    select ${shown}
    from referral_codes
    where code = ${code}`.execute(database);
  return rows[0];
}

/** Locks a code, as a request that uses it does. */
export function lockReferralCode(
  transaction: Transaction,
  code: string,
): Promise<ReferralCodeRow | undefined> {
  return transaction
    .selectFrom('referral_codes')
    .selectAll()
    .where('code', '=', code)
    .forUpdate()
    .executeTakeFirst();
}

/** Adds a code; false when there is one. */
export async function insertReferralCode(
  transaction: Transaction,
  row: Insertable<Tables['referral_codes']>,
): Promise<boolean> {
  const inserted = await transaction
    .insertInto('referral_codes')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('code')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function updateReferralCode(
  transaction: Transaction,
  code: string,
  row: Updateable<Tables['referral_codes']>,
): Promise<void> {
  await transaction
    .updateTable('referral_codes')
    .set({ ...row, version: sql`version + 1` })
    .where('code', '=', code)
    .execute();
}

/** Ends a code now, also one that is valid from later on. */
export async function endCodeNow(transaction: Transaction, code: string): Promise<void> {
  await sql`
    update referral_codes
    set valid_from = least(valid_from, now() - interval '1 second'),
      valid_until = now(),
      version = version + 1
    where code = ${code}`.execute(transaction);
}

/** The requests with a code, the newest first. */
export function selectCodeUses(
  database: Database,
  language: Language,
  { Code, ...page }: { Code: string; PageNumber: number; Take: number },
): Promise<{
  items: { requestNumber: string; serviceName: string; total: number; sentAt: string }[];
  totalCount: number;
}> {
  return selectCountedPage(
    database,
    {
      columns: sql`
        requests.number as "requestNumber", services.name ->> ${language} as "serviceName",
        requests.total,
        to_char(requests.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "sentAt"`,
      from: sql`
        requests
        join services
          on services.id = requests.service_id
        where referral_code = ${Code}`,
      ties: sql`requests.id desc`,
    },
    page,
  );
}
