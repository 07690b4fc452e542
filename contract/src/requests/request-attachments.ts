import { z } from 'zod';
import { defineCall, type Role } from '../wire/call.ts';
import { requestRecord } from './requests.ts';

const owners: readonly Role[] = ['Client', 'CompanyUser'];
/**
 * What the two calls send is not shown: the name of the list is that of the update payload
 * (specification §3).
 */
const list = {
  requestId: z.int().min(1),
  version: z.int().min(1).optional(),
  requestAttachmentList: z.array(z.uuid()).max(50),
};
const refusals = [
  'RequestNotFound',
  'ActionNotAllowed',
  'VersionHasChanged',
  'ValidationFailed',
] as const;

/**
 * Keeps the documents for a request that was returned, the ones that stay included, without sending
 * it: GetRequestByIdForUpdate answers them, on any device.
 */
export const saveRequestAttachments = defineCall({
  name: 'saveRequestAttachments',
  method: 'POST',
  path: '/api/Request/SaveRequestAttachments',
  who: owners,
  summary: 'Keep documents for a request that is to be mended, without sending it yet',
  body: z.object(list),
  reply: z.object({ requestId: z.int(), requestAttachmentList: z.array(z.uuid()) }),
  refusals,
});

/**
 * Sends a returned request again with these documents in place of those it had, its answers as they
 * are; the same as UpdateRequest with the same answers.
 */
export const updateRequestAttachments = defineCall({
  name: 'updateRequestAttachments',
  method: 'POST',
  path: '/api/Request/UpdateRequestAttachments',
  who: owners,
  summary: 'Mend the documents of a request that was returned, and send it again',
  body: z.object(list),
  reply: requestRecord,
  refusals: [...refusals, 'OwnCounterRequest'],
});
