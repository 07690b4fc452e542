import type { Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { ProviderRefund } from '#platform/integrations/payment-provider.ts';
import { postMoney } from '../requests/record/postings.actions.ts';
import { bookRefund, lockDueAmount } from '../requests/requests.actions.ts';
import { insertCase } from './payment-cases.store.ts';
import { openedOf, providerOf, type PaymentsContext } from './payment-events.actions.ts';
import type { PaymentRow } from './payments.store.ts';
import * as store from './refunds.store.ts';

const isOpen = ({ state }: store.RefundRow) => !['refused', 'withdrawn'].includes(state);

// The provider was asked to make it, and has not answered.
const isOnItsWay = ({ state, earlier_refunds }: store.RefundRow) =>
  state === 'sent' && earlier_refunds !== null;

/** Opens a case about a refund of the provider. */
const openCase = (
  transaction: Transaction,
  payment: PaymentRow,
  kind: 'refundElsewhere' | 'refundRefused',
  { id, amount, currency }: ProviderRefund,
) =>
  insertCase(transaction, {
    kind,
    cause: `${payment.provider}:${id}`,
    payment_id: payment.id,
    merchant_reference: payment.merchant_reference,
    provider: payment.provider,
    amount,
    currency,
    detail: id,
  });

/**
 * Withdraws refunds that were not sent, the newest first, where what is left of the payment does not
 * suffice for them and for what went back already. Returns what is left after all others, in fils.
 */
async function makeRoom(
  transaction: Transaction,
  payment: PaymentRow,
  own: readonly store.RefundRow[],
  amount: number,
): Promise<number> {
  const received = await store.sumReceived(transaction, payment);
  const counted = own.filter((each) => isOpen(each) && each.currency === payment.currency);
  let left = counted.reduce((rest, each) => rest - each.amount, received);
  for (const refund of counted.toReversed()) {
    if (left >= amount) break;
    const isUnsent =
      ['waiting', 'ready'].includes(refund.state) ||
      (refund.state === 'sent' && refund.earlier_refunds === null);
    if (!isUnsent) continue;
    await store.updateRefund(transaction, refund.id, {
      state: 'withdrawn',
      finished_at: new Date(),
    });
    left += refund.amount;
  }
  return left;
}

/**
 * Records a refund that somebody made at the provider, and opens a case: nobody confirmed it here. The
 * refunds of the portal that no longer fit are withdrawn.
 */
async function recordElsewhere(
  context: PaymentsContext,
  transaction: Transaction,
  payment: PaymentRow,
  made: ProviderRefund,
): Promise<void> {
  const own = await store.lockRefundsOf(transaction, payment.id);
  const left = await makeRoom(transaction, payment, own, made.amount);
  await openCase(transaction, payment, 'refundElsewhere', made);
  // More than was received, or another currency, is for an admin alone.
  if (made.currency !== payment.currency || left < made.amount) return;
  await store.insertRefundElsewhere(transaction, payment, made);
  await bookRefund(context, transaction, {
    requestId: payment.request_id,
    amount: made.amount,
    reference: made.id,
    by: null,
    at: new Date(made.madeAt),
    isOutside: false,
  });
  await postMoney(transaction, payment.request_id);
}

/**
 * Records the refunds that somebody made at the provider, each once. While one of ours is on its way,
 * nothing says which is which, so nothing is recorded. Returns the ids of all refunds of the payment
 * at the provider; `undefined` where its provider makes only ours.
 */
export async function recordRefundsElsewhere(
  context: PaymentsContext,
  payment: PaymentRow,
): Promise<string[] | undefined> {
  const listed = await providerOf(context, payment.provider).readRefunds?.(openedOf(payment));
  if (!listed) return undefined;
  await inTransaction(context.database, async (transaction) => {
    // The request is locked first, as everywhere.
    await lockDueAmount(transaction, payment.request_id);
    const own = await store.lockRefundsOf(transaction, payment.id);
    for (const made of listed) {
      const known = own.find(
        (each) => each.provider_refund_id === made.id || each.idempotency_key === made.key,
      );
      // The bank of the payer may send it back days later.
      if (known?.state === 'succeeded' && made.state === 'refused')
        await openCase(transaction, payment, 'refundRefused', made);
      // guard: refund of ours that is on its way (payment-reversals) => false
      const isUnclear = own.some(isOnItsWay);
      if (known || isUnclear || made.state !== 'succeeded') continue;
      await recordElsewhere(context, transaction, payment, made);
    }
  });
  return listed.map(({ id }) => id);
}
