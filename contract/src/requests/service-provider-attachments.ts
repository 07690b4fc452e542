import { z } from 'zod';
import { attachment } from './attachments.ts';
import { defineCall, signedIn, type Role } from '../wire/call.ts';

const staffAndProvider: readonly Role[] = ['Admin', 'Employee', 'ServiceProvider'];

/** The name under which such a document is announced with CreateAttachment, with its requestId. */
export const providerDocumentName = 'provider';

/**
 * A document that staff or the service provider keep with a request, at any step. `title` is
 * theirs, in one language; who added it is told to staff alone. `mayChange`: this caller may rename
 * it, show or hide it and take it off.
 */
export const serviceProviderAttachment = attachment.extend({
  isVisibleToApplicant: z.boolean(),
  addedBy: z.string().optional(),
  addedAt: z.string(),
  mayChange: z.boolean(),
});
export type ServiceProviderAttachment = z.infer<typeof serviceProviderAttachment>;

const list = {
  RequestId: z.int().min(1),
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
 * The shapes of the two payloads are the specification's (§3), their difference is ours: this one
 * adds to the list. Sent twice it adds once.
 */
export const createServiceProviderRequestAttachment = defineCall({
  name: 'createServiceProviderRequestAttachment',
  method: 'POST',
  path: '/api/ServiceProviderRequestAttachment/CreateServiceProviderRequestAttachment',
  who: staffAndProvider,
  summary: 'Add documents of staff or of the service provider to a request',
  body: z.object(list),
  reply,
  refusals,
});

/**
 * This one makes the list be what was sent: new ones are added, titles and visibility change, those
 * that are left out are taken off (and kept as what was there).
 */
export const saveServiceProviderRequestAttachment = defineCall({
  name: 'saveServiceProviderRequestAttachment',
  method: 'POST',
  path: '/api/ServiceProviderRequestAttachment/SaveServiceProviderRequestAttachment',
  who: staffAndProvider,
  summary:
    'Put the documents of staff and service provider on a request in order: add, rename, show or hide, take off',
  body: z.object(list),
  reply,
  refusals,
});

export const getAllServiceProviderRequestAttachmentsByRequestId = defineCall({
  name: 'getAllServiceProviderRequestAttachmentsByRequestId',
  method: 'GET',
  path: '/api/ServiceProviderRequestAttachment/GetAllServiceProviderRequestAttachmentsByRequestId',
  who: signedIn,
  summary:
    'Documents of staff and service provider on a request; applicants get those that are meant for them',
  query: z.object({ RequestId: z.coerce.number().int().min(1) }),
  reply,
  refusals: ['RequestNotFound'],
});
