import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isConflict } from '#features/requests/data/conflict.ts';
import { sendPlainAction } from '#features/requests/data/request-actions.data.ts';
import { ApiError } from '#lib/api/api-error.ts';
import { messageOf } from '#lib/api/handle-error.ts';
import { send } from '#lib/api/send.ts';
import { toMessages } from '#ui/forms/message-fields.tsx';
import { actionCalls } from '@diwan/contract/processing/action-calls';
import { reassignRequest } from '@diwan/contract/processing/assignments';
import {
  bulkStaffActions,
  staffUseOf,
  type BulkReasonAction,
  type BulkStaffAction,
} from '@diwan/contract/requests/actions';
import type { rejectionReasonCollection } from '@diwan/contract/requests/rejection-reasons';
import { getRequestsByStatusId, getRequestsCount } from '@diwan/contract/requests/request-lists';
import { getRequestById, type RequestSummary } from '@diwan/contract/requests/requests';
import type { Call, ReplyOf } from '@diwan/contract/wire/call';
import { unknownOutcome } from '@diwan/contract/wire/errors';

/**
 * The result of a bulk action for one item: `late` after a conflict with another user, `refused`
 * when a retry is useless, `failed` when a retry may succeed, `unclear` when nobody knows.
 */
export type BulkState = 'waiting' | 'running' | 'done' | 'late' | 'refused' | 'failed' | 'unclear';
export interface BulkResult {
  state: BulkState;
  /** The error message in the user's language; empty without an error. */
  text: string;
}

/** The state of an item after an error, by the error's name and HTTP status. */
export function toBulkState({ name, status }: { name: string; status: number }): BulkState {
  if (isConflict({ name })) return 'late';
  if (name === unknownOutcome) return 'unclear';
  return status >= 400 && status < 500 && status !== 429 ? 'refused' : 'failed';
}

/**
 * Runs a task for each item, at most `concurrency` at the same time. A failed item does not stop
 * the others.
 */
export async function runEach<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<BulkResult>,
  onResult: (item: Item, result: BulkResult) => void,
  concurrency = 4,
): Promise<void> {
  const rest = [...items];
  const work = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) {
      onResult(item, { state: 'running', text: '' });
      onResult(item, await act(item));
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, work));
}

/** The actions that can run on many requests at the same time. */
export type BulkAction = BulkStaffAction | 'reassign';
export const bulkActions: readonly BulkAction[] = bulkStaffActions.flatMap((action): BulkAction[] =>
  action === 'release' ? ['reassign', action] : [action],
);

/** What an action asks for once, for all its requests. */
export interface BulkInput {
  /** The colleague who gets the requests. */
  holderId: string;
  reason: StockReason | undefined;
}
type StockReason = ReplyOf<typeof rejectionReasonCollection>[number];

/** What an action asks for. */
export function asksFor(action: BulkAction): keyof BulkInput | undefined {
  if (action === 'reassign') return 'holderId';
  return staffUseOf(action).bulk === 'reason' ? 'reason' : undefined;
}

const waiting: BulkResult = { state: 'waiting', text: '' };

// The specification (§3) names the reasons of the two calls differently.
const reasonFields: Record<BulkReasonAction, (id: number) => object> = {
  return: (id) => ({ requestHistoryRejectionReasonsList: [id] }),
  reject: (id) => ({ requestHistoryRejectionReasonId: id }),
};
const asksReason = (action: BulkAction): action is BulkReasonAction => action in reasonFields;

function sendFor(
  action: BulkAction,
  request: RequestSummary,
  { holderId, reason }: BulkInput,
): Promise<unknown> {
  const { requestId, version } = request;
  const options = { skipErrorHandling: true };
  if (action === 'reassign')
    return send(reassignRequest, { body: { requestId, version, holderId }, ...options });
  if (!asksReason(action)) return sendPlainAction(action, request);
  const message = reason ? toMessages(reason.names) : {};
  const body = { requestId, version, ...reasonFields[action](reason?.id ?? 0), ...message };
  return send<Call>(actionCalls[action], { body, ...options });
}

async function actOn(
  action: BulkAction,
  request: RequestSummary,
  input: BulkInput,
): Promise<BulkResult> {
  try {
    await sendFor(action, request, input);
    return { state: 'done', text: '' };
  } catch (error) {
    return {
      state: error instanceof ApiError ? toBulkState(error) : 'failed',
      text: messageOf(error),
    };
  }
}

/** Runs an action on each request, with a result for each. Failed ones can be retried. */
export function useBulkAction(
  action: BulkAction,
  requests: readonly RequestSummary[],
  input: BulkInput,
) {
  const client = useQueryClient();
  const [results, setResults] = useState<ReadonlyMap<number, BulkResult>>(new Map());
  const [isRunning, setIsRunning] = useState(false);
  const resultOf = (request: RequestSummary) => results.get(request.requestId) ?? waiting;
  const run = async (chosen: readonly RequestSummary[]) => {
    setIsRunning(true);
    await runEach(
      chosen,
      (request) => actOn(action, request, input),
      (request, result) => setResults((all) => new Map(all).set(request.requestId, result)),
    );
    for (const { name } of [getRequestsByStatusId, getRequestsCount, getRequestById])
      void client.invalidateQueries({ queryKey: [name] });
    setIsRunning(false);
  };
  const withState = (...states: BulkResult['state'][]) =>
    requests.filter((request) => states.includes(resultOf(request).state));
  return {
    resultOf,
    isRunning,
    hasStarted: results.size > 0,
    done: withState('done'),
    failed: withState('failed', 'unclear'),
    left: withState('waiting', 'running'),
    run: () => run(requests),
    retry: () => run(withState('failed', 'unclear')),
  };
}

/** Those who may put a request back may also give it to a colleague. */
const neededFor = (action: BulkAction) => (action === 'reassign' ? 'release' : action);

/** The selected requests on which the action is allowed. */
export function requestsAllowing(
  action: BulkAction,
  selected: readonly RequestSummary[],
): RequestSummary[] {
  return selected.filter(({ allowedActions }) => allowedActions.includes(neededFor(action)));
}
