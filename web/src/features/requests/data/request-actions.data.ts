import { useQueryClient } from '@tanstack/react-query';
import type { BodyInputOf, Call } from '@diwan/contract/wire/call';
import {
  acceptRequest,
  approveRequest,
  getRequestById,
  receiveRequest,
  releaseRequest,
  type RequestRecord,
  type RequestSummary,
} from '@diwan/contract/requests/requests';
import type { SendError } from '../../../lib/api/send-error.ts';
import { useAction } from '../../../lib/api/use-call.ts';
import { useKeepRecord } from './requests.data.ts';

/** Actions that ask for nothing. */
export const plainActions = ['receive', 'accept', 'approve', 'release'] as const;
export type PlainAction = (typeof plainActions)[number];
/**
 * Plain actions that can be done with charges or without a word to the applicant, in a dialog of
 * their own.
 */
export const optionActions = ['approve', 'accept'] as const;
export type OptionAction = (typeof optionActions)[number];
/** Actions that have a dialog; all but those with options begin with it. */
export const dialogActions = ['submitted', 'return', 'reject', ...optionActions] as const;
export type DialogAction = (typeof dialogActions)[number];

type ActionCall = Call & { reply: typeof receiveRequest.reply };

/** Whether somebody was faster; the page then shows what they made of the request. */
const isTooLate = (error: SendError): boolean =>
  error.name === 'VersionHasChanged' || error.name === 'ActionNotAllowed';

/**
 * One action on a request. The page shows what went wrong beside the button, so nothing is toasted.
 */
export function useRequestAction<C extends ActionCall>(call: C) {
  const keep = useKeepRecord();
  const client = useQueryClient();
  return useAction(call, {
    skipErrorHandling: true,
    onSuccess: (reply) => keep(reply as unknown as RequestRecord),
    onError: (error) => {
      if (isTooLate(error)) void client.invalidateQueries({ queryKey: [getRequestById.name] });
    },
  });
}

/**
 * The plain actions on one request, from its page or its row in a list: which one runs, and what
 * went wrong with the last.
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
    else all[action].mutate({ body }, { onSuccess: onDone });
  };
  return {
    run,
    reset,
    pending: plainActions.find((action) => all[action].isPending),
    error: plainActions.map((action) => all[action].error).find((error) => error !== null) ?? null,
  };
}
