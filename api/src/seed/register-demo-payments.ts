import { sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';
import { addressOf, callIntegration } from '../platform/integrations/http-client.ts';

// The demo makes fewer, before all others.
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
    .selectFrom('payments')
    .innerJoin('payment_events as event', 'event.payment_id', 'payments.id')
    .select(['payments.merchant_reference as merchantReference', 'event.id as eventId'])
    .select(['event.amount', 'event.currency', 'event.occurred_at as at'])
    .where('event.kind', '=', 'paid')
    .where('event.id', '=', sql<string>`payments.merchant_reference || '-paid'`)
    .orderBy('payments.id')
    .limit(mostPayments)
    .execute();
  const payments = rows.map(({ at, ...row }) => ({ ...row, paidAt: at.toISOString() }));
  await callIntegration(`http://${addressOf(host)}:${port}/past-payments`, key, payments);
}
