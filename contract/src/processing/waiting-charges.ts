import { z } from 'zod';
import { requestActions } from '../requests/actions.ts';
import { requestRecord } from '../requests/requests.ts';
import { defineCall, money, moneyReaders } from '../wire/call.ts';
import { longId, recordId } from '../wire/ids.ts';
import { fils } from '../wire/money.ts';

/**
 * Our own calls: an action whose fines and fees are more than one person adds to a request alone
 * waits for a second one. `amount` is without VAT, in fils. Decision 0132.
 */
export const getWaitingCharges = defineCall({
  name: 'getWaitingCharges',
  method: 'GET',
  path: '/api/Request/GetWaitingCharges',
  who: moneyReaders,
  summary: 'The fines and fees of staff that wait for a second person, the oldest first',
  reply: z.array(
    z.object({
      heldActionId: z.int(),
      requestId: z.int(),
      requestNumber: z.string(),
      action: z.enum(requestActions),
      amount: fils,
      askedBy: z.string(),
      isOwn: z.boolean(),
      at: z.string(),
    }),
  ),
  refusals: [],
});
export const decideCharge = defineCall({
  name: 'decideCharge',
  method: 'POST',
  path: '/api/Request/DecideCharge',
  who: money,
  summary: 'Confirm or refuse the fines and fees that wait on a request for a second person',
  body: z.object({
    requestId: longId,
    heldActionId: recordId,
    isConfirmed: z.boolean(),
  }),
  reply: requestRecord,
  refusals: [
    'RequestNotFound',
    'DecisionNotPossible',
    'DecisionNeedsSecondPerson',
    'SecondPersonNotIndependent',
  ],
});
