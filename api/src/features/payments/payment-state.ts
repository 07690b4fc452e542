import type { PaymentEventKind } from '@diwan/contract/payments/events';
import type { PaymentStatus } from '@diwan/contract/requests/payments';

export interface StatusEvent {
  kind: PaymentEventKind;
  amount: number;
  currency: string;
}

interface ExpectedAmount {
  amount: number;
  currency: string;
}

/** Whether an event says that another amount or currency than the payment's was charged. */
export function isUnexpected(event: StatusEvent, { amount, currency }: ExpectedAmount): boolean {
  if (event.kind !== 'paid') return false;
  // guard: amount that the provider was paid (hostile-provider)
  if (event.amount !== amount) return true;
  // guard: currency that the provider was paid (hostile-provider) => false
  return event.currency !== currency;
}

/**
 * The status that follows from all events, in their order. A payment that was charged as expected,
 * or that an admin accepted, stays paid. An unexpected charge holds it until an admin decides.
 * Otherwise the last event decides; an authorisation alone charges nothing.
 */
export function foldEvents(
  events: readonly StatusEvent[],
  expected: ExpectedAmount,
): PaymentStatus {
  const count = (isCounted: (event: StatusEvent) => boolean) => events.filter(isCounted).length;
  if (
    count(({ kind }) => kind === 'accepted') > 0 ||
    count((event) => event.kind === 'paid' && !isUnexpected(event, expected)) > 0
  )
    return 'paid';
  const returned = count(({ kind }) => kind === 'returned');
  if (count((event) => isUnexpected(event, expected)) > returned) return 'held';
  if (returned > 0) return 'returned';
  const last = events.findLast(({ kind }) => kind !== 'authorised' && kind !== 'paid')?.kind;
  return last === 'declined' || last === 'cancelled' || last === 'expired' ? last : 'pending';
}
