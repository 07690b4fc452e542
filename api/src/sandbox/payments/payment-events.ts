import { randomUUID } from 'node:crypto';
import type {
  EventKind,
  Fault,
  PaymentJournal,
  SandboxMessage,
  SandboxPayment,
} from './payment-journal.ts';

/**
 * Adds an event to a payment, with the messages about it: none where the fault loses them, two where
 * it doubles them. The caller saves both together.
 */
export function bookEvent(
  journal: PaymentJournal,
  payment: SandboxPayment,
  {
    kind,
    fault,
    lateMilliseconds = 0,
  }: { kind: EventKind; fault: Fault; lateMilliseconds?: number },
): { payment: SandboxPayment; messages: SandboxMessage[] } {
  const { account, merchantReference, messageUrl: url } = payment;
  const isCharged = kind === 'paid';
  const event = {
    id: randomUUID(),
    kind,
    amount: payment.amount - (isCharged && fault === 'wrongAmount' ? 1 : 0),
    currency: isCharged && fault === 'wrongCurrency' ? 'USD' : payment.currency,
    occurredAt: new Date().toISOString(),
  };
  const message = {
    account,
    url,
    body: JSON.stringify({ merchantReference, events: [event] }),
    dueAt: Date.now() + (fault === 'messageLate' ? lateMilliseconds : 0),
    attempts: 0,
    isOver: false,
  };
  const isSent = url !== '' && fault !== 'messageLost';
  const copies = isSent ? (fault === 'messageDoubled' ? 2 : 1) : 0;
  return {
    payment: { ...payment, events: [...payment.events, event] },
    messages: Array.from({ length: copies }, () => ({ ...message, id: journal.nextMessageId() })),
  };
}
