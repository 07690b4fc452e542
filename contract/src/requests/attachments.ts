import { z } from 'zod';
import { mediaTypes } from '../forms/forms.ts';
import {
  applicants,
  auditReaders,
  defineCall,
  signedIn,
  staffAndProviders,
  type Role,
} from '../wire/call.ts';
import { announcedBytes, longId, recordId } from '../wire/ids.ts';
import { pageNumber, pageOf, take } from '../wire/paging.ts';
import {
  contentRefusals,
  findingNames,
  receivedAttachment,
  scanStates,
  uploadAddress,
} from '../wire/uploads.ts';

/** Those who send requests, and those who process them. */
const uploaders: readonly Role[] = [...applicants, ...staffAndProviders];

/** The name of a document that staff add as a result of a request. */
export const resultName = 'result';
/** What is accepted of a document that staff or the service provider add to a request. */
export const staffDocumentLimits = {
  mediaTypes: [...mediaTypes],
  maximumBytes: 10 * 1024 * 1024,
};

/** The first member of staff who opened a document, and when (ISO 8601 in UTC). */
const viewer = { viewedBy: z.string().optional(), viewedAt: z.string().optional() };

/**
 * An uploaded document of a request. `name` is the attachment rule that it answers, or `result` for
 * a document that staff add. `filePath` is an opaque, short-lived reference for this caller;
 * `viewedBy` is for staff only.
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

/**
 * Our own call: the specification does not show how a file is uploaded. `name` is an attachment
 * rule of the service; with `requestId` one of that own request, by the rules of its submission; or
 * `result` with `requestId` for staff. See docs/unknowns.md.
 */
export const createAttachment = defineCall({
  name: 'createAttachment',
  method: 'POST',
  repeats: 'harmless',
  path: '/api/Attachment/CreateAttachment',
  who: uploaders,
  summary: 'Announce a file before sending it; files that the service does not accept are refused',
  body: z.object({
    serviceId: recordId,
    requestId: longId.optional(),
    name: z.string().min(1).max(40),
    fileName: z.string().trim().min(1).max(255),
    mediaType: z.string().max(100),
    size: announcedBytes,
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
  repeats: 'unstored',
  path: '/api/Attachment/UploadAttachment{attachmentId}',
  who: uploaders,
  summary: 'Send the content of an announced file; size and content are inspected again',
  params: z.object({ attachmentId: z.uuid() }),
  consumes: 'bytes',
  reply: receivedAttachment,
  refusals: contentRefusals,
});

/**
 * Our own: inspects content that the browser sent directly to the storage. The call can be
 * repeated, also to read the result of the scan. `filePath` is a short-lived reference for the sender.
 */
export const completeAttachment = defineCall({
  name: 'completeAttachment',
  method: 'POST',
  repeats: 'harmless',
  path: '/api/Attachment/CompleteAttachment{attachmentId}',
  who: uploaders,
  summary:
    'Inspect the content that was sent to the signed address; repeated calls have the same reply',
  params: z.object({ attachmentId: z.uuid() }),
  reply: receivedAttachment.extend({ filePath: z.string() }),
  refusals: contentRefusals,
});

/** Our own: an upload continues after its address expired, or after a reload. */
export const renewUpload = defineCall({
  name: 'renewUpload',
  method: 'POST',
  repeats: 'harmless',
  path: '/api/Attachment/RenewUpload{attachmentId}',
  who: uploaders,
  summary: 'A new signed address for an own file whose content did not arrive yet',
  params: z.object({ attachmentId: z.uuid() }),
  reply: uploadAddress,
  refusals: ['AttachmentNotFound'],
});

/**
 * What the machine-readable zone of a card says. Every check digit holds; only the name has none.
 * `idNumber` is the number of an identity card of the UAE, `nationality` an ISO 3166-1 alpha-2 code.
 * Without `kind` there is no zone in the picture, or it was misread.
 */
export const readCardReply = z.object({
  kind: z.enum(['identityCard', 'passport']).optional(),
  isExpired: z.boolean().optional(),
  name: z.string().optional(),
  idNumber: z.string().optional(),
  documentNumber: z.string().optional(),
  birthDate: z.string().optional(),
  expiryDate: z.string().optional(),
  nationality: z.string().optional(),
});
export type ReadCardReply = z.infer<typeof readCardReply>;

/** Our own: suggestions for answers, which the person confirms. Nothing that is read is stored. */
export const readIdentityCard = defineCall({
  name: 'readIdentityCard',
  method: 'POST',
  repeats: 'harmless',
  path: '/api/Attachment/ReadIdentityCard{attachmentId}',
  who: uploaders,
  summary: 'Read the machine-readable zone of an own picture of an identity card or a passport',
  params: z.object({ attachmentId: z.uuid() }),
  reply: readCardReply,
  refusals: ['AttachmentNotFound', 'AttachmentInfected', 'TooManyRequests', 'ServerBusy'],
});

export const deleteAttachment = defineCall({
  name: 'deleteAttachment',
  method: 'POST',
  repeats: 'harmless',
  path: '/api/Attachment/DeleteAttachment{attachmentId}',
  who: uploaders,
  summary: 'Delete an own file that is not part of a request yet',
  params: z.object({ attachmentId: z.uuid() }),
  reply: z.object({ attachmentId: z.uuid() }),
  refusals: ['AttachmentNotFound'],
});

export const markAttachmentViewed = defineCall({
  name: 'markAttachmentViewed',
  method: 'POST',
  path: '/api/Attachment/MarkAttachmentViewed',
  who: staffAndProviders,
  summary: 'Record that staff opened a document',
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
    'The content of a document by its opaque reference, only for the caller of that reference',
  query: z.object({ filePath: z.string().min(1).max(2000) }),
  reply: 'file',
  refusals: [
    'AttachmentNotFound',
    'AttachmentBeingScanned',
    'AttachmentInfected',
    'TooManyRequests',
    'ServerBusy',
  ],
});

/**
 * The state of a file: announced, uploaded and not used yet, part of a request, or viewed by staff;
 * a result goes from staff to the applicant.
 */
export const attachmentStates = ['announced', 'unused', 'attached', 'viewed', 'result'] as const;
export type AttachmentState = (typeof attachmentStates)[number];

/** A file in the list of an admin: its metadata, never its content. `ownerName` is the uploader. */
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
  who: auditReaders,
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
