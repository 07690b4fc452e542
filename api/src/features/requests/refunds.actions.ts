import type { RequestRefund } from '@diwan/contract/request-refunds';
import type { Database } from '../../platform/database.ts';
import { Refusal } from '../../platform/refusals.ts';
import type { Caller } from '../../platform/session.ts';
import { insertRefund, selectRefunds, type RefundRow } from './refunds.store.ts';
import { lockVisible, updateRequest } from './requests.store.ts';
import { seesAll, visibleTo } from './visibility.store.ts';

/** What is given back of a request, as this caller may see it; missing where nothing is. */
export function describeRefund(row: { refundable: number; refunded: number }, refunds: readonly RefundRow[], caller: Caller): RequestRefund | undefined {
  if (row.refundable === 0) return undefined;
  return {
    refundable: row.refundable, refunded: row.refunded,
    refunds: refunds.map(({ amount, reference, at, recorder_name: recordedBy }) => ({ amount, reference, at: at.toISOString(), ...(seesAll(caller) ? { recordedBy } : {}) })),
  };
}

/** Writes down money that was given back, never more than is refundable; the same reference once. Throws RequestNotFound, RefundTooLarge. */
export async function recordRefund(house: { database: Database; now(): Date }, caller: Caller, refund: { requestId: number; amount: number; reference: string }): Promise<RequestRefund> {
  return house.database.transaction().execute(async (transaction) => {
    const row = await lockVisible(transaction, refund.requestId, visibleTo(caller));
    if (!row) throw new Refusal('RequestNotFound');
    const { requestId: request_id, amount, reference } = refund;
    const isNew = await insertRefund(transaction, { request_id, amount, reference, recorded_by: caller.userId, recorder_name: caller.fullName, at: house.now() });
    const refunded = row.refunded + (isNew ? amount : 0);
    if (refunded > row.refundable) throw new Refusal('RefundTooLarge');
    await updateRequest(transaction, request_id, { refunded });
    const described = describeRefund({ refundable: row.refundable, refunded }, await selectRefunds(transaction, request_id), caller);
    if (!described) throw new Refusal('RefundTooLarge');
    return described;
  });
}
