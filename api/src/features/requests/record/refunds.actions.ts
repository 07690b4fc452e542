import type { RequestRefund } from '@diwan/contract/requests/request-refunds';
import { recordAudit } from '../../../platform/auth/audit.ts';
import type { Database, Transaction } from '../../../platform/database/database.ts';
import { Refusal } from '../../../platform/core/refusals.ts';
import { seesAll, type Caller } from '../../../platform/auth/session.ts';
import { insertRefund, selectRefunds } from './refunds.store.ts';
import type { RequestsContext } from '../requests.actions.ts';
import {
  lockVisible,
  sumSurplus,
  updateRequest,
  type RequestRow,
} from '../model/requests.store.ts';
import { visibleTo } from '../model/visibility.store.ts';

/** What is given back of a request, as this caller may see it; missing where nothing is. */
export async function readRefund(
  database: Database | Transaction,
  row: Pick<RequestRow, 'id' | 'refundable' | 'refunded'>,
  caller: Caller,
): Promise<RequestRefund | undefined> {
  if (row.refundable === 0) return undefined;
  const [refunds, surplus] = [
    await selectRefunds(database, row.id),
    await sumSurplus(database, row.id),
  ];
  return {
    refundable: row.refundable,
    surplus: Math.min(row.refundable, surplus),
    refunded: row.refunded,
    refunds: refunds.map(({ amount, reference, at, recorder_name: recordedBy }) => ({
      amount,
      reference,
      at: at.toISOString(),
      ...(seesAll(caller) ? { recordedBy } : {}),
    })),
  };
}

// The same once more is no second refund; under a known reference another amount can only be a
// mistake.
async function isRecorded(
  transaction: Transaction,
  { requestId, amount, reference }: SentRefund,
): Promise<boolean> {
  const known = (await selectRefunds(transaction, requestId)).find(
    (refund) => refund.reference === reference,
  );
  if (known && known.amount !== amount) throw new Refusal('RefundReferenceTaken');
  return known !== undefined;
}

interface SentRefund {
  requestId: number;
  amount: number;
  reference: string;
  refundedBefore?: number | undefined;
}

/**
 * Writes down money that was given back, never more than is refundable; the same reference once, of
 * which the applicant is told. Throws RequestNotFound, RefundReferenceTaken, RefundHasChanged,
 * RefundTooLarge.
 */
export async function recordRefund(
  context: Pick<RequestsContext, 'database' | 'notices' | 'now' | 'announce'>,
  caller: Caller,
  sent: SentRefund,
  address: string,
): Promise<RequestRefund> {
  const refund = await context.database.transaction().execute(async (transaction) => {
    const row = await lockVisible(transaction, sent.requestId, visibleTo(caller));
    if (!row) throw new Refusal('RequestNotFound');
    const { requestId: request_id, amount, reference } = sent;
    const isKnown = await isRecorded(transaction, sent);
    if (!isKnown && sent.refundedBefore !== undefined && sent.refundedBefore !== row.refunded)
      throw new Refusal('RefundHasChanged');
    const refunded = row.refunded + (isKnown ? 0 : amount);
    if (refunded > row.refundable) throw new Refusal('RefundTooLarge');
    if (!isKnown) {
      await insertRefund(transaction, {
        request_id,
        amount,
        reference,
        recorded_by: caller.userId,
        recorder_name: caller.fullName,
        at: context.now(),
      });
      await updateRequest(transaction, request_id, { refunded });
      await recordAudit(transaction, {
        kind: 'refundRecorded',
        userId: caller.userId,
        sessionId: caller.sessionId,
        address,
        reason: `${row.number}: ${(amount / 100).toFixed(2)} AED`,
      });
      await context.notices.tellNews(transaction, {
        requestId: request_id,
        news: 'refunded',
        amount,
        reference,
      });
    }
    const described = await readRefund(transaction, { ...row, refunded }, caller);
    if (!described) throw new Refusal('RefundTooLarge');
    return described;
  });
  context.announce();
  return refund;
}
