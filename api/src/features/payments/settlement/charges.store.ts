import type { Database, Transaction } from '#platform/database/database.ts';
import {
  agencyName,
  containsNumber,
  paymentsByNumber,
  type PaymentList,
} from '#platform/database/lists/payment-lists.ts';
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

/** What providers charged, by the lines of their settlement files, the newest first. */
export const chargeLines: PaymentList = {
  columns: sql`
    line.id, file.provider, line.kind, line.merchant_reference as "merchantReference",
    requests.number as "requestNumber", line.amount, line.charge, line.currency,
    to_char(line.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
    ${agencyName}`,
  tables: sql`
    settlement_lines as line
    join settlement_files as file
      on file.id = line.file_id
    left join payments
      on payments.id = line.payment_id
    left join requests
      on requests.id = payments.request_id`,
  at: { time: sql`line.occurred_at` },
  agencyId: sql`requests.agency_id`,
  provider: sql`file.provider`,
  method: sql`payments.method`,
  state: sql`line.kind`,
  amount: sql`line.charge`,
  currency: sql`line.currency`,
  byNumber: (plain) => sql`
    select id
    from settlement_lines
    where payment_id in (${paymentsByNumber(plain)})
    union all
    select id
    from settlement_lines
    where payment_id is null
      and ${containsNumber(sql`merchant_reference`, plain)}`,
  order: sql`line.occurred_at desc`,
  ties: sql`line.id desc`,
  id: sql`line.id`,
};
