import { z } from 'zod';
import { defineCall, signedIn } from '../wire/call.ts';
import { pageNumber, pageOf, take } from '../wire/paging.ts';

/**
 * What is known of harmful content in a file: no scanner is set, it waits for one, nothing was
 * found, or something was and the content is gone.
 */
export const scanStates = ['notScanned', 'waiting', 'clean', 'infected'] as const;
export type ScanState = (typeof scanStates)[number];

/**
 * What staff should know of a PDF that was taken all the same: a password, JavaScript, starting of
 * programs, files in it.
 */
export const findingNames = ['encrypted', 'script', 'launch', 'embedded'] as const;

/**
 * Where a browser sends the content: blocks of at most `blockBytes` by Azure's block protocol (Put
 * Block, Put Block List, Get Block List) to `url` until `expiresAt`,
 * without a token; a path of ours or an address of the storage. Then comes CompleteAttachment.
 */
export const uploadAddress = z.object({
  url: z.string(),
  blockBytes: z.int(),
  expiresAt: z.string(),
});
export type UploadAddress = z.infer<typeof uploadAddress>;

/** A file that has come and was judged; `findings` only where there are any. */
export const receivedAttachment = z.object({
  attachmentId: z.uuid(),
  fileName: z.string(),
  mediaType: z.string(),
  size: z.int(),
  scanState: z.enum(scanStates),
  findings: z.array(z.enum(findingNames)).optional(),
});

/** Why content is not taken. */
export const contentRefusals = [
  'AttachmentNotFound',
  'AttachmentTooLarge',
  'AttachmentTypeNotAccepted',
  'AttachmentEmpty',
  'AttachmentIncomplete',
  'AttachmentDamaged',
  'AttachmentPictureTooLarge',
  'AttachmentEncrypted',
  'AttachmentActive',
  'AttachmentHoldsFiles',
  'AttachmentInfected',
  'TooManyRequests',
] as const;

/** Who of the staff was the first to open a document, and when (ISO 8601 in UTC). */
const viewer = { viewedBy: z.string().optional(), viewedAt: z.string().optional() };

/**
 * An uploaded document as a request shows it. `name` is the rule that it answers, `result` for a
 * document that staff add. `filePath` is an opaque, short-lived reference for this caller;
 * `viewedBy` is for staff alone.
 */
export const attachment = z.object({
  attachmentId: z.uuid(),
  name: z.string(),
  title: z.string(),
  fileName: z.string(),
  mediaType: z.string(),
  size: z.int(),
  filePath: z.string(),
  isViewed: z.boolean(),
  ...viewer,
  isResult: z.boolean(),
  scanState: z.enum(scanStates).optional(),
  findings: z.array(z.enum(findingNames)).optional(),
});
export type Attachment = z.infer<typeof attachment>;

/** Our own call: the specification does not show how a file travels. See docs/unknowns.md. */
export const createAttachment = defineCall({
  name: 'createAttachment',
  method: 'POST',
  path: '/api/Attachment/CreateAttachment',
  who: signedIn,
  summary:
    'Announce a file before sending it; what the service does not take is refused here. `name` is the rule of the service, with a requestId that of an own request, which keeps the rules it began with; or `result` with a requestId (staff)',
  body: z.object({
    serviceId: z.int().min(1),
    requestId: z.int().min(1).optional(),
    name: z.string().min(1).max(40),
    fileName: z.string().trim().min(1).max(255),
    mediaType: z.string().max(100),
    size: z.int().min(0),
  }),
  reply: z.object({ attachmentId: z.uuid(), uploadUrl: z.string(), upload: uploadAddress }),
  refusals: [
    'ServiceNotFound',
    'RequestNotFound',
    'AttachmentNotFound',
    'AttachmentTooLarge',
    'AttachmentTypeNotAccepted',
    'AttachmentEmpty',
    'DocumentSpaceFull',
    'TooManyRequests',
  ],
});

export const uploadAttachment = defineCall({
  name: 'uploadAttachment',
  method: 'PUT',
  path: '/api/Attachment/UploadAttachment{attachmentId}',
  who: signedIn,
  summary:
    'Send the content of an announced file; size and content are judged again, whatever was announced',
  params: z.object({ attachmentId: z.uuid() }),
  consumes: 'bytes',
  reply: receivedAttachment,
  refusals: contentRefusals,
});

/**
 * Our own: content that went straight to the storage is judged here. It can be asked again, also
 * for how the scan went.
 */
export const completeAttachment = defineCall({
  name: 'completeAttachment',
  method: 'POST',
  path: '/api/Attachment/CompleteAttachment{attachmentId}',
  who: signedIn,
  summary:
    'Judge the content that was sent to the signed address; the same answer again for a file that is there',
  params: z.object({ attachmentId: z.uuid() }),
  reply: receivedAttachment,
  refusals: contentRefusals,
});

/** Our own: an upload goes on after its address has become too old, or after a reload. */
export const renewUpload = defineCall({
  name: 'renewUpload',
  method: 'POST',
  path: '/api/Attachment/RenewUpload{attachmentId}',
  who: signedIn,
  summary: 'Another signed address for an own file whose content has not come yet',
  params: z.object({ attachmentId: z.uuid() }),
  reply: uploadAddress,
  refusals: ['AttachmentNotFound'],
});

export const deleteAttachment = defineCall({
  name: 'deleteAttachment',
  method: 'POST',
  path: '/api/Attachment/DeleteAttachment{attachmentId}',
  who: signedIn,
  summary: 'Throw away an own file that is not part of a request yet',
  params: z.object({ attachmentId: z.uuid() }),
  reply: z.object({ attachmentId: z.uuid() }),
  refusals: ['AttachmentNotFound'],
});

export const markAttachmentViewed = defineCall({
  name: 'markAttachmentViewed',
  method: 'POST',
  path: '/api/Attachment/MarkAttachmentViewed',
  who: ['Admin', 'Employee', 'ServiceProvider'],
  summary: 'Remember that staff have opened a document',
  body: z.object({ requestAttachmentId: z.uuid() }),
  reply: z.object({ requestAttachmentId: z.uuid(), ...viewer }),
  refusals: ['AttachmentNotFound'],
});

export const downloadFile = defineCall({
  name: 'downloadFile',
  method: 'GET',
  path: '/api/File/DownloadFile',
  who: signedIn,
  summary:
    'The content of a document by its opaque reference, only for the caller that it was made for',
  query: z.object({ filePath: z.string().min(1).max(2000) }),
  reply: 'file',
  refusals: [
    'AttachmentNotFound',
    'AttachmentBeingScanned',
    'AttachmentInfected',
    'TooManyRequests',
  ],
});

/**
 * Where a file is on its way: announced, sent and not used yet, part of a request, or seen by
 * staff; a result goes from staff to the applicant.
 */
export const attachmentStates = ['announced', 'unused', 'attached', 'viewed', 'result'] as const;
export type AttachmentState = (typeof attachmentStates)[number];

/**
 * A file as an admin's list shows it: what it is, never what is in it. `ownerName` is who sent it.
 */
export const attachmentSummary = z.object({
  attachmentId: z.uuid(),
  fileName: z.string(),
  mediaType: z.string(),
  size: z.int(),
  state: z.enum(attachmentStates),
  scanState: z.enum(scanStates),
  requestNumber: z.string().optional(),
  ownerName: z.string(),
  createdAt: z.string(),
});
export type AttachmentSummary = z.infer<typeof attachmentSummary>;

/** Our own: the specification names the page, not the call. */
export const getAllAttachments = defineCall({
  name: 'getAllAttachments',
  method: 'GET',
  path: '/api/Attachment/GetAllAttachments',
  who: ['Admin'],
  summary: 'Files by text and state, newest first, without their content',
  query: z.object({
    SearchKeyword: z.string().max(200).optional(),
    State: z.enum(attachmentStates).optional(),
    PageNumber: pageNumber,
    Take: take,
  }),
  reply: pageOf(attachmentSummary),
  refusals: [],
});
