import { z } from 'zod';
import { mediaTypes } from '../forms/forms.ts';
import { defineCall, signedIn } from '../wire/call.ts';
import { announcedBytes } from '../wire/ids.ts';
import { contentRefusals, receivedAttachment, scanStates, uploadAddress } from '../wire/uploads.ts';

/** What is accepted of a file with a complaint or an answer, and how many of them. Decision 0155. */
export const complaintDocumentLimits = {
  mediaTypes: [...mediaTypes],
  maximumBytes: 10 * 1024 * 1024,
  maximumCount: 5,
};

/** A file that was sent with a complaint or with an answer. */
export const complaintDocument = z.object({
  documentId: z.uuid(),
  fileName: z.string(),
  mediaType: z.string(),
  size: z.int(),
  scanState: z.enum(scanStates),
});
export type ComplaintDocument = z.infer<typeof complaintDocument>;

/** The ids of files that the caller has sent, for a complaint or an answer. */
export const complaintDocumentIds = z
  .array(z.uuid())
  .max(complaintDocumentLimits.maximumCount)
  .default([]);

const receivedComplaintDocument = receivedAttachment
  .omit({ attachmentId: true })
  .extend({ documentId: z.uuid() });

/** Our own call, as all of this file: who is signed in adds files to a complaint or an answer. */
export const createComplaintDocument = defineCall({
  name: 'createComplaintDocument',
  method: 'POST',
  repeats: 'harmless',
  path: '/api/Complaint/CreateComplaintDocument',
  who: signedIn,
  summary: 'Announce a file of a complaint, or of an answer to one, before sending it',
  body: z.object({
    fileName: z.string().trim().min(1).max(255),
    mediaType: z.string().max(100),
    size: announcedBytes,
  }),
  reply: z.object({ documentId: z.uuid(), uploadUrl: z.string(), upload: uploadAddress }),
  refusals: [
    'AttachmentTooLarge',
    'AttachmentTypeNotAccepted',
    'AttachmentEmpty',
    'DocumentSpaceFull',
    'TooManyRequests',
  ],
});

export const uploadComplaintDocument = defineCall({
  name: 'uploadComplaintDocument',
  method: 'PUT',
  repeats: 'unstored',
  path: '/api/Complaint/UploadComplaintDocument{documentId}',
  who: signedIn,
  summary: 'Send the content of an announced file; size and content are inspected again',
  params: z.object({ documentId: z.uuid() }),
  consumes: 'bytes',
  reply: receivedComplaintDocument,
  refusals: contentRefusals,
});

export const completeComplaintDocument = defineCall({
  name: 'completeComplaintDocument',
  method: 'POST',
  repeats: 'harmless',
  path: '/api/Complaint/CompleteComplaintDocument{documentId}',
  who: signedIn,
  summary:
    'Inspect the content that was sent to the signed address; repeated calls have the same reply',
  params: z.object({ documentId: z.uuid() }),
  reply: receivedComplaintDocument,
  refusals: contentRefusals,
});

export const renewComplaintUpload = defineCall({
  name: 'renewComplaintUpload',
  method: 'POST',
  repeats: 'harmless',
  path: '/api/Complaint/RenewComplaintUpload{documentId}',
  who: signedIn,
  summary: 'A new signed address for an own file whose content did not arrive yet',
  params: z.object({ documentId: z.uuid() }),
  reply: uploadAddress,
  refusals: ['AttachmentNotFound'],
});

/**
 * For who sent the complaint while signed in, for those who answer or read it, and for everybody who
 * names its reference and the address of its sender.
 */
export const downloadComplaintDocument = defineCall({
  name: 'downloadComplaintDocument',
  method: 'POST',
  repeats: 'harmless',
  path: '/api/Complaint/DownloadComplaintDocument',
  who: 'anyone',
  summary: 'The content of a file of a complaint that the caller may read',
  body: z.object({
    documentId: z.uuid(),
    reference: z.string().trim().max(40).optional(),
    email: z.string().trim().max(200).optional(),
  }),
  reply: 'file',
  refusals: [
    'AttachmentNotFound',
    'AttachmentBeingScanned',
    'AttachmentInfected',
    'TooManyRequests',
  ],
});
