import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  getRequestById,
  getRequestsByStatusId,
  getRequestsCount,
  receiveRequest,
  releaseRequest,
  type RequestSummary,
} from '@diwan/contract/requests/requests';
import { messageOf } from '../../../lib/api/handle-error.ts';
import { SendError } from '../../../lib/api/send-error.ts';
import { send } from '../../../lib/api/send.ts';
import { runEach, stateOfError, type BulkResult } from './bulk-run.ts';

/** What can be done with many requests at once. */
export const bulkActions = ['receive', 'release'] as const;
export type BulkAction = (typeof bulkActions)[number];

const waiting: BulkResult = { state: 'waiting', text: '' };

async function actOn(
  action: BulkAction,
  { requestId, version }: RequestSummary,
): Promise<BulkResult> {
  try {
    if (action === 'receive')
      await send(receiveRequest, {
        params: { requestId },
        query: { version },
        skipErrorHandling: true,
      });
    else await send(releaseRequest, { body: { requestId, version }, skipErrorHandling: true });
    return { state: 'done', text: '' };
  } catch (error) {
    return {
      state: error instanceof SendError ? stateOfError(error) : 'failed',
      text: messageOf(error),
    };
  }
}

/**
 * Runs an action on each of the requests, with a result for each; those that failed can be tried
 * again.
 */
export function useBulkAction(action: BulkAction, requests: readonly RequestSummary[]) {
  const client = useQueryClient();
  const [results, setResults] = useState<ReadonlyMap<number, BulkResult>>(new Map());
  const [isRunning, setIsRunning] = useState(false);
  const resultOf = (request: RequestSummary) => results.get(request.requestId) ?? waiting;
  const run = async (chosen: readonly RequestSummary[]) => {
    setIsRunning(true);
    await runEach(
      chosen,
      (request) => actOn(action, request),
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
    hasBegun: results.size > 0,
    done: withState('done'),
    failed: withState('failed'),
    left: withState('waiting', 'running'),
    run: () => run(requests),
    retry: () => run(withState('failed')),
  };
}
