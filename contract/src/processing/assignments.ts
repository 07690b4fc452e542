import { z } from 'zod';
import {
  actionRefusals,
  maximumBulkRequests,
  requestAtVersion,
} from '../requests/request-actions.ts';
import { requestRecord } from '../requests/requests.ts';
import { defineCall, staff } from '../wire/call.ts';
import { longIdsInAddress } from '../wire/ids.ts';

/** Our own call: docs/unknowns.md. Open to those who may put the request back. */
export const reassignRequest = defineCall({
  name: 'reassignRequest',
  method: 'POST',
  path: '/api/Request/ReassignRequest',
  who: staff,
  summary: 'Give a received request to another employee, who is notified',
  body: z.object({ ...requestAtVersion, holderId: z.uuid() }),
  reply: requestRecord,
  refusals: [...actionRefusals, 'HolderNotPossible'],
});
/**
 * Our own call: docs/unknowns.md. `RequestIds`, separated by commas: only those who see all of these
 * requests.
 */
export const getColleagues = defineCall({
  name: 'getColleagues',
  method: 'GET',
  path: '/api/Request/GetColleagues',
  who: staff,
  summary: 'The employees to whom the caller can give requests, or these requests, by name',
  query: z.object({
    RequestIds: longIdsInAddress(maximumBulkRequests).optional(),
  }),
  reply: z.array(z.object({ userId: z.uuid(), name: z.string() })),
  refusals: [],
});
