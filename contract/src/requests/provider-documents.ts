import { z } from 'zod';
import { defineCall, signedIn, staffAndProviders } from '../wire/call.ts';
import { longId, longIdInAddress } from '../wire/ids.ts';
import { attachment } from './attachments.ts';

/**
 * The attachment name under which CreateAttachment announces such a document, with its requestId.
 */
export const providerDocumentName = 'provider';

/**
 * A document that staff or the service provider add to a request, at any step. `title` is their
 * own, in one language; `addedBy` is for staff only. `mayChange`: this caller may rename it, show
 * or hide it and remove it.
 */
export const serviceProviderAttachment = attachment.extend({
  isVisibleToApplicant: z.boolean(),
  addedBy: z.string().optional(),
  addedAt: z.string(),
  mayChange: z.boolean(),
});
export type ServiceProviderAttachment = z.infer<typeof serviceProviderAttachment>;

const list = {
  RequestId: longId,
  ServiceProviderRequestAttachments: z
    .array(
      z.object({
        attachmentId: z.uuid(),
        title: z.string().trim().min(1).max(120),
        isVisibleToApplicant: z.boolean().default(false),
      }),
    )
    .max(20),
};
const reply = z.array(serviceProviderAttachment);
const refusals = ['RequestNotFound', 'AttachmentNotFound', 'AttachmentCountExceeded'] as const;

/**
 * The shapes of the two payloads are the specification's (§3); their difference is ours. This call
 * adds to the list; a second call with the same documents adds nothing.
 */
export const createServiceProviderRequestAttachment = defineCall({
  name: 'createServiceProviderRequestAttachment',
  method: 'POST',
  path: '/api/ServiceProviderRequestAttachment/CreateServiceProviderRequestAttachment',
  who: staffAndProviders,
  summary: 'Add documents of staff or of the service provider to a request',
  body: z.object(list),
  reply,
  refusals,
});

/**
 * This call replaces the list: it adds new documents, changes titles and visibility, and removes
 * the documents that are left out. The history of the request still shows removed documents.
 */
export const saveServiceProviderRequestAttachment = defineCall({
  name: 'saveServiceProviderRequestAttachment',
  method: 'POST',
  path: '/api/ServiceProviderRequestAttachment/SaveServiceProviderRequestAttachment',
  who: staffAndProviders,
  summary:
    'Replace the documents of staff and service provider on a request: add, rename, show or hide, remove',
  body: z.object(list),
  reply,
  refusals,
});

export const getAllServiceProviderRequestAttachmentsByRequestId = defineCall({
  name: 'getAllServiceProviderRequestAttachmentsByRequestId',
  method: 'GET',
  path: '/api/ServiceProviderRequestAttachment/GetAllServiceProviderRequestAttachmentsByRequestId',
  who: signedIn,
  summary: 'Documents of staff and service provider on a request; applicants get the visible ones',
  query: z.object({ RequestId: longIdInAddress }),
  reply,
  refusals: ['RequestNotFound'],
});
