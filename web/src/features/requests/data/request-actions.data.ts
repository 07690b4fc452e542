import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { send } from '#lib/api/send.ts';
import { useAction } from '#lib/api/use-call.ts';
import { actionCalls } from '@diwan/contract/processing/action-calls';
import { getAction, type CalledAction, type PlainAction } from '@diwan/contract/requests/actions';
import {
  updateRequestAttachments,
  type receiveRequest,
} from '@diwan/contract/requests/request-actions';
import {
  getRequestById,
  type RequestRecord,
  type RequestSummary,
} from '@diwan/contract/requests/requests';
import type { BodyInputOf, Call } from '@diwan/contract/wire/call';
import { isConflict } from './conflict.ts';
import { useAddPendingAction } from './pending-actions.data.ts';
import { useStoreRecord } from './requests.data.ts';

type ActionCall = Call & { reply: typeof receiveRequest.reply };
/** The actions whose input is a body and whose reply is the record. */
type RecordAction = Exclude<CalledAction, 'create' | 'receive'>;

/** What the body says of an action that can be undone. Decision 0052. */
const undoOf = (action: CalledAction) => (getAction(action).isUndoable ? { isUndoable: true } : {});

// After a conflict the record is loaded again.
function useActionHandlers() {
  const storeRecord = useStoreRecord();
  const addPendingAction = useAddPendingAction();
  const client = useQueryClient();
  return {
    onSuccess(reply: unknown) {
      storeRecord(reply as RequestRecord);
      addPendingAction(reply as RequestRecord);
    },
    onError(error: ApiError) {
      if (isConflict(error)) void client.invalidateQueries({ queryKey: [getRequestById.name] });
    },
  };
}

/** One action on a request. The page shows an error beside the button, so no toast appears. */
export function useRequestAction<A extends RecordAction>(action: A) {
  const call = useAction<ActionCall>(actionCalls[action], {
    skipErrorHandling: true,
    ...useActionHandlers(),
  });
  return {
    ...call,
    mutate: (
      body: Omit<BodyInputOf<(typeof actionCalls)[A]>, 'isUndoable'>,
      options?: Parameters<typeof call.mutate>[1],
    ) => call.mutate({ body: { ...body, ...undoOf(action) } }, options),
  };
}

/** Sends a returned request again with other documents. The page shows an error. */
export const useSendDocuments = () =>
  useAction(updateRequestAttachments, { skipErrorHandling: true, ...useActionHandlers() });

/** Sends an action without input. Source of the address of `receive`: specification §7. */
export function sendPlainAction(
  action: PlainAction,
  { requestId, version }: Pick<RequestSummary, 'requestId' | 'version'>,
  undo: { isUndoable?: boolean } = {},
): Promise<RequestRecord> {
  const options = { skipErrorHandling: true };
  if (action === 'receive')
    return send(actionCalls.receive, { params: { requestId }, query: { version }, ...options });
  const body = { requestId, version, ...undo };
  return send(actionCalls[action], { body, ...options });
}

/**
 * The actions without input on one request, for its page and its row in a list. `pending` is the
 * action that is running, `error` the error of the last one.
 */
export function usePlainActions(record: RequestSummary) {
  const isRunning = useRef(false);
  const { mutate, isPending, variables, error, reset } = useMutation<
    RequestRecord,
    ApiError,
    PlainAction
  >({
    mutationFn: (action) =>
      sendPlainAction(action, record, undoOf(action)).finally(() => {
        isRunning.current = false;
      }),
    ...useActionHandlers(),
  });
  const run = (action: PlainAction, onDone: (record: RequestRecord) => void) => {
    // The second press of a double click comes before React shows that the first one is pending.
    if (isRunning.current) return;
    isRunning.current = true;
    mutate(action, { onSuccess: onDone });
  };
  return { run, reset, pending: isPending ? variables : undefined, error };
}
