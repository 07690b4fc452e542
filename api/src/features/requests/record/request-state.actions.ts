import type { Language } from '@diwan/contract/wire/languages';
import type {
  DetailedCost,
  PendingCost,
  RequestState,
} from '@diwan/contract/requests/request-state';
import { localizeQuote } from '../../../platform/core/localize.ts';
import type { Caller } from '../../../platform/auth/session.ts';
import { dueLines, paidLines } from '../actions/paid-lines.ts';
import { describeStatus } from './request-record.actions.ts';
import { getVisible, type RequestsContext } from '../requests.actions.ts';
import { sumPaid } from '../model/requests.store.ts';
import { allowedActions, findPaidStatus, getStatus } from '../workflow/workflow.ts';

async function find(context: RequestsContext, caller: Caller, requestId: number) {
  const row = await getVisible(context.database, caller, requestId);
  const [workflow, paid] = await Promise.all([
    context.workflow.get(row.workflow_id),
    sumPaid(context.database, row.id),
  ]);
  return { row, workflow, paid, due: Math.max(0, row.total - paid) };
}

/** Where a request is, for whoever may see it. Throws RequestNotFound. */
export async function getState(
  context: RequestsContext,
  caller: Caller,
  requestId: number,
  language: Language,
): Promise<RequestState> {
  const { row, workflow, due } = await find(context, caller, requestId);
  return {
    requestId: row.id,
    requestNumber: row.number,
    ...describeStatus(workflow, row.status_id, language),
    statusKey: getStatus(workflow, row.status_id).key,
    version: row.version,
    updatedAt: row.updated_at.toISOString(),
    allowedActions: allowedActions(workflow, row.status_id, caller, row),
    due,
  };
}

/**
 * Every line of a request's quote with what of it is paid: payments pay the lines in their order.
 * Throws RequestNotFound.
 */
export async function getDetailedCost(
  context: RequestsContext,
  caller: Caller,
  requestId: number,
  language: Language,
): Promise<DetailedCost> {
  const { row, paid, due } = await find(context, caller, requestId);
  const quote = localizeQuote(row.quote, language);
  return { ...quote, lines: paidLines(quote, paid), paid, due };
}

/** What a payment begun now would be over, line by line. Throws RequestNotFound. */
export async function getPendingCost(
  context: RequestsContext,
  caller: Caller,
  requestId: number,
  language: Language,
): Promise<PendingCost> {
  const { row, workflow, paid, due } = await find(context, caller, requestId);
  return {
    lines: dueLines(paidLines(localizeQuote(row.quote, language), paid)),
    due,
    isPayable: due > 0 && findPaidStatus(workflow, row.status_id) !== undefined,
    currency: 'AED',
  };
}
