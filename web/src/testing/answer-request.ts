import { getSnippets } from '@diwan/contract/people/snippets';
import { getHeldActions } from '@diwan/contract/processing/pending-actions';
import { getDrafts } from '@diwan/contract/requests/drafts';
import { getRequestMessages } from '@diwan/contract/requests/messages';
import {
  getAllServiceProviderRequestAttachmentsByRequestId,
  type ServiceProviderAttachment,
} from '@diwan/contract/requests/provider-documents';
import {
  chargeReasonCollection,
  rejectionReasonCollection,
} from '@diwan/contract/requests/rejection-reasons';
import { calculateDetailedCost, type DetailedCost } from '@diwan/contract/requests/request-costs';
import { getAllStatuses } from '@diwan/contract/requests/request-lists';
import {
  getRequestById,
  getRequestByIdForUpdate,
  getRequestIdByRequestNumber,
  getRequestViewers,
  getRequestState,
  type RequestRecord,
  type RequestState,
} from '@diwan/contract/requests/requests';
import { getRequestReads } from '@diwan/contract/staff/access-log';
import { answerCall } from './answer-calls.ts';
import { reasonRecords, statusRecords } from './request-records.ts';

/** The address of a request's page. */
export const requestPath = (record: Pick<RequestRecord, 'requestNumber'>): string =>
  `/requests/request-details?request-number=${record.requestNumber}`;

/** The cost of a request by line, whose lines are paid in their order. */
export function detailedCostOf({ fees, due }: Pick<RequestRecord, 'fees' | 'due'>): DetailedCost {
  const paid = fees.total - due;
  let left = paid;
  const lines = fees.lines.map((line) => {
    const covered = Math.min(left, line.amount + line.vat);
    left -= covered;
    return { ...line, paid: covered };
  });
  return { ...fees, lines, paid, due };
}

/**
 * Answers the calls that the page of a request makes when it opens. `change` replaces the record
 * that the server has from then on.
 */
export function answerRequest(
  record: RequestRecord,
  providerDocuments: ServiceProviderAttachment[] = [],
) {
  let current = record;
  answerCall(getRequestIdByRequestNumber, { requestId: record.requestId });
  const loads = answerCall(getRequestById, () => current);
  answerCall(getRequestByIdForUpdate, () => {
    const latest = current.history.at(-1);
    const openMarks = latest?.action === 'return' ? latest.marks : [];
    return { ...current, openMarks, keptAttachments: [] };
  });
  const state = (): RequestState => ({
    requestId: current.requestId,
    requestNumber: current.requestNumber,
    statusId: current.statusId,
    statusKey: 'processing',
    statusName: current.statusName,
    statusTone: current.statusTone,
    version: current.version,
    updatedAt: current.updatedAt,
    allowedActions: current.allowedActions,
    due: current.due,
    refundable: current.refund?.refundable ?? 0,
    refunded: current.refund?.refunded ?? 0,
  });
  answerCall(getRequestState, state);
  const costs = answerCall(calculateDetailedCost, () => detailedCostOf(current));
  answerCall(getAllStatuses, statusRecords);
  answerCall(getRequestMessages, []);
  answerCall(getRequestReads, []);
  answerCall(getRequestViewers, []);
  answerCall(getDrafts, []);
  answerCall(getHeldActions, []);
  answerCall(getAllServiceProviderRequestAttachmentsByRequestId, providerDocuments);
  answerCall(rejectionReasonCollection, reasonRecords);
  answerCall(chargeReasonCollection, []);
  answerCall(getSnippets, []);
  return {
    loads,
    costs,
    /** The current state, for a test that counts its queries. */
    state,
    change: (changes: Partial<RequestRecord>) => {
      current = { ...current, ...changes };
      return current;
    },
  };
}
