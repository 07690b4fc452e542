import type { Insertable } from 'kysely';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { sql } from '#platform/database/sql.ts';
import type { MessageVerdict, RefusedMessageReason } from '@diwan/contract/payments/events';
import type { PaymentProviderName } from '@diwan/contract/payments/providers';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'payment_messages.provider': PaymentProviderName;
    'payment_messages.verdict': MessageVerdict;
    'refused_payment_messages.reason': RefusedMessageReason;
  }
}

/** Stores a genuine message. Returns how often it has arrived. */
export async function storeMessage(
  transaction: Transaction,
  row: Insertable<Tables['payment_messages']>,
): Promise<number> {
  const { times } = await transaction
    .insertInto('payment_messages')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['provider', 'digest'])
        .doUpdateSet({ times: sql`payment_messages.times + 1` }),
    )
    .returning('times')
    .executeTakeFirstOrThrow();
  return times;
}

/** Counts a refused message in the row of its provider, reason and hour. */
export async function countRefused(
  database: Database,
  row: Pick<
    Insertable<Tables['refused_payment_messages']>,
    'provider' | 'reason' | 'last_digest' | 'last_bytes'
  >,
): Promise<void> {
  await database
    .insertInto('refused_payment_messages')
    .values({ ...row, hour: sql`date_trunc('hour', now())` })
    .onConflict((conflict) =>
      conflict.columns(['provider', 'reason', 'hour']).doUpdateSet((excluded) => ({
        times: sql`refused_payment_messages.times + 1`,
        last_at: sql`now()`,
        last_digest: excluded.ref('excluded.last_digest'),
        last_bytes: excluded.ref('excluded.last_bytes'),
      })),
    )
    .execute();
}
