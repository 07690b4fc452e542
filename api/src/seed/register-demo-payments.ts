import { sql } from '#platform/database/sql.ts';
import type { Database } from '../platform/database/database.ts';
import { addressOf, callIntegration } from '../platform/integrations/http-client.ts';

// The demo makes fewer, before all others: the events of the others are not read.
const mostPayments = 1000;

/**
 * Tells the sandbox of the payment provider which payments the demo made, so that they can be
 * refunded. A payment that it knows does not change.
 */
export async function registerDemoPayments(
  database: Database,
  { host, port, key }: { host: string; port: number; key: string },
): Promise<void> {
  const rows = await database
    .selectFrom((from) =>
      from
        .selectFrom('payments')
        .select(['id', 'merchant_reference'])
        .orderBy('id')
        .limit(mostPayments)
        .as('payments'),
    )
    .innerJoin('payment_events as event', 'event.payment_id', 'payments.id')
    .select(['payments.merchant_reference as merchantReference', 'event.id as eventId'])
    .select(['event.amount', 'event.currency', 'event.occurred_at as at'])
    .where('event.kind', '=', 'paid')
    .where('event.id', '=', sql<string>`payments.merchant_reference || '-paid'`)
    .execute();
  const payments = rows.map(({ at, ...row }) => ({ ...row, paidAt: at.toISOString() }));
  await callIntegration(`http://${addressOf(host)}:${port}/past-payments`, key, payments);
}
