import { recordAudit } from '#platform/auth/audit.store.ts';
import { hasRole, type Caller } from '#platform/auth/caller.ts';
import { recordChange } from '#platform/auth/changes.ts';
import { requireIndependence } from '#platform/auth/second-person.ts';
import { Refusal } from '#platform/core/refusals.ts';
import { DatabaseUnavailable } from '#platform/database/database-failures.ts';
import type { Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { RefundAnswer } from '#platform/integrations/payment-provider.ts';
import type { decideRefund, requestRefund } from '@diwan/contract/payments/events';
import { money, type BodyOf } from '@diwan/contract/wire/call';
import { postMoney } from '../requests/record/postings.actions.ts';
import {
  bookRefund,
  getRequestNumber,
  lockDueAmount,
  lockRefundable,
} from '../requests/requests.actions.ts';
import { insertCase } from './payment-cases.store.ts';
import { providerOf, type PaymentsContext } from './payment-events.actions.ts';
import { findPaymentById, findUserName, type PaymentRow } from './payments.store.ts';
import { recordRefundsElsewhere } from './provider-refunds.actions.ts';
import * as store from './refunds.store.ts';

/** What refunds need besides payments. */
export interface RefundsContext extends PaymentsContext {
  /** What one person refunds to a request within 24 hours without a second one, in fils. */
  approvalAbove: number;
  /** The working days in which a refund reaches the card. */
  workingDays: number;
}

/**
 * Refunds a request in part or in full, the newest payment first. A refund by an employee waits for
 * another person, and so does one with which the caller alone would refund more than the amount of
 * the setting to the request within 24 hours. Throws RequestNotFound, RefundTooLarge,
 * RefundHasChanged.
 */
export async function askForRefund(
  context: RefundsContext,
  { caller, address }: { caller: Caller; address: string },
  sent: BodyOf<typeof requestRefund>,
): Promise<number[]> {
  const { requestId, amount, note } = sent;
  const number = await getRequestNumber(context.database, requestId);
  return inTransaction(context.database, async (transaction) => {
    const sums = await lockRefundable(transaction, caller, requestId);
    const before = sums.refunded + sums.started;
    // guard: refund of what is on its way already (payment-safety)
    if (before !== sent.refundedBefore) throw new Refusal('RefundHasChanged');
    if (before + amount > sums.refundable) throw new Refusal('RefundTooLarge');
    // guard: refunds of one person to a request are added up (second-person) => 0
    const alone = sums.alone;
    const isWaiting = !hasRole(caller, money) || alone + amount > context.approvalAbove;
    let left = amount;
    const ids: number[] = [];
    for (const payment of await store.selectRefundablePayments(transaction, requestId)) {
      const part = Math.min(left, payment.left);
      if (part === 0) break;
      left -= part;
      const refund = await store.startRefund(transaction, payment, {
        amount: part,
        reason: 'requested',
        requestedBy: caller.userId,
        note,
        isWaiting,
      });
      ids.push(refund.id);
      await recordChange(
        transaction,
        { caller, address },
        {
          entity: 'refund',
          entityId: refund.id,
          name: number,
          action: 'requested',
          after: { amount: part, note, isWaiting },
        },
      );
    }
    // Money that was received outside of the portal's payments is recorded by hand.
    if (left > 0) throw new Refusal('RefundTooLarge');
    return ids;
  });
}

/** Books a refund that was made outside of the portal, in the name of who recorded it. */
async function bookOutside(
  context: RefundsContext,
  transaction: Transaction,
  refund: store.RefundRow,
  { caller, address }: { caller: Caller; address: string },
): Promise<void> {
  const { request_id: requestId, amount, outside_reference: reference, requested_by: id } = refund;
  await bookRefund(context, transaction, {
    requestId,
    amount,
    reference: reference ?? '',
    by: id ? { id, name: (await findUserName(transaction, id)) ?? '' } : null,
    at: new Date(),
    isOutside: false,
  });
  await postMoney(transaction, requestId);
  await recordAudit(transaction, {
    kind: 'refundRecorded',
    userId: caller.userId,
    sessionId: caller.sessionId,
    address,
    reason: `${await getRequestNumber(transaction, requestId)}: ${(amount / 100).toFixed(2)} AED`,
  });
}

/** Locks a refund that the caller may confirm or withdraw. */
async function lockWaiting(
  transaction: Transaction,
  caller: Caller,
  { id, version, isConfirmed }: Pick<BodyOf<typeof decideRefund>, 'id' | 'version' | 'isConfirmed'>,
): Promise<store.RefundRow> {
  const requestId = await store.findRequestOfRefund(transaction, id);
  // The request is locked first, as everywhere.
  if (requestId !== undefined) await lockDueAmount(transaction, requestId);
  const refund = await store.lockRefund(transaction, id);
  if (!refund) throw new Refusal('RefundNotFound');
  if (refund.state !== 'waiting') throw new Refusal('RefundIsDecided');
  if (refund.version !== version) throw new Refusal('RecordHasChanged');
  // guard: second person of a refund (payment-safety)
  if (isConfirmed && refund.requested_by === caller.userId)
    throw new Refusal('RefundNeedsSecondPerson');
  // guard: independent second person of a refund (second-person)
  if (isConfirmed)
    await requireIndependence(transaction, {
      askedBy: refund.requested_by,
      confirmedBy: caller.userId,
    });
  return refund;
}

/**
 * Confirms or withdraws a refund that waits. Who asked for it cannot confirm it. Throws
 * RefundNotFound, RefundIsDecided, RecordHasChanged, RefundNeedsSecondPerson,
 * SecondPersonNotIndependent.
 */
export async function decideOnRefund(
  context: RefundsContext,
  { caller, address }: { caller: Caller; address: string },
  { id, version, isConfirmed, note }: BodyOf<typeof decideRefund>,
): Promise<void> {
  await inTransaction(context.database, async (transaction) => {
    const refund = await lockWaiting(transaction, caller, { id, version, isConfirmed });
    const isOutside = refund.outside_reference !== null;
    const state = !isConfirmed ? 'withdrawn' : isOutside ? 'succeeded' : 'ready';
    await store.updateRefund(transaction, id, {
      state,
      // Who withdraws an own refund decides nothing about somebody else.
      decided_by: refund.requested_by === caller.userId ? null : caller.userId,
      ...(note ? { note: [refund.note, note].filter(Boolean).join('\n') } : {}),
      ...(state === 'ready' ? {} : { finished_at: new Date() }),
    });
    if (isConfirmed && isOutside)
      await bookOutside(context, transaction, refund, { caller, address });
    await recordChange(
      transaction,
      { caller, address },
      {
        entity: 'refund',
        entityId: id,
        name: await getRequestNumber(transaction, refund.request_id),
        action: isConfirmed ? 'confirmed' : 'refused',
        before: { state: refund.state },
        after: { state, ...(note ? { note } : {}) },
      },
    );
  });
}

/** Books the answer of the provider. A second answer about the same refund changes nothing. */
async function finishRefund(
  context: RefundsContext,
  transaction: Transaction,
  refundId: number,
  { answer, payment }: { answer: RefundAnswer; payment: PaymentRow },
): Promise<void> {
  // The request is locked first, as everywhere.
  await lockDueAmount(transaction, payment.request_id);
  const refund = await store.lockRefund(transaction, refundId);
  if (refund?.state !== 'sent' || answer.state === 'pending') return;
  const now = new Date();
  const isDone = answer.state === 'succeeded';
  await store.updateRefund(transaction, refundId, {
    state: isDone ? 'succeeded' : 'refused',
    provider_refund_id: answer.refundId || null,
    finished_at: now,
    last_error: '',
    ...(isDone
      ? { expected_by: context.calendars.current(null).time.dueDay(now, context.workingDays) }
      : {}),
  });
  if (!isDone) {
    await insertCase(transaction, {
      kind: 'refundRefused',
      cause: `refund:${refundId}`,
      payment_id: payment.id,
      merchant_reference: payment.merchant_reference,
      provider: payment.provider,
      amount: refund.amount,
      currency: refund.currency,
      detail: answer.refundId,
    });
    return;
  }
  const name = refund.requested_by && (await findUserName(transaction, refund.requested_by));
  await bookRefund(context, transaction, {
    requestId: payment.request_id,
    amount: refund.amount,
    reference: answer.refundId || refund.idempotency_key,
    by: refund.requested_by ? { id: refund.requested_by, name: name ?? '' } : null,
    at: now,
    isOutside: refund.reason === 'unexpectedAmount',
  });
  await postMoney(transaction, payment.request_id);
}

/** A refund that has no end after so many attempts, in about twelve hours, waits for an admin. */
export const maximumRefundAttempts = 20;

/** Stops sending a refund, and opens a case about it. */
async function suspendRefund(
  { database, warn }: RefundsContext,
  refundId: number,
  payment: PaymentRow,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await lockDueAmount(transaction, payment.request_id);
    const refund = await store.lockRefund(transaction, refundId);
    if (refund?.state !== 'sent') return;
    await store.stopSending(transaction, refundId);
    await insertCase(transaction, {
      kind: 'refundUnanswered',
      // A refund that an admin lets repeat may have another case later.
      cause: `refund:${refundId}:${refund.version}`,
      payment_id: payment.id,
      merchant_reference: payment.merchant_reference,
      provider: payment.provider,
      amount: refund.amount,
      currency: refund.currency,
    });
  });
  warn(`refund ${refundId} does not finish and waits for an admin`);
}

/**
 * The refunds of the payment that its provider knew before this one was sent, those that somebody made
 * there included, which are recorded first; `undefined` where they leave nothing to refund.
 */
async function readEarlierRefunds(
  context: RefundsContext,
  refund: store.RefundRow,
  payment: PaymentRow,
): Promise<string[] | undefined> {
  if (refund.earlier_refunds !== null) return refund.earlier_refunds;
  const listed = await recordRefundsElsewhere(context, payment);
  if (!listed) return [];
  const isLeft = await store.storeEarlierRefunds(context.database, refund.id, listed);
  return isLeft ? listed : undefined;
}

async function sendRefund(context: RefundsContext, refund: store.RefundRow): Promise<void> {
  const payment = refund.payment_id && (await findPaymentById(context.database, refund.payment_id));
  if (!payment) return;
  // Also one that ends the process at each attempt stops here.
  // guard: end of a refund that never finishes (payment-safety)
  if (refund.attempts > maximumRefundAttempts) return suspendRefund(context, refund.id, payment);
  try {
    const earlier = await readEarlierRefunds(context, refund, payment);
    if (!earlier) return;
    const answer = await providerOf(context, payment.provider).refund({
      merchantReference: payment.merchant_reference,
      providerReference: payment.provider_reference,
      amount: refund.amount,
      currency: refund.currency,
      idempotencyKey: refund.idempotency_key,
      earlierRefunds: earlier,
    });
    await inTransaction(context.database, (transaction) =>
      finishRefund(context, transaction, refund.id, { answer, payment }),
    );
    // What somebody made at the provider while ours was on its way.
    if (answer.state !== 'pending') await recordRefundsElsewhere(context, payment);
    context.announce();
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    const { message } = error as Error;
    context.warn(`refund ${refund.id} is tried again: ${message}`);
    await store.noteError(context.database, refund.id, message.slice(0, 200));
  }
}

/**
 * Sends the refunds that are ready, and repeats those whose answer is unknown, with the same key.
 * The process may die at any step: the state `sent` is stored before the provider is called, and what
 * the answer changes is one transaction.
 */
export async function sendRefunds(context: RefundsContext): Promise<void> {
  for (let count = 0; count < 50; count += 1) {
    const refund = await store.claimRefund(context.database);
    if (!refund) return;
    await sendRefund(context, refund);
  }
}
