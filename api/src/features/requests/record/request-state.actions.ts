import {
  allowedActions,
  findPaidStatus,
  getStatus,
} from '#features/workflow/workflow-rules.actions.ts';
import type { Caller } from '#platform/auth/caller.ts';
import { localizeQuote } from '#platform/core/localize.ts';
import type { DetailedCost, PendingCost } from '@diwan/contract/requests/request-costs';
import type { RequestState } from '@diwan/contract/requests/requests';
import type { Language } from '@diwan/contract/wire/languages';
import { dueLines, allocatePayment } from '../model/paid-lines.ts';
import type { RequestsContext } from '../model/requests-context.ts';
import { sumPaid } from '../model/requests.store.ts';
import { getVisibleRequest } from '../model/visibility.actions.ts';
import { describeStatus } from './request-summary.ts';

async function loadRequest(context: RequestsContext, caller: Caller, requestId: number) {
  const row = await getVisibleRequest(context.database, caller, requestId);
  const [workflow, paid] = await Promise.all([
    context.workflow.get(row.workflow_id),
    sumPaid(context.database, row.id),
  ]);
  return { row, workflow, paid, due: Math.max(0, row.total - paid) };
}

/** The status of a request, its allowed actions and the amount due. Throws RequestNotFound. */
export async function getState(
  context: RequestsContext,
  caller: Caller,
  requestId: number,
  language: Language,
): Promise<RequestState> {
  const { row, workflow, due } = await loadRequest(context, caller, requestId);
  return {
    requestId: row.id,
    requestNumber: row.number,
    ...describeStatus(workflow, row.status_id, { caller, language }),
    statusKey: getStatus(workflow, row.status_id).key,
    version: row.version,
    updatedAt: row.updated_at.toISOString(),
    allowedActions: allowedActions(workflow, caller, row),
    due,
    refundable: row.refundable,
    refunded: row.refunded,
  };
}

/** The lines of a request's quote with the paid amount of each. Throws RequestNotFound. */
export async function getDetailedCost(
  context: RequestsContext,
  caller: Caller,
  requestId: number,
  language: Language,
): Promise<DetailedCost> {
  const { row, paid, due } = await loadRequest(context, caller, requestId);
  const quote = localizeQuote(row.quote, language);
  return { ...quote, lines: allocatePayment(quote, paid), paid, due };
}

/** The amount due of a request, by its lines. Throws RequestNotFound. */
export async function getPendingCost(
  context: RequestsContext,
  caller: Caller,
  requestId: number,
  language: Language,
): Promise<PendingCost> {
  const { row, workflow, paid, due } = await loadRequest(context, caller, requestId);
  return {
    lines: dueLines(allocatePayment(localizeQuote(row.quote, language), paid)),
    due,
    isPayable: due > 0 && findPaidStatus(workflow, row.status_id) !== undefined,
    currency: 'AED',
  };
}
