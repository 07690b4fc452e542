import { randomBytes } from 'node:crypto';
import type { Language } from '@diwan/contract/wire/languages';
import type { PaymentStatus } from '@diwan/contract/requests/payments';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { DatabaseUnavailable } from '../../platform/database/database-failures.ts';
import type {
  PaymentProvider,
  ProviderEvent,
} from '../../platform/integrations/payment-provider.ts';
import { Refusal } from '../../platform/core/refusals.ts';
import type { Caller } from '../../platform/auth/caller.ts';
import {
  getRequestNumber,
  getRequestToPay,
  recordOverpayment,
  lockDueAmount,
  markPaid,
  type RequestToPay,
  type PaymentContext,
} from '../requests/requests.actions.ts';
import * as store from './payments.store.ts';

/** What the actions on payments need. */
export interface PaymentsContext {
  database: Database;
  provider: PaymentProvider;
  publicUrl: string;
  notifier: PaymentContext['notifier'];
  warn: (message: string) => void;
  /** Sends the stored events of the hubs and the stored messages; called after the commit. */
  announce: () => void;
}

/** A payment's status after the provider was asked, and its request. */
interface Settlement {
  status: PaymentStatus;
  requestId: number;
}

type StatusEvent = Pick<ProviderEvent, 'kind' | 'amount' | 'currency'>;

function isExpected(event: StatusEvent, amount: number, currency: string): boolean {
  return event.kind !== 'paid' || (event.amount === amount && event.currency === currency);
}

/**
 * The status that follows from the provider's messages: a paid payment stays paid, otherwise the
 * last message decides. A message with another amount or currency is ignored.
 */
export function foldEvents(
  events: readonly StatusEvent[],
  amount: number,
  currency: string,
): PaymentStatus {
  const expected = events.filter((event) => isExpected(event, amount, currency));
  if (expected.some((event) => event.kind === 'paid')) return 'paid';
  return expected.at(-1)?.kind ?? 'pending';
}

async function readProvider(
  context: PaymentsContext,
  merchantReference: string,
): Promise<ProviderEvent[]> {
  try {
    return await context.provider.read(merchantReference);
  } catch (error) {
    context.warn(`payment provider cannot be read: ${(error as Error).message}`);
    throw new Refusal('PaymentProviderUnreachable');
  }
}

/** Stores the provider's messages and applies the status that follows from all of them. */
async function applyEvents(
  context: PaymentsContext,
  transaction: Transaction,
  { request_id: requestId, merchant_reference: merchantReference }: store.PaymentRow,
  events: readonly ProviderEvent[],
): Promise<Settlement> {
  // The request is locked before the payment, in the same order as where its charges change.
  const { due } = await lockDueAmount(transaction, requestId);
  const payment = await store.lockPayment(transaction, merchantReference);
  if (!payment) throw new Refusal('PaymentNotFound');
  const { id, amount, currency } = payment;
  const storedStatus = async () =>
    foldEvents(await store.selectEvents(transaction, id), amount, currency);
  const before = await storedStatus();
  const added = await store.appendEvents(transaction, id, events);
  if (events.some((event) => added.includes(event.id) && !isExpected(event, amount, currency)))
    context.warn(`the provider was paid another amount or currency for ${merchantReference}`);
  const status = await storedStatus();
  // A provider that has not decided does not reopen a payment that was closed here.
  if (status === payment.status || status === 'pending' || payment.status === 'paid')
    return { status: payment.status, requestId };
  if (status === 'paid' && amount > due) {
    // Recorded once, even if the provider is asked several times.
    if (before !== 'paid') {
      await recordOverpayment(context, transaction, requestId, amount);
      context.warn(`request ${requestId} was paid twice; ${merchantReference} is to be refunded`);
    }
    return { status: 'paid', requestId };
  }
  if (status === 'paid') await store.cancelOtherPayments(transaction, requestId, id);
  await store.setStatus(transaction, id, status);
  if (
    status === 'paid' &&
    amount === due &&
    !(await markPaid(context, transaction, requestId, { amount }))
  )
    context.warn(`request ${requestId} was paid but no longer waits for it`);
  return { status, requestId };
}

/**
 * Asks the provider about a payment and applies its answer exactly once, however many callers ask.
 * Throws PaymentNotFound, PaymentProviderUnreachable.
 */
export async function settle(
  context: PaymentsContext,
  merchantReference: string,
): Promise<Settlement> {
  const payment = await store.findPayment(context.database, merchantReference);
  if (!payment) throw new Refusal('PaymentNotFound');
  if (payment.status === 'paid') return { status: 'paid', requestId: payment.request_id };
  const events = await readProvider(context, merchantReference);
  const settlement = await context.database
    .transaction()
    .execute((transaction) => applyEvents(context, transaction, payment, events));
  context.announce();
  return settlement;
}

async function insertPendingPayment(
  context: PaymentsContext,
  request: RequestToPay,
): Promise<store.PaymentRow> {
  const merchantReference = `${request.number}-${randomBytes(4).toString('hex')}`;
  const payment = await context.database.transaction().execute(async (transaction) => {
    const { due, round } = await lockDueAmount(transaction, request.id);
    if (due <= 0) throw new Refusal('RequestAlreadyPaid');
    const inserted = await store.insertPending(transaction, {
      request_id: request.id,
      round,
      merchant_reference: merchantReference,
      amount: due,
      currency: 'AED',
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

/**
 * Begins a payment, or continues the open one. The payment is stored as pending before the visitor
 * leaves. Throws RequestNotFound, RequestNotPayable, RequestAlreadyPaid,
 * PaymentProviderUnreachable.
 */
export async function beginPayment(
  context: PaymentsContext,
  caller: Caller,
  requestId: number,
  language: Language,
): Promise<{ paymentUrl: string; merchantReference: string }> {
  const before = await getRequestToPay(context.database, caller, requestId, language);
  const current = await store.findOpenOrPaid(context.database, requestId, before.round);
  // A visitor who returns may have paid in the meantime.
  if (current?.status === 'pending') await settle(context, current.merchant_reference);
  const request = await getRequestToPay(context.database, caller, requestId, language);
  if (
    request.due <= 0 &&
    (await store.findOpenOrPaid(context.database, requestId, request.round))?.status === 'paid'
  )
    throw new Refusal('RequestAlreadyPaid');
  if (!request.isPayable) throw new Refusal('RequestNotPayable');
  const payment = await insertPendingPayment(context, request);
  if (payment.payment_url)
    return { paymentUrl: payment.payment_url, merchantReference: payment.merchant_reference };
  const order = {
    merchantReference: payment.merchant_reference,
    amount: payment.amount,
    currency: payment.currency,
    description: describeOrder(request, language),
    language,
    returnUrl: `${context.publicUrl}/api/Payment/PostPayProPaymentResult`,
  };
  try {
    const { paymentUrl } = await context.provider.open(order);
    await store.setPaymentUrl(context.database, payment.id, paymentUrl);
    return { paymentUrl, merchantReference: payment.merchant_reference };
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    context.warn(`payment provider cannot open: ${(error as Error).message}`);
    throw new Refusal('PaymentProviderUnreachable');
  }
}

/**
 * Handles the visitor's return. The summary in the address only names the payment; the provider's
 * answer decides. Throws PaymentNotFound.
 */
export async function settleReturn(
  context: PaymentsContext,
  paymentSummary: string,
): Promise<{ status: PaymentStatus; requestNumber: string }> {
  const { status, requestId } = await settle(context, context.provider.readSummary(paymentSummary));
  return {
    status,
    requestNumber: await getRequestNumber(context.database, requestId),
  };
}

/** Asks about payments whose visitor has not returned: a browser may close at any step. */
export async function checkOpenPayments(
  context: PaymentsContext,
  everySeconds: number,
): Promise<void> {
  for (const merchantReference of await store.claimPaymentsToCheck(
    context.database,
    everySeconds,
  )) {
    await settle(context, merchantReference).catch((error: Error) => {
      if (error instanceof DatabaseUnavailable) throw error;
      context.warn(`payment ${merchantReference} stays pending: ${error.message}`);
    });
  }
}
