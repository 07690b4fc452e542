import type { FinesContext } from '#features/fines/fines.actions.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { inRepeatableTransaction } from '#platform/database/unit-of-work.ts';
import type {
  OpenedPayment,
  PaymentProvider,
  ProviderEvent,
} from '#platform/integrations/payment-provider.ts';
import type { PaymentEventSource } from '@diwan/contract/payments/events';
import type { PaymentProviderName } from '@diwan/contract/payments/providers';
import type { PaymentStatus } from '@diwan/contract/requests/payments';
import { postMoney } from '../requests/record/postings.actions.ts';
import {
  recordOverpayment,
  lockDueAmount,
  markPaid,
  type PaymentContext,
} from '../requests/requests.actions.ts';
import { insertCase } from './payment-cases.store.ts';
import { foldEvents, isUnexpected } from './payment-state.ts';
import * as store from './payments.store.ts';
import { startRefund } from './refunds.store.ts';

/** What the actions on payments need. */
export interface PaymentsContext {
  database: Database;
  providers: ReadonlyMap<PaymentProviderName, PaymentProvider>;
  publicUrl: string;
  /** After this many minutes without a payment its page is closed. */
  expiryMinutes: number;
  workflow: PaymentContext['workflow'];
  calendars: PaymentContext['calendars'];
  fines: FinesContext;
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

/** A payment as its provider knows it. */
export const openedOf = (payment: store.PaymentRow): OpenedPayment => ({
  merchantReference: payment.merchant_reference,
  providerReference: payment.provider_reference,
});

/** The adapter of a payment. Throws PaymentProviderUnreachable where its settings were removed. */
export function providerOf(
  context: Pick<PaymentsContext, 'providers'>,
  name: PaymentProviderName,
): PaymentProvider {
  const provider = context.providers.get(name);
  if (!provider) throw new Refusal('PaymentProviderUnreachable');
  return provider;
}

/**
 * An event with our id. The second account of a provider may use an id of the first, so the account
 * is part of ours. A time to come is now: the ledger would book the money on that day.
 */
export function toEvent(
  event: ProviderEvent,
  provider: PaymentProviderName,
  source: PaymentEventSource,
): store.NewEvent {
  const id = provider === 'reserve' ? `reserve:${event.id}` : event.id;
  const occurredAt = new Date(Math.min(Date.parse(event.occurredAt), Date.now())).toISOString();
  return { ...event, id, occurredAt, source };
}

async function readProvider(
  context: PaymentsContext,
  payment: store.PaymentRow,
): Promise<store.NewEvent[]> {
  const provider = providerOf(context, payment.provider);
  try {
    const events = await provider.read(openedOf(payment));
    const isReserved =
      events.some(({ kind }) => kind === 'authorised') &&
      events.every(({ kind }) => kind === 'authorised');
    if (!isReserved || !provider.capture || payment.status !== 'pending')
      return events.map((event) => toEvent(event, payment.provider, 'answer'));
    const { amount, currency } = payment;
    await provider.capture({ ...openedOf(payment), amount, currency });
    const after = await provider.read(openedOf(payment));
    return after.map((event) => toEvent(event, payment.provider, 'answer'));
  } catch (error) {
    context.warn(`payment provider cannot be read: ${(error as Error).message}`);
    throw new Refusal('PaymentProviderUnreachable');
  }
}

/** Opens a case for each new charge of another amount or currency. */
async function openCases(
  context: PaymentsContext,
  transaction: Transaction,
  payment: store.PaymentRow,
  added: readonly store.NewEvent[],
): Promise<void> {
  for (const event of added.filter((each) => isUnexpected(each, payment))) {
    const { merchant_reference: merchantReference, id, provider, currency } = payment;
    context.warn(`the provider was paid another amount or currency for ${merchantReference}`);
    await insertCase(transaction, {
      kind: event.currency === currency ? 'wrongAmount' : 'wrongCurrency',
      cause: event.id,
      payment_id: id,
      merchant_reference: merchantReference,
      provider,
      amount: event.amount,
      currency: event.currency,
    });
  }
}

/**
 * Appends events to a payment, applies the status that follows from all of them, and books the money
 * in the ledger, in the caller's transaction.
 */
export async function applyEvents(
  context: PaymentsContext,
  transaction: Transaction,
  payment: store.PaymentRow,
  events: readonly store.NewEvent[],
): Promise<Settlement> {
  const settlement = await settleByEvents(context, transaction, payment, events);
  if (events.length > 0) await postMoney(transaction, settlement.requestId);
  return settlement;
}

/**
 * The status of a payment after new events. Money that nothing is due for goes back: a second charge
 * of one payment, a second payment of one request, a payment for a refused request. Decision 0076.
 */
async function settleByEvents(
  context: PaymentsContext,
  transaction: Transaction,
  { request_id: requestId, merchant_reference: merchantReference }: store.PaymentRow,
  events: readonly store.NewEvent[],
): Promise<Settlement> {
  // The request is locked before the payment, in the same order as where its charges change.
  const { due } = await lockDueAmount(transaction, requestId);
  const payment = await store.lockPayment(transaction, merchantReference);
  if (!payment) throw new Refusal('PaymentNotFound');
  const { id, amount } = payment;
  const before = foldEvents(await store.selectEvents(transaction, id), payment);
  const added = await store.appendEvents(transaction, id, events);
  await openCases(context, transaction, payment, added);
  const charges = added.filter(
    (event) => event.kind === 'paid' && !isUnexpected(event, payment),
  ).length;
  const status = foldEvents(await store.selectEvents(transaction, id), payment);
  const { workflow, calendars, notifier } = context;
  const surplusTo = (reason: 'paidTwice' | 'chargedTwice') => ({
    workflow,
    calendars,
    notifier,
    onSurplus: async (surplus: number) => {
      await startRefund(transaction, payment, { amount: surplus, reason });
    },
  });
  const extraCharges = before === 'paid' ? charges : Math.max(0, charges - 1);
  for (let count = 0; count < extraCharges; count += 1) {
    context.warn(`${merchantReference} was charged again; the charge goes back`);
    await recordOverpayment(surplusTo('chargedTwice'), transaction, requestId, amount);
  }
  // A provider that has not decided does not reopen a payment that was closed here.
  if (status === payment.status || status === 'pending' || payment.status === 'paid')
    return { status: payment.status, requestId };
  if (status !== 'paid') {
    // The visitor does not pay elsewhere while an admin decides.
    if (status === 'held') await store.cancelOtherPayments(transaction, requestId, id);
    await store.setStatus(transaction, id, status);
    return { status, requestId };
  }
  // guard: payment of more than is due (payments, hostile-provider)
  if (amount > due) {
    // Recorded once, even if the provider is asked several times.
    if (before !== 'paid') {
      await recordOverpayment(surplusTo('paidTwice'), transaction, requestId, amount);
      await store.setStatus(transaction, id, 'returned');
      context.warn(`request ${requestId} was paid twice; ${merchantReference} goes back`);
    }
    return { status: 'paid', requestId };
  }
  await store.cancelOtherPayments(transaction, requestId, id);
  await store.setStatus(transaction, id, 'paid');
  if (
    amount === due &&
    !(await markPaid(surplusTo('paidTwice'), transaction, requestId, { amount }))
  )
    context.warn(`request ${requestId} was paid but no longer waits for it`);
  return { status: 'paid', requestId };
}

/**
 * Asks the provider about a payment and applies its answer exactly once, however many callers ask.
 * About a paid one it is asked only `evenIfPaid`: it may have been charged again. Throws
 * PaymentNotFound, PaymentProviderUnreachable.
 */
export async function settle(
  context: PaymentsContext,
  merchantReference: string,
  { evenIfPaid = false } = {},
): Promise<Settlement> {
  const payment = await store.findPayment(context.database, merchantReference);
  if (!payment) throw new Refusal('PaymentNotFound');
  if (payment.status === 'paid' && !evenIfPaid)
    return { status: 'paid', requestId: payment.request_id };
  // Nobody knows the page, so nobody paid.
  const isUnanswered = payment.status === 'pending' && payment.payment_url === null;
  const events = isUnanswered ? [] : await readProvider(context, payment);
  const settlement = await inRepeatableTransaction(context.database, (transaction) =>
    applyEvents(context, transaction, payment, events),
  );
  context.announce();
  return settlement;
}
