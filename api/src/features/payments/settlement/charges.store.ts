import type { Database, Transaction } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import type { PaymentProviderName } from '@diwan/contract/payments/providers';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'provider_charge_rates.provider': PaymentProviderName;
  }
}

/** What each provider charges, in its order; version 0: not known. */
export async function selectRates(
  database: Database,
): Promise<{ provider: PaymentProviderName; rate: number; fixed: number; version: number }[]> {
  return database
    .selectFrom('payment_providers')
    .leftJoin('provider_charge_rates', 'provider', 'name')
    .select(['name as provider'])
    .select(sql<number>`coalesce(rate, 0)`.as('rate'))
    .select(sql<number>`coalesce(fixed, 0)`.as('fixed'))
    .select(sql<number>`coalesce(provider_charge_rates.version, 0)`.as('version'))
    .orderBy('position')
    .execute();
}

/** Saves a rate read with `version`; false when another one was saved since. */
export async function saveRate(
  transaction: Transaction,
  row: { provider: PaymentProviderName; rate: number; fixed: number },
  version: number,
): Promise<boolean> {
  const saved =
    version === 0
      ? await transaction
          .insertInto('provider_charge_rates')
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .returning('version')
          .executeTakeFirst()
      : await transaction
          .updateTable('provider_charge_rates')
          .set({ rate: row.rate, fixed: row.fixed, version: version + 1 })
          .where('provider', '=', row.provider)
          .where('version', '=', version)
          .returning('version')
          .executeTakeFirst();
  return saved !== undefined;
}
