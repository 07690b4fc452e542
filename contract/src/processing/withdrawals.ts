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

/** A reason that an applicant writes. */
export const maximumReasonLength = 1000;

/** What an applicant asks staff to decide, and why: staff read the reason in the applicant's words. */
export const explainedRequest = z.object({
  ...requestAtVersion,
  reason: z.string().trim().max(maximumReasonLength),
});

/** Our own call: docs/unknowns.md. Possible before work begins; ends the request. */
export const withdrawRequest = defineCall({
  name: 'withdrawRequest',
  method: 'POST',
  path: '/api/Request/WithdrawRequest',
  who: actions.withdraw.roles,
  summary: 'Withdraw an own request before work on it begins',
  body: z.object({ ...requestAtVersion }),
  reply: requestRecord,
  refusals: [...actionRefusals],
});
/** Our own call: docs/unknowns.md. `reason` is in the applicant's words; staff read it. */
export const askToWithdrawRequest = defineCall({
  name: 'askToWithdrawRequest',
  method: 'POST',
  path: '/api/Request/AskToWithdrawRequest',
  who: actions.askToWithdraw.roles,
  summary: 'Ask the agency to end an own request on which work has begun',
  body: explainedRequest,
  reply: requestRecord,
  refusals: [...actionRefusals, 'ValidationFailed'],
});
/** Our own call: docs/unknowns.md. */
export const grantWithdrawal = defineCall({
  name: 'grantWithdrawal',
  method: 'POST',
  path: '/api/Request/GrantWithdrawal',
  who: actions.grantWithdrawal.roles,
  summary: 'End a request because its applicant asked to withdraw it',
  body: z.object({ ...requestAtVersion, isUndoable }),
  reply: requestRecord,
  refusals: [...actionRefusals],
});
/** Our own call: docs/unknowns.md. */
export const refuseWithdrawal = defineCall({
  name: 'refuseWithdrawal',
  method: 'POST',
  path: '/api/Request/RefuseWithdrawal',
  who: actions.refuseWithdrawal.roles,
  summary:
    "Continue with a request that its applicant asked to withdraw, with a message in the applicant's language",
  body: z.object({ ...requestAtVersion, ...message, isUndoable }),
  reply: requestRecord,
  refusals: [...actionRefusals, 'MessageIncomplete'],
});
