import type { Caller } from '#platform/auth/caller.ts';
import { recordChange } from '#platform/auth/changes.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { CaseDecision, decidePaymentCase } from '@diwan/contract/payments/events';
import type { BodyOf } from '@diwan/contract/wire/call';
import { postMoney } from '../requests/record/postings.actions.ts';
import {
  beginPaymentRound,
  lockDueAmount,
  markPaid,
  recordOverpayment,
} from '../requests/requests.actions.ts';
import * as store from './payment-cases.store.ts';
import { applyEvents, type PaymentsContext } from './payment-events.actions.ts';
import { acceptAmount, appendEvents, findPaymentById, type PaymentRow } from './payments.store.ts';
import { decideSuspendedRefund, startRefund } from './refunds.store.ts';

/**
 * What an admin can decide about a case. Another currency is never accepted: the fees are due in
 * dirhams. An amount is accepted only while the payment waits for that decision.
 */
export function possibleDecisions(
  { kind, decision }: Pick<store.CaseRow, 'kind' | 'decision'>,
  paymentStatus: PaymentRow['status'] | undefined,
): CaseDecision[] {
  if (decision) return [];
  if (kind === 'wrongAmount') return paymentStatus === 'held' ? ['accept', 'return'] : ['return'];
  if (kind === 'refundUnanswered') return ['retry', 'notRefunded'];
  return kind === 'wrongCurrency' ? ['return'] : ['close'];
}

/** A case with the decision that an admin makes now. */
type DecidedCase = store.CaseRow & { decision: CaseDecision; decidedBy: string };

/** For the list of refunds: who decided that money goes back, and why. */
const whoDecided = ({ decidedBy, note }: DecidedCase) => ({ decidedBy, note });

const decisionEvent = (row: store.CaseRow, kind: 'accepted' | 'returned', note: string) => ({
  id: `case:${row.id}`,
  kind,
  amount: row.amount,
  currency: row.currency,
  occurredAt: new Date().toISOString(),
  source: 'admin' as const,
  note,
});

/**
 * Counts the amount that arrived as paid. More than is due: the rest goes back. Less: the request
 * stays payable for the rest, in another round.
 */
async function acceptUnexpected(
  context: PaymentsContext,
  transaction: Transaction,
  row: DecidedCase,
  payment: PaymentRow,
): Promise<void> {
  const { due, round } = await lockDueAmount(transaction, payment.request_id);
  if (due <= 0 || row.amount <= 0) throw new Refusal('DecisionNotPossible');
  const counted = Math.min(row.amount, due);
  await appendEvents(transaction, payment.id, [decisionEvent(row, 'accepted', row.note)]);
  await acceptAmount(transaction, payment.id, counted);
  const surplus = row.amount - counted;
  const { workflow, calendars, notifier } = context;
  const onSurplus = async (amount: number) => {
    await startRefund(transaction, payment, { ...whoDecided(row), amount, reason: 'paidTwice' });
  };
  const booking = { workflow, calendars, notifier, onSurplus };
  if (surplus > 0) await recordOverpayment(booking, transaction, payment.request_id, surplus);
  if (counted < due) await beginPaymentRound(transaction, payment.request_id, round + 1);
  else await markPaid(booking, transaction, payment.request_id, { amount: counted });
  await postMoney(transaction, payment.request_id);
}

async function returnUnexpected(
  context: PaymentsContext,
  transaction: Transaction,
  row: DecidedCase,
  payment: PaymentRow,
): Promise<void> {
  await applyEvents(context, transaction, payment, [decisionEvent(row, 'returned', row.note)]);
  await startRefund(transaction, payment, {
    ...whoDecided(row),
    amount: row.amount,
    currency: row.currency,
    reason: 'unexpectedAmount',
  });
}

/** Moves the money of a payment as decided. */
async function carryOut(
  context: PaymentsContext,
  transaction: Transaction,
  row: DecidedCase,
  payment: PaymentRow,
): Promise<void> {
  const { decision } = row;
  if (decision === 'accept') await acceptUnexpected(context, transaction, row, payment);
  if (decision === 'return') await returnUnexpected(context, transaction, row, payment);
  if (decision === 'retry' || decision === 'notRefunded')
    await decideSuspendedRefund(transaction, payment.id, decision);
}

/**
 * Decides a case once. Throws PaymentCaseNotFound, CaseIsDecided, RecordHasChanged,
 * DecisionNotPossible.
 */
export async function decideCase(
  context: PaymentsContext,
  { caller, address }: { caller: Caller; address: string },
  { id, version, decision, note }: BodyOf<typeof decidePaymentCase>,
): Promise<void> {
  await inTransaction(context.database, async (transaction) => {
    const found = await store.findCase(transaction, id);
    if (!found) throw new Refusal('PaymentCaseNotFound');
    const seen = found.payment_id && (await findPaymentById(transaction, found.payment_id));
    // The request is locked first, as everywhere.
    if (seen) await lockDueAmount(transaction, seen.request_id);
    const row = await store.lockCase(transaction, id);
    if (!row || row.decision) throw new Refusal('CaseIsDecided');
    if (row.version !== version) throw new Refusal('RecordHasChanged');
    const payment = row.payment_id ? await findPaymentById(transaction, row.payment_id) : undefined;
    if (!possibleDecisions(row, payment?.status).includes(decision))
      throw new Refusal('DecisionNotPossible');
    if (payment)
      await carryOut(
        context,
        transaction,
        { ...row, note, decision, decidedBy: caller.userId },
        payment,
      );
    await store.updateCase(transaction, id, {
      decision,
      note,
      decided_by: caller.userId,
      decided_at: new Date(),
      version: row.version + 1,
    });
    await recordChange(
      transaction,
      { caller, address },
      {
        entity: 'paymentCase',
        entityId: id,
        name: row.merchant_reference,
        action: 'changed',
        before: { decision: null },
        after: { decision, note },
      },
    );
  });
  context.announce();
}
