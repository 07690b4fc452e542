import { z } from 'zod';
import { defineCall, signedIn } from './call.ts';
import { pageNumber, pageOf, take } from './paging.ts';

/** An uploaded document as a request shows it. `name` is the rule that it answers, `result` for a document that staff add. `filePath` is an opaque, short-lived reference for this caller. */
export const attachment = z.object({
  attachmentId: z.uuid(), name: z.string(), title: z.string(), fileName: z.string(), mediaType: z.string(), size: z.int(),
  filePath: z.string(), isViewed: z.boolean(), isResult: z.boolean(),
});
export type Attachment = z.infer<typeof attachment>;

/** Our own call: the specification does not show how a file travels. See docs/unknowns.md. */
export const createAttachment = defineCall({
  name: 'createAttachment', method: 'POST', path: '/api/Attachment/CreateAttachment', who: signedIn,
  summary: 'Announce a file before sending it; what the service does not take is refused here. `name` is the rule of the service, or `result` with a requestId (staff)',
  body: z.object({
    serviceId: z.int().min(1), requestId: z.int().min(1).optional(), name: z.string().min(1).max(40), fileName: z.string().trim().min(1).max(255), mediaType: z.string().max(100), size: z.int().min(0),
  }),
  reply: z.object({ attachmentId: z.uuid(), uploadUrl: z.string() }),
  refusals: ['ServiceNotFound', 'RequestNotFound', 'AttachmentNotFound', 'AttachmentTooLarge', 'AttachmentTypeNotAccepted', 'AttachmentEmpty', 'TooManyRequests'],
});

export const uploadAttachment = defineCall({
  name: 'uploadAttachment', method: 'PUT', path: '/api/Attachment/UploadAttachment{attachmentId}', who: signedIn,
  summary: 'Send the content of an announced file; size and content are judged again, whatever was announced',
  params: z.object({ attachmentId: z.uuid() }), consumes: 'bytes',
  reply: z.object({ attachmentId: z.uuid(), fileName: z.string(), mediaType: z.string(), size: z.int() }),
  refusals: ['AttachmentNotFound', 'AttachmentTooLarge', 'AttachmentTypeNotAccepted', 'AttachmentEmpty', 'AttachmentIncomplete'],
});

export const deleteAttachment = defineCall({
  name: 'deleteAttachment', method: 'POST', path: '/api/Attachment/DeleteAttachment{attachmentId}', who: signedIn,
  summary: 'Throw away an own file that is not part of a request yet',
  params: z.object({ attachmentId: z.uuid() }),
  reply: z.object({ attachmentId: z.uuid() }), refusals: ['AttachmentNotFound'],
});

export const markAttachmentViewed = defineCall({
  name: 'markAttachmentViewed', method: 'POST', path: '/api/Attachment/MarkAttachmentViewed', who: ['Admin', 'Employee', 'ServiceProvider'],
  summary: 'Remember that staff have opened a document', body: z.object({ requestAttachmentId: z.uuid() }),
  reply: z.object({ requestAttachmentId: z.uuid() }), refusals: ['AttachmentNotFound'],
});

export const downloadFile = defineCall({
  name: 'downloadFile', method: 'GET', path: '/api/File/DownloadFile', who: signedIn,
  summary: 'The content of a document by its opaque reference, only for the caller that it was made for',
  query: z.object({ filePath: z.string().min(1).max(2000) }), reply: 'file', refusals: ['AttachmentNotFound'],
});

/** Where a file is on its way: announced, sent and not used yet, part of a request, or seen by staff; a result goes from staff to the applicant. */
export const attachmentStates = ['announced', 'unused', 'attached', 'viewed', 'result'] as const;
export type AttachmentState = (typeof attachmentStates)[number];

/** A file as an admin's list shows it: what it is, never what is in it. `ownerName` is who sent it. */
export const attachmentSummary = z.object({
  attachmentId: z.uuid(), fileName: z.string(), mediaType: z.string(), size: z.int(), state: z.enum(attachmentStates),
  requestNumber: z.string().optional(), ownerName: z.string(), createdAt: z.string(),
});
export type AttachmentSummary = z.infer<typeof attachmentSummary>;

/** Our own: the specification names the page, not the call. */
export const getAllAttachments = defineCall({
  name: 'getAllAttachments', method: 'GET', path: '/api/Attachment/GetAllAttachments', who: ['Admin'], summary: 'Files by text and state, newest first, without their content',
  query: z.object({ SearchKeyword: z.string().max(200).optional(), State: z.enum(attachmentStates).optional(), PageNumber: pageNumber, Take: take }), reply: pageOf(attachmentSummary), refusals: [],
});
