import { recordAudit } from '#platform/auth/audit.store.ts';
import { isPortalStaff, type Caller } from '#platform/auth/caller.ts';
import { recordChange } from '#platform/auth/changes.ts';
import { localizePersonName } from '#platform/core/localize.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { RequestRefund } from '@diwan/contract/requests/request-costs';
import type { RequestsContext } from '../model/requests-context.ts';
import { sumOverpaid, updateRequest, type RequestRow } from '../model/requests.store.ts';
import { lockVisibleRequest } from '../model/visibility.actions.ts';
import { postMoney } from './postings.actions.ts';
import {
  insertRefund,
  insertWaitingRefund,
  selectRefunds,
  selectWaitingRefunds,
  sumRefundedAlone,
  sumStartedRefunds,
} from './refunds.store.ts';
import type { Viewing } from './request-summary.ts';
import { insertRequestChanged } from './viewers.actions.ts';

/** The refundable and refunded amounts of a request; undefined when nothing is refundable. */
export async function describeRefund(
  database: Database | Transaction,
  row: Pick<RequestRow, 'id' | 'refundable' | 'refunded'>,
  { caller, language }: Viewing,
): Promise<RequestRefund | undefined> {
  if (row.refundable === 0) return undefined;
  const refunds = await selectRefunds(database, row.id);
  const overpaid = await sumOverpaid(database, row.id);
  const { started, waiting } = await sumStartedRefunds(database, row.id);
  return {
    refundable: row.refundable,
    surplus: Math.min(row.refundable, overpaid),
    refunded: row.refunded,
    underway: started,
    ...(isPortalStaff(caller) && waiting > 0 ? { waiting } : {}),
    refunds: refunds.map(({ amount, reference, at, expected_by, ...recorder }) => ({
      amount,
      reference,
      at: at.toISOString(),
      ...(expected_by ? { expectedBy: expected_by } : {}),
      ...(isPortalStaff(caller) && recorder.recorder_name
        ? {
            recordedBy: localizePersonName(
              { full_name: recorder.recorder_name, full_name_ar: recorder.recorder_name_ar },
              language,
            ),
          }
        : {}),
    })),
  };
}

// A repeated call does not record a second refund. Another amount under a known reference is a
// mistake.
async function isRecorded(
  transaction: Transaction,
  { requestId, amount, reference }: RefundInput,
): Promise<boolean> {
  const recorded = await selectRefunds(transaction, requestId);
  const waiting = await selectWaitingRefunds(transaction, requestId);
  const known = [...recorded, ...waiting].find((refund) => refund.reference === reference);
  // guard: reference of a refund
  if (known && known.amount !== amount) throw new Refusal('RefundReferenceTaken');
  return known !== undefined;
}

/** The refund of a request of which something is refundable. */
async function getRefund(
  transaction: Transaction,
  row: Pick<RequestRow, 'id' | 'refundable' | 'refunded'>,
  reader: Viewing,
): Promise<RequestRefund> {
  const described = await describeRefund(transaction, row, reader);
  if (!described) throw new Refusal('RefundTooLarge');
  return described;
}

/** Stores a refund that is recorded when a second person confirms it. */
async function keepForSecondPerson(
  transaction: Transaction,
  { caller, address }: { caller: Caller; address: string },
  row: RequestRow,
  sent: RefundInput,
): Promise<void> {
  const { requestId, amount, reference } = sent;
  const requestedBy = caller.userId;
  const { id } = await insertWaitingRefund(transaction, {
    requestId,
    amount,
    reference,
    requestedBy,
  });
  await insertRequestChanged(row)?.execute(transaction);
  await recordChange(
    transaction,
    { caller, address },
    {
      entity: 'refund',
      entityId: id,
      name: row.number,
      action: 'requested',
      after: { amount, reference, isWaiting: true },
    },
  );
}

interface RefundInput {
  requestId: number;
  amount: number;
  reference: string;
  refundedBefore?: number | undefined;
}

/**
 * Records a refund of at most the refundable amount, once for each reference, and notifies the
 * applicant. It waits for a second person where the caller alone would refund more than
 * `refundApprovalAbove` to the request within 24 hours. `address` is the
 * caller's, for the logs; the reply is in `language`.
 * Throws RequestNotFound, RefundReferenceTaken, RefundHasChanged, RefundTooLarge.
 */
export async function recordRefund(
  context: Pick<
    RequestsContext,
    'database' | 'notifier' | 'now' | 'announce' | 'refundApprovalAbove'
  >,
  { caller, address, language }: Viewing & { address: string },
  sent: RefundInput,
): Promise<RequestRefund> {
  const refund = await inTransaction(context.database, async (transaction) => {
    const row = await lockVisibleRequest(transaction, caller, sent.requestId);
    const { requestId: request_id, amount, reference } = sent;
    const isKnown = await isRecorded(transaction, sent);
    if (!isKnown && sent.refundedBefore !== undefined && sent.refundedBefore !== row.refunded)
      throw new Refusal('RefundHasChanged');
    const alone = await sumRefundedAlone(transaction, request_id, caller.userId);
    // guard: second person of a refund that is recorded (second-person) => false
    const isWaiting = alone + amount > context.refundApprovalAbove;
    const refunded = row.refunded + (isKnown ? 0 : amount);
    // Refunds that are on their way through the provider count too.
    const { started } = await sumStartedRefunds(transaction, row.id);
    // guard: amount of a refund
    if (!isKnown && refunded + started > row.refundable) throw new Refusal('RefundTooLarge');
    if (!isKnown && isWaiting) {
      await keepForSecondPerson(transaction, { caller, address }, row, sent);
      return getRefund(transaction, row, { caller, language });
    }
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
      await postMoney(transaction, request_id);
      await insertRequestChanged(row)?.execute(transaction);
      await recordAudit(transaction, {
        kind: 'refundRecorded',
        userId: caller.userId,
        sessionId: caller.sessionId,
        address,
        reason: `${row.number}: ${(amount / 100).toFixed(2)} AED`,
      });
      await context.notifier.notify(transaction, {
        requestId: request_id,
        notification: 'refunded',
        amount,
        reference,
      });
    }
    return getRefund(
      transaction,
      { ...row, refunded: isKnown ? row.refunded : refunded },
      { caller, language },
    );
  });
  context.announce();
  return refund;
}
