import { randomBytes } from 'node:crypto';
import { refuseChangedFines } from '#features/fines/fines.actions.ts';
import type { Caller } from '#platform/auth/caller.ts';
import { Refusal } from '#platform/core/refusals.ts';
import { DatabaseUnavailable } from '#platform/database/database-failures.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { PaymentOrder } from '#platform/integrations/payment-provider.ts';
import type { PaymentMethod, PaymentStatus } from '@diwan/contract/requests/payments';
import type { Language } from '@diwan/contract/wire/languages';
import {
  getRequestNumber,
  getRequestToPay,
  lockDueAmount,
  type RequestToPay,
} from '../requests/requests.actions.ts';
import {
  applyEvents,
  openedOf,
  providerOf,
  settle,
  type PaymentsContext,
} from './payment-events.actions.ts';
import * as store from './payments.store.ts';
import { chooseProviders } from './routing/routing.actions.ts';

async function insertPendingPayment(
  context: PaymentsContext,
  request: RequestToPay,
  { provider, method }: Pick<store.PaymentRow, 'provider' | 'method'>,
): Promise<store.PaymentRow> {
  const merchantReference = `${request.number}-${randomBytes(4).toString('hex')}`;
  const payment = await inTransaction(context.database, async (transaction) => {
    const { due, round } = await lockDueAmount(transaction, request.id);
    if (due <= 0) throw new Refusal('RequestAlreadyPaid');
    if (await store.findPaymentUnderReview(transaction, request.id))
      throw new Refusal('PaymentIsHeld');
    const inserted = await store.insertPending(transaction, {
      request_id: request.id,
      round,
      merchant_reference: merchantReference,
      amount: due,
      currency: 'AED',
      provider,
      method,
      expires_at: new Date(Date.now() + context.expiryMinutes * 60_000),
    });
    return inserted ?? (await store.findOpenOrPaid(transaction, request.id, round));
  });
  if (!payment || payment.status === 'paid') throw new Refusal('RequestAlreadyPaid');
  return payment;
}

// The description of a further round names the fines or fees that were added.
function describeOrder(
  { number, serviceName, addedTitles }: RequestToPay,
  language: Language,
): string {
  const added = new Intl.ListFormat(language, { type: 'conjunction' }).format(addedTitles);
  return [number, serviceName, ...(added ? [added] : [])].join(' · ');
}

type OrderTexts = Pick<PaymentOrder, 'description' | 'language'>;

const orderOf = (
  { publicUrl }: PaymentsContext,
  payment: store.PaymentRow,
  texts: OrderTexts,
): PaymentOrder => ({
  merchantReference: payment.merchant_reference,
  amount: payment.amount,
  currency: payment.currency,
  ...texts,
  returnUrl: `${publicUrl}/api/Payment/PostPayProPaymentResult`,
  messageUrl: `${publicUrl}/api/Payment/ReceivePaymentMessage/${payment.provider}`,
  method: payment.method,
});

/** How a person pays. Without a method a card, and the open payment is continued. */
interface PaymentOptions {
  language: Language;
  method?: PaymentMethod | undefined;
}

/** Opens the page of a payment; `undefined` when the payment was closed in the meantime. */
async function openPage(
  context: PaymentsContext,
  payment: store.PaymentRow,
  texts: OrderTexts,
): Promise<string | undefined> {
  const provider = providerOf(context, payment.provider);
  const page = await provider.open(orderOf(context, payment, texts));
  return store.storePage(context.database, payment.id, page);
}

/**
 * The address of a page that is continued. It has moved where the portal or the provider has another
 * address than when it was opened; without an answer the known one is used.
 */
async function findPage(
  context: PaymentsContext,
  payment: store.PaymentRow,
  { known, texts }: { known: string; texts: OrderTexts },
): Promise<string> {
  const provider = context.providers.get(payment.provider);
  if (!provider?.movesPages) return known;
  try {
    const { paymentUrl } = await provider.open(orderOf(context, payment, texts));
    if (paymentUrl !== known) await store.movePage(context.database, payment.id, paymentUrl);
    return paymentUrl;
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    return known;
  }
}

/**
 * The page of the request's open payment, or of a new one. Where a provider cannot open it, the next
 * one is tried, but only after the payment is closed while nobody knows its page: what nobody can
 * open, nobody pays. Throws PaymentProviderUnreachable when none is left.
 */
async function openSomePage(
  context: PaymentsContext,
  request: RequestToPay,
  { language, method = 'card' }: PaymentOptions,
): Promise<{ paymentUrl: string; merchantReference: string }> {
  const left = await chooseProviders(context, { ...request, method });
  const order = { description: describeOrder(request, language), language };
  while (left[0] !== undefined) {
    const payment = await insertPendingPayment(context, request, { provider: left[0], method });
    const { payment_url: known, merchant_reference: merchantReference } = payment;
    if (known)
      return {
        paymentUrl: await findPage(context, payment, { known, texts: order }),
        merchantReference,
      };
    try {
      const paymentUrl = await openPage(context, payment, order);
      if (paymentUrl) return { paymentUrl, merchantReference };
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      context.warn(`payment provider ${payment.provider} cannot open: ${(error as Error).message}`);
      const isTried = left.indexOf(payment.provider);
      if (isTried >= 0) left.splice(isTried, 1);
      // Under the lock of the request: another tab that found this payment open reads it before.
      if (left.length > 0)
        await inTransaction(context.database, async (transaction) => {
          await lockDueAmount(transaction, request.id);
          await store.closeUnanswered(transaction, payment.id);
        });
    }
  }
  throw new Refusal('PaymentProviderUnreachable');
}

/**
 * Closes the page of the open payment where the person wants another method now. It stays open, and is
 * continued, where the provider does not confirm that nothing can be charged.
 */
async function closeOtherMethod(
  context: PaymentsContext,
  { id, round }: RequestToPay,
  method: PaymentMethod | undefined,
): Promise<void> {
  const open = await store.findOpenOrPaid(context.database, id, round);
  if (method === undefined || open?.status !== 'pending' || open.method === method) return;
  const isClosed = await closePage(context, open).catch((error: Error) => {
    if (error instanceof DatabaseUnavailable) throw error;
    return false;
  });
  if (!isClosed) return;
  await inTransaction(context.database, (transaction) =>
    applyEvents(context, transaction, open, [
      {
        id: `${open.merchant_reference}:cancelled`,
        kind: 'cancelled',
        amount: open.amount,
        currency: open.currency,
        occurredAt: new Date().toISOString(),
        source: 'portal',
      },
    ]),
  );
}

/**
 * Begins a payment, or continues the open one. The payment is stored as pending before the visitor
 * leaves. Throws RequestNotFound, RequestNotPayable, RequestAlreadyPaid, PaymentIsHeld,
 * PaymentProviderUnreachable, FineHasChanged, FinesRegisterUnreachable.
 */
export async function beginPayment(
  context: PaymentsContext,
  caller: Caller,
  requestId: number,
  options: PaymentOptions,
): Promise<{ paymentUrl: string; merchantReference: string }> {
  const { language } = options;
  const before = await getRequestToPay(context, caller, requestId, language);
  const current = await store.findOpenOrPaid(context.database, requestId, before.round);
  // A visitor who returns may have paid in the meantime. Nobody has paid on a page that nobody knows,
  // and another tab may be closing that payment because its provider cannot be reached.
  if (current?.status === 'pending' && current.payment_url !== null)
    await settle(context, current.merchant_reference);
  const request = await getRequestToPay(context, caller, requestId, language);
  if (
    request.due <= 0 &&
    (await store.findOpenOrPaid(context.database, requestId, request.round))?.status === 'paid'
  )
    throw new Refusal('RequestAlreadyPaid');
  // guard: status in which a request is paid (payments, hostile-actions)
  if (!request.isPayable) throw new Refusal('RequestNotPayable');
  await refuseChangedFines(context.fines, requestId);
  // guard: open page of another method of payment (payment-safety)
  await closeOtherMethod(context, request, options.method);
  return openSomePage(context, request, options);
}

// Each provider has its own form for the summary. The reference proves nothing.
function readSummary(context: PaymentsContext, summary: string): string {
  for (const provider of context.providers.values()) {
    try {
      return provider.readSummary(summary);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
  throw new Refusal('PaymentNotFound');
}

/**
 * Handles the visitor's return. The summary in the address only names the payment; the provider's
 * answer decides. Without an answer the payment is still checked, whatever happened at the provider.
 * Throws PaymentNotFound.
 */
export async function settleReturn(
  context: PaymentsContext,
  paymentSummary: string,
): Promise<{ status: PaymentStatus; requestNumber: string; merchantReference: string }> {
  const merchantReference = readSummary(context, paymentSummary);
  const { status, requestId } = await settle(context, merchantReference).catch(
    async (error: unknown) => {
      const payment = await store.findPayment(context.database, merchantReference);
      if (!payment || !(error instanceof Refusal) || error.refusal === 'PaymentNotFound')
        throw error;
      return { status: payment.status, requestId: payment.request_id };
    },
  );
  return {
    status,
    requestNumber: await getRequestNumber(context.database, requestId),
    merchantReference,
  };
}

/** Closes the page of a payment that has ended. True when nothing can be charged from now on. */
async function closePage(context: PaymentsContext, payment: store.PaymentRow): Promise<boolean> {
  if (payment.status === 'pending' && payment.payment_url === null) return true;
  return providerOf(context, payment.provider).cancel(openedOf(payment));
}

async function checkPayment(context: PaymentsContext, merchantReference: string): Promise<void> {
  await settle(context, merchantReference, { evenIfPaid: true });
  const payment = await store.findPayment(context.database, merchantReference);
  if (!payment) return;
  const isOver = payment.status === 'pending' && payment.expires_at <= new Date();
  if (!isOver && !payment.is_cancel_wanted) return;
  if (!(await closePage(context, payment))) {
    // It may have been paid at the last moment.
    await settle(context, merchantReference);
    return;
  }
  if (payment.is_cancel_wanted) await store.confirmCancelled(context.database, payment.id);
  if (!isOver) return;
  await inTransaction(context.database, (transaction) =>
    applyEvents(context, transaction, payment, [
      {
        id: `${merchantReference}:expired`,
        kind: 'expired',
        amount: payment.amount,
        currency: payment.currency,
        occurredAt: new Date().toISOString(),
        source: 'portal',
      },
    ]),
  );
  context.announce();
}

/**
 * Asks about payments whose visitor has not returned: a browser may close at any step. Closes the
 * pages of payments that nobody made in time, and of those that another payment replaced.
 */
export async function checkOpenPayments(
  context: PaymentsContext,
  everySeconds: number,
): Promise<void> {
  for (const merchantReference of await store.claimPaymentsToCheck(
    context.database,
    everySeconds,
  )) {
    await checkPayment(context, merchantReference).catch((error: Error) => {
      if (error instanceof DatabaseUnavailable) throw error;
      context.warn(`payment ${merchantReference} stays as it is: ${error.message}`);
    });
  }
}
