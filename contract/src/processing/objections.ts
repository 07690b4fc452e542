import { z } from 'zod';
import { actions } from '../requests/actions.ts';
import {
  actionRefusals,
  isUndoable,
  message,
  requestAtVersion,
} from '../requests/request-actions.ts';
import { requestRecord } from '../requests/requests.ts';
import { defineCall } from '../wire/call.ts';
import { explainedRequest } from './withdrawals.ts';

/**
 * Our own call: docs/unknowns.md. Possible until `objectUntil` of the record; another person than
 * the first decides. `reason` is in the applicant's words; staff read it.
 */
export const objectToDecision = defineCall({
  name: 'objectToDecision',
  method: 'POST',
  path: '/api/Request/ObjectToDecision',
  who: actions.object.roles,
  summary: 'Object to the rejection or the fine of an own request',
  body: explainedRequest,
  reply: requestRecord,
  refusals: [...actionRefusals, 'ObjectionTooLate', 'ValidationFailed'],
});
/** Our own call: docs/unknowns.md. */
export const grantObjection = defineCall({
  name: 'grantObjection',
  method: 'POST',
  path: '/api/Request/GrantObjection',
  who: actions.grantObjection.roles,
  summary:
    'Accept an objection: a rejected request is processed again, a fine is cancelled, and refunded if it was paid',
  body: z.object({ ...requestAtVersion, isUndoable }),
  reply: requestRecord,
  refusals: [...actionRefusals],
});
/** Our own call: docs/unknowns.md. */
export const refuseObjection = defineCall({
  name: 'refuseObjection',
  method: 'POST',
  path: '/api/Request/RefuseObjection',
  who: actions.refuseObjection.roles,
  summary: "Confirm the decision that was objected to, with a message in the applicant's language",
  body: z.object({ ...requestAtVersion, ...message, isUndoable }),
  reply: requestRecord,
  refusals: [...actionRefusals, 'MessageIncomplete'],
});
