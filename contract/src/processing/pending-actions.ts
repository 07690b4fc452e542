import { z } from 'zod';
import { requestActions } from '../requests/actions.ts';
import { requestRecord } from '../requests/requests.ts';
import { defineCall, staffAndProviders } from '../wire/call.ts';
import { longId, recordId, recordVersion } from '../wire/ids.ts';
import { fils } from '../wire/money.ts';

/** Our own call: takes back an action of the caller that was sent with `isUndoable`. Decision 0052. */
export const undoAction = defineCall({
  name: 'undoAction',
  method: 'POST',
  path: '/api/Request/UndoAction',
  who: staffAndProviders,
  summary: 'Take back an action on a request before it takes effect',
  body: z.object({ requestId: longId, version: recordVersion }),
  reply: requestRecord,
  refusals: ['RequestNotFound', 'TooLateToUndo'],
});
/** Our own call. `failure` says why an action did not take effect; it stays until dismissed. */
export const getHeldActions = defineCall({
  name: 'getHeldActions',
  method: 'GET',
  path: '/api/Request/GetHeldActions',
  who: staffAndProviders,
  summary: 'The actions of the caller that have not taken effect yet, and those that failed',
  reply: z.array(
    z.object({
      heldActionId: z.int(),
      requestId: z.int(),
      requestNumber: z.string(),
      action: z.enum(requestActions),
      version: z.int(),
      actsInMs: z.int(),
      failure: z.string().optional(),
      /** The fines and fees, in fils, that a second person must confirm first. */
      waitsWith: fils.optional(),
    }),
  ),
  refusals: [],
});

/** Our own call. */
export const dismissFailedAction = defineCall({
  name: 'dismissFailedAction',
  method: 'POST',
  path: '/api/Request/DismissFailedAction',
  who: staffAndProviders,
  summary: 'Remove a failed action of the caller from GetHeldActions',
  body: z.object({
    heldActionId: recordId,
  }),
  reply: z.object({}),
  refusals: [],
});
