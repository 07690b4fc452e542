import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '#platform/core/refusals.ts';
import { DatabaseUnavailable } from '#platform/database/database-failures.ts';
import type { Transaction } from '#platform/database/database.ts';
import { inRepeatableTransaction } from '#platform/database/unit-of-work.ts';
import {
  MessageRefused,
  type PaymentProvider,
  type ProviderMessage,
} from '#platform/integrations/payment-provider.ts';
import type { RefusedMessageReason } from '@diwan/contract/payments/events';
import type { PaymentProviderName } from '@diwan/contract/payments/providers';
import { insertCase } from './payment-cases.store.ts';
import { applyEvents, settle, toEvent, type PaymentsContext } from './payment-events.actions.ts';
import { countRefused, storeMessage } from './payment-messages.store.ts';
import { findPayment, type PaymentRow } from './payments.store.ts';
import { recordRefundsElsewhere } from './provider-refunds.actions.ts';

/** The longest message that is read, in bytes. */
export const maximumMessageBytes = 65_536;

interface Refused {
  provider: string;
  reason: RefusedMessageReason;
  digest?: string;
  bytes: number;
}

/** Records that a message was refused, in a row for the hour. */
export async function recordRefused(
  { database }: Pick<PaymentsContext, 'database'>,
  { provider, reason, digest = '', bytes }: Refused,
): Promise<void> {
  await countRefused(database, { provider, reason, last_digest: digest, last_bytes: bytes });
}

/**
 * Whether a message is about a payment: of its provider, and of the session that was opened for it. A
 * payer may send our reference with another session of the same account.
 */
const isAbout = (
  payment: PaymentRow,
  { provider, message }: { provider: PaymentProviderName; message: ProviderMessage },
): boolean =>
  // guard: payment of another provider than the message (payment-safety)
  payment.provider === provider &&
  // guard: session that was opened for the payment (payment-safety)
  (payment.provider_reference === null || payment.provider_reference === message.providerReference);

// A genuine message about a payment that is not ours, or of another provider or session, may mean that
// somebody was charged: an admin looks.
async function recordUnknown(
  transaction: Transaction,
  provider: PaymentProviderName,
  digest: string,
  message: ProviderMessage,
): Promise<void> {
  const charged = message.events.find(({ kind }) => kind === 'paid');
  await insertCase(transaction, {
    kind: 'unknownReference',
    cause: `${provider}:${digest}`,
    merchant_reference: message.merchantReference,
    provider,
    amount: charged?.amount ?? 0,
    currency: charged?.currency ?? 'AED',
    detail: message.providerReference ?? '',
  });
}

/** Opens a case about a dispute, and another one about its end. */
async function recordDispute(
  transaction: Transaction,
  payment: PaymentRow,
  { id, amount, currency, detail, hasEnded }: NonNullable<ProviderMessage['dispute']>,
): Promise<void> {
  await insertCase(transaction, {
    kind: hasEnded ? 'disputeEnded' : 'dispute',
    cause: `${payment.provider}:${id}`,
    payment_id: payment.id,
    merchant_reference: payment.merchant_reference,
    provider: payment.provider,
    amount,
    currency,
    detail,
  });
}

/** A message that names the charge alone, with the payment that was opened for it. */
async function nameMessage(
  context: PaymentsContext,
  provider: PaymentProvider | undefined,
  message: ProviderMessage,
): Promise<ProviderMessage> {
  if (message.charge === undefined || !provider?.findPayment) return message;
  try {
    const found = await provider.findPayment(message.charge);
    return { ...message, ...(found ?? { providerReference: message.charge }) };
  } catch (error) {
    context.warn(`payment provider cannot be read: ${(error as Error).message}`);
    throw new Refusal('PaymentProviderUnreachable');
  }
}

/** Applies a genuine message once; a repeated one is only counted. */
async function applyMessage(
  context: PaymentsContext,
  transaction: Transaction,
  sent: { provider: PaymentProviderName; digest: string; message: ProviderMessage },
  payment: PaymentRow | undefined,
): Promise<void> {
  const { provider, digest, message } = sent;
  // The row of the message is written first: the same message at the same time waits here.
  const times = await storeMessage(transaction, {
    provider,
    digest,
    merchant_reference: message.merchantReference,
    payment_id: payment?.id ?? null,
    verdict: payment ? 'applied' : 'unknownReference',
  });
  if (times > 1) return;
  if (!payment) return recordUnknown(transaction, provider, digest, message);
  if (message.dispute) await recordDispute(transaction, payment, message.dispute);
  const events = message.events.map((event) => toEvent(event, provider, 'message'));
  await applyEvents(context, transaction, payment, events);
}

/** Asks the provider about refunds that somebody made there. */
async function readRefunds(context: PaymentsContext, payment: PaymentRow): Promise<void> {
  try {
    await recordRefundsElsewhere(context, payment);
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    context.warn(
      `refunds of ${payment.merchant_reference} are unread: ${(error as Error).message}`,
    );
    throw new Refusal('PaymentProviderUnreachable');
  }
  context.announce();
}

/**
 * Receives a message of a provider: checks its signature, and applies its events exactly once. A
 * message without events makes the server ask the provider. Throws MessageNotAccepted,
 * PaymentProviderUnreachable.
 */
export async function receiveMessage(
  context: PaymentsContext,
  name: PaymentProviderName,
  raw: Buffer,
  headers: IncomingHttpHeaders,
): Promise<void> {
  const digest = createHash('sha256').update(raw).digest('hex');
  const provider = context.providers.get(name);
  let message: ProviderMessage;
  try {
    if (!provider) throw new MessageRefused('notGenuine');
    message = provider.readMessage(raw, headers, new Date());
  } catch (error) {
    if (!(error instanceof MessageRefused)) throw error;
    await recordRefused(context, {
      provider: name,
      reason: error.fault,
      digest,
      bytes: raw.length,
    });
    throw new Refusal('MessageNotAccepted');
  }
  message = await nameMessage(context, provider, message);
  const found = await findPayment(context.database, message.merchantReference);
  const payment = found && isAbout(found, { provider: name, message }) ? found : undefined;
  await inRepeatableTransaction(context.database, (transaction) =>
    applyMessage(context, transaction, { provider: name, digest, message }, payment),
  );
  context.announce();
  if (!payment || message.events.length > 0) return;
  await settle(context, payment.merchant_reference);
  await readRefunds(context, payment);
}
