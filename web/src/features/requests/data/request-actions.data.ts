import { useQueryClient } from '@tanstack/react-query';
import { useAction } from '#lib/api/use-call.ts';
import {
  acceptRequest,
  approveRequest,
  receiveRequest,
  releaseRequest,
} from '@diwan/contract/requests/request-actions';
import {
  getRequestById,
  type RequestRecord,
  type RequestSummary,
} from '@diwan/contract/requests/requests';
import type { BodyInputOf, Call } from '@diwan/contract/wire/call';
import { isConflict } from './conflict.ts';
import { useAddHeldAction } from './held-actions.data.ts';
import { useStoreRecord } from './requests.data.ts';

/** Actions without input. */
export const plainActions = ['receive', 'accept', 'approve', 'release'] as const;
export type PlainAction = (typeof plainActions)[number];
/** Actions without input that also have a dialog with options: charges, and no notification. */
export const optionActions = ['approve', 'accept'] as const;
/** Actions with a dialog. Except for `optionActions`, the dialog is required. */
export const dialogActions = ['submitted', 'return', 'reject', ...optionActions] as const;
export type DialogAction = (typeof dialogActions)[number];

type ActionCall = Call & { reply: typeof receiveRequest.reply };

/**
 * One action on a request. The page shows an error beside the button, so no toast appears. After a
 * conflict the record is loaded again.
 */
export function useRequestAction<C extends ActionCall>(call: C) {
  const storeRecord = useStoreRecord();
  const addHeldAction = useAddHeldAction();
  const client = useQueryClient();
  return useAction(call, {
    skipErrorHandling: true,
    onSuccess(reply) {
      storeRecord(reply as unknown as RequestRecord);
      addHeldAction(reply as unknown as RequestRecord);
    },
    onError: (error) => {
      if (isConflict(error)) void client.invalidateQueries({ queryKey: [getRequestById.name] });
    },
  });
}

/**
 * The actions without input on one request, for its page and its row in a list. `pending` is the
 * action that is running, `error` the error of the last one.
 */
export function usePlainActions(record: RequestSummary) {
  const receive = useRequestAction(receiveRequest);
  const accept = useRequestAction(acceptRequest);
  const approve = useRequestAction(approveRequest);
  const release = useRequestAction(releaseRequest);
  const all = { receive, accept, approve, release };
  const body: BodyInputOf<typeof releaseRequest> = {
    requestId: record.requestId,
    version: record.version,
  };
  const reset = () => plainActions.forEach((action) => all[action].reset());
  const run = (action: PlainAction, onDone: (record: RequestRecord) => void) => {
    reset();
    if (action === 'receive')
      receive.mutate(
        { params: { requestId: record.requestId }, query: { version: record.version } },
        { onSuccess: onDone },
      );
    else if (action === 'approve')
      approve.mutate({ body: { ...body, isUndoable: true } }, { onSuccess: onDone });
    else all[action].mutate({ body }, { onSuccess: onDone });
  };
  return {
    run,
    reset,
    pending: plainActions.find((action) => all[action].isPending),
    error: plainActions.map((action) => all[action].error).find((error) => error !== null) ?? null,
  };
}
