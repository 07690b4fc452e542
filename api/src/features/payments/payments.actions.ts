import { randomBytes } from 'node:crypto';
import type { Language } from '@diwan/contract/wire/languages';
import type { PaymentStatus } from '@diwan/contract/requests/payments';
import type { Database } from '../../platform/database/database.ts';
import type {
  PaymentProvider,
  ProviderEvent,
} from '../../platform/integrations/payment-provider.ts';
import { Refusal } from '../../platform/core/refusals.ts';
import type { Caller } from '../../platform/auth/session.ts';
import {
  findRequestNumber,
  findRequestToPay,
  keepToGiveBack,
  lockDue,
  markPaid,
  type RequestToPay,
  type RequestsContext,
} from '../requests/requests.actions.ts';
import * as store from './payments.store.ts';

export interface PaymentsContext {
  database: Database;
  provider: PaymentProvider;
  publicUrl: string;
  notices: RequestsContext['notices'];
  warn: (message: string) => void;
  /** Tells the hubs what a transaction wrote down for them; after its commit. */
  announce: () => void;
}

type Said = Pick<ProviderEvent, 'kind' | 'amount' | 'currency'>;

function isOurs(event: Said, amount: number, currency: string): boolean {
  return event.kind !== 'paid' || (event.amount === amount && event.currency === currency);
}

/**
 * The provider's messages added up: once paid is paid; otherwise the last word counts. Amounts that
 * are not ours do not.
 */
export function foldEvents(
  events: readonly Said[],
  amount: number,
  currency: string,
): PaymentStatus {
  const ours = events.filter((event) => isOurs(event, amount, currency));
  if (ours.some((event) => event.kind === 'paid')) return 'paid';
  return ours.at(-1)?.kind ?? 'pending';
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

/**
 * Asks the provider and books what it says, exactly once whoever asks and however often. Answers
 * the request's number and the status.
 */
export async function settle(
  context: PaymentsContext,
  merchantReference: string,
): Promise<{ status: PaymentStatus; requestId: number }> {
  const known = await store.findPayment(context.database, merchantReference);
  if (!known) throw new Refusal('PaymentNotFound');
  if (known.status === 'paid') return { status: 'paid', requestId: known.request_id };
  const events = await readProvider(context, merchantReference);
  const settled = await context.database
    .transaction()
    .execute(async (transaction): Promise<{ status: PaymentStatus; requestId: number }> => {
      // The request first: whoever charges it holds it as well.
      const { due } = await lockDue(transaction, known.request_id);
      const payment = await store.lockPayment(transaction, merchantReference);
      if (!payment) throw new Refusal('PaymentNotFound');
      const before = foldEvents(
        await store.selectEvents(transaction, payment.id),
        payment.amount,
        payment.currency,
      );
      const fresh = await store.appendEvents(transaction, payment.id, events);
      if (
        events.some(
          (event) => fresh.includes(event.id) && !isOurs(event, payment.amount, payment.currency),
        )
      )
        context.warn(`the provider was paid another amount or currency for ${merchantReference}`);
      const status = foldEvents(
        await store.selectEvents(transaction, payment.id),
        payment.amount,
        payment.currency,
      );
      // Nothing said does not open again what was closed here.
      if (status === payment.status || status === 'pending' || payment.status === 'paid')
        return { status: payment.status as PaymentStatus, requestId: payment.request_id };
      if (status === 'paid' && payment.amount > due) {
        // Once, however often the provider is asked.
        if (before === 'paid') return { status: 'paid', requestId: payment.request_id };
        await keepToGiveBack(context, transaction, payment.request_id, payment.amount);
        context.warn(
          `request ${payment.request_id} was paid twice; ${merchantReference} is to be refunded`,
        );
        return { status: 'paid', requestId: payment.request_id };
      }
      if (status === 'paid') await store.closeOthers(transaction, payment.request_id, payment.id);
      await store.setStatus(transaction, payment.id, status);
      if (
        status === 'paid' &&
        payment.amount === due &&
        !(await markPaid(context, transaction, payment.request_id, undefined, payment.amount))
      )
        context.warn(`request ${payment.request_id} was paid but no longer waits for it`);
      return { status, requestId: payment.request_id };
    });
  context.announce();
  return settled;
}

async function beginPending(
  context: PaymentsContext,
  request: RequestToPay,
): Promise<store.PaymentRow> {
  const merchantReference = `${request.number}-${randomBytes(4).toString('hex')}`;
  const payment = await context.database.transaction().execute(async (transaction) => {
    const { due, round } = await lockDue(transaction, request.id);
    if (due <= 0) throw new Refusal('RequestAlreadyPaid');
    const inserted = await store.insertPending(transaction, {
      request_id: request.id,
      round,
      merchant_reference: merchantReference,
      amount: due,
      currency: 'AED',
    });
    return inserted ?? (await store.findAlive(transaction, request.id, round));
  });
  if (!payment || payment.status === 'paid') throw new Refusal('RequestAlreadyPaid');
  return payment;
}

// A second round says which fines or fees it is for.
function describeOrder(
  { number, serviceName, addedTitles }: RequestToPay,
  language: Language,
): string {
  const added = new Intl.ListFormat(language, { type: 'conjunction' }).format(addedTitles);
  return [number, serviceName, ...(added ? [added] : [])].join(' · ');
}

/**
 * Begins to pay, or goes on with the payment that is open. The payment is pending before the
 * visitor leaves.
 */
export async function beginPayment(
  context: PaymentsContext,
  caller: Caller,
  requestId: number,
  language: Language,
): Promise<{ paymentUrl: string; merchantReference: string }> {
  const asked = await findRequestToPay(context.database, caller, requestId, language);
  const alive = await store.findAlive(context.database, requestId, asked.round);
  // Whoever comes back may have paid in the meantime.
  if (alive?.status === 'pending') await settle(context, alive.merchant_reference);
  const request = await findRequestToPay(context.database, caller, requestId, language);
  if (
    request.due <= 0 &&
    (await store.findAlive(context.database, requestId, request.round))?.status === 'paid'
  )
    throw new Refusal('RequestAlreadyPaid');
  if (!request.isPayable) throw new Refusal('RequestNotPayable');
  const payment = await beginPending(context, request);
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
    context.warn(`payment provider cannot open: ${(error as Error).message}`);
    throw new Refusal('PaymentProviderUnreachable');
  }
}

/** What the browser brings back only names the payment; the provider decides. */
export async function settleReturn(
  context: PaymentsContext,
  paymentSummary: string,
): Promise<{ isPaid: boolean; requestNumber: string }> {
  const { status, requestId } = await settle(context, readSummary(paymentSummary));
  return {
    isPaid: status === 'paid',
    requestNumber: await findRequestNumber(context.database, requestId),
  };
}

function readSummary(summary: string): string {
  try {
    const value = JSON.parse(Buffer.from(summary, 'base64url').toString()) as {
      merchantReference?: unknown;
    } | null;
    if (
      typeof value?.merchantReference === 'string' &&
      /^[\w-]{1,60}$/.test(value.merchantReference)
    )
      return value.merchantReference;
  } catch {
    // Whatever it is, it names no payment.
  }
  throw new Refusal('PaymentNotFound');
}

/** Asks about payments that nobody came back from: the browser may go away at any step. */
export async function settleDue(context: PaymentsContext, everySeconds: number): Promise<void> {
  for (const merchantReference of await store.takeDue(context.database, everySeconds)) {
    await settle(context, merchantReference).catch((error: Error) =>
      context.warn(`payment ${merchantReference} stays pending: ${error.message}`),
    );
  }
}
