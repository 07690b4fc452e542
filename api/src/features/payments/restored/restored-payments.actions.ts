import { lockDueAmount } from '#features/requests/requests.actions.ts';
import { Refusal } from '#platform/core/refusals.ts';
import { DatabaseUnavailable } from '#platform/database/database-failures.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { ListedCharge, PaymentProvider } from '#platform/integrations/payment-provider.ts';
import type { PaymentProviderName } from '@diwan/contract/payments/providers';
import { insertCase } from '../payment-cases.store.ts';
import { settle, type PaymentsContext } from '../payment-events.actions.ts';
import { findPayment, lockPayment } from '../payments.store.ts';
import { recordRefundsElsewhere } from '../provider-refunds.actions.ts';
import * as store from './restored-payments.store.ts';

// The clocks of providers differ, and a charge may be booked a moment before it is known here.
const overlapMs = 3_600_000;

/** Asks the provider about a payment: its charges, and the refunds that are not known here. */
async function askAgain(context: PaymentsContext, merchantReference: string): Promise<void> {
  await settle(context, merchantReference, { evenIfPaid: true });
  const payment = await findPayment(context.database, merchantReference);
  if (payment?.status === 'paid') await recordRefundsElsewhere(context, payment);
}

/**
 * Takes over a payment that its provider charged and this database does not know. Where its request is
 * not there, or something else is due for it now, an admin decides.
 */
async function takeOver(
  context: PaymentsContext,
  provider: PaymentProviderName,
  charge: ListedCharge,
): Promise<'taken' | 'case'> {
  const { merchantReference, providerReference, amount, currency } = charge;
  const found = await inTransaction(context.database, async (transaction) => {
    const requestId = await store.findRequestOf(transaction, merchantReference);
    if (requestId !== undefined) {
      const { due, round } = await lockDueAmount(transaction, requestId);
      // Another process may have taken it over meanwhile.
      if (await lockPayment(transaction, merchantReference)) return 'taken';
      // guard: charge after a restore of another amount than is due (restored-payments)
      if (amount === due && currency === 'AED') {
        await store.insertFound(transaction, provider, charge, { requestId, round });
        return 'taken';
      }
    }
    await insertCase(transaction, {
      kind: 'unknownReference',
      cause: `${provider}:restored:${merchantReference}`,
      merchant_reference: merchantReference,
      provider,
      amount,
      currency,
      detail: providerReference ?? '',
    });
    return 'case';
  });
  if (found === 'taken') await askAgain(context, merchantReference);
  return found;
}

async function reconcileCharges(
  context: PaymentsContext,
  since: Date,
  [name, provider]: [PaymentProviderName, PaymentProvider],
): Promise<{ taken: number; cases: number }> {
  const counts = { taken: 0, cases: 0 };
  if (!provider.listCharged) {
    context.warn(
      `${name} lists no charges: import its settlement files since ${since.toISOString()}`,
    );
    return counts;
  }
  for (const charge of await provider.listCharged(since)) {
    const payment = await findPayment(context.database, charge.merchantReference);
    if (payment?.status === 'paid') continue;
    if (payment) {
      await store.nameUnanswered(context.database, payment.id, charge.providerReference);
      await askAgain(context, payment.merchant_reference);
    } else if ((await takeOver(context, name, charge)) === 'taken') counts.taken += 1;
    else counts.cases += 1;
  }
  return counts;
}

/** Runs a part of the reconciliation; false where a provider could not be asked. */
async function attempt(context: PaymentsContext, what: string, run: () => Promise<void>) {
  try {
    await run();
    return true;
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    const cause = error instanceof Refusal ? error.refusal : (error as Error).message;
    context.warn(`restore: ${what} waits: ${cause}`);
    return false;
  }
}

/**
 * Asks the payment providers about what came after the time to which the database was restored, until
 * they have answered about everything: payments that are open here or were begun in the last week, and charges that
 * are not known here. It can be repeated, and several processes may run it.
 */
export async function reconcileRestore(context: PaymentsContext): Promise<void> {
  const { database, providers, warn } = context;
  const restore = await store.findOpenRestore(database);
  if (!restore) return;
  let [isComplete, asked, taken, cases] = [true, 0, 0, 0];
  // Nobody can be asked about the payments of a provider whose settings were removed.
  const names = [...providers.keys()];
  for (let after = 0; ;) {
    const payments = await store.selectUnasked(database, restore, { providers: names, after });
    for (const { id, merchant_reference: merchantReference } of payments) {
      const isAnswered = await attempt(context, merchantReference, async () => {
        await askAgain(context, merchantReference);
        await store.markAsked(database, id);
      });
      if (isAnswered) asked += 1;
      isComplete &&= isAnswered;
    }
    const last = payments.at(-1);
    if (!last) break;
    after = last.id;
  }
  const since = new Date(restore.restored_to.getTime() - overlapMs);
  for (const entry of providers) {
    const isListed = await attempt(context, entry[0], async () => {
      const counts = await reconcileCharges(context, since, entry);
      taken += counts.taken;
      cases += counts.cases;
    });
    isComplete &&= isListed;
  }
  if (isComplete && (await store.endRestore(database, restore.id)))
    warn(
      `restore to ${restore.restored_to.toISOString()} is reconciled: ${asked} payments were ` +
        `asked, ${taken} were added, ${cases} wait for a decision`,
    );
}
