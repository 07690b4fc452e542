import { z } from 'zod';
import { administrators, auditReaders, defineCall } from '../wire/call.ts';
import { announcedBytes, recordId, recordIdInAddress, recordVersion } from '../wire/ids.ts';
import { localizedText } from '../wire/languages.ts';
import { contentRefusals, receivedAttachment, scanStates, uploadAddress } from '../wire/uploads.ts';
import { partnerActions, partnerStates } from './partner-states.ts';

/** The documents that a service provider submits, one of each. */
export const partnerDocumentNames = ['tradeLicence', 'authorisationLetter'] as const;
export type PartnerDocumentName = (typeof partnerDocumentNames)[number];
/** The media types and the largest size of such a document, in bytes. */
export const partnerDocumentTypes = ['application/pdf', 'image/jpeg', 'image/png'] as const;
export const partnerDocumentBytes = 10 * 1024 * 1024;

const name = z.string().trim().min(2).max(200);

/**
 * The details of a service provider. Arabic and English are official; without an Urdu name the
 * English name is shown. `contactPhone` in any spelling of a UAE mobile.
 */
export const partnerDetails = z.object({
  nameAr: name,
  nameEn: name,
  nameUr: z.string().trim().max(200).optional(),
  licenceNumber: z.string().trim().min(3).max(40),
  agencyIds: z.array(recordId).min(1).max(60),
  contactName: z.string().trim().min(2).max(200),
  contactEmail: z.string().trim().max(254),
  contactPhone: z.string().trim().max(40),
});
export type PartnerDetails = z.infer<typeof partnerDetails>;

/**
 * `filePath` is an opaque, short-lived reference for this caller; `isCurrent` is false for a
 * document that a later one replaced.
 */
export const partnerDocument = z.object({
  documentId: z.uuid(),
  name: z.enum(partnerDocumentNames),
  fileName: z.string(),
  mediaType: z.string(),
  size: z.int(),
  filePath: z.string(),
  isCurrent: z.boolean(),
  uploadedAt: z.string(),
  scanState: z.enum(scanStates).optional(),
});
export type PartnerDocument = z.infer<typeof partnerDocument>;

/**
 * One change of state. `actor` is absent for callers from the provider, who do not see the names of
 * staff. Texts are in the caller's language.
 */
export const partnerStep = z.object({
  id: z.int(),
  action: z.enum(partnerActions),
  state: z.enum(partnerStates),
  actor: z.string().optional(),
  reasons: z.array(z.string()),
  message: z.string().optional(),
  at: z.string(),
});

/**
 * The record of a service provider, for an admin or for the provider. `reasons` holds, by allowed
 * action, the reasons that can be given. `pendingSupervisors`, for admins: who will be added or
 * removed when a second admin confirms it. Times are ISO 8601 in UTC.
 */
export const partnerRecord = z.object({
  partnerId: z.int(),
  name: z.string(),
  names: localizedText,
  state: z.enum(partnerStates),
  version: z.int(),
  licenceNumber: z.string().optional(),
  contactName: z.string().optional(),
  contactEmail: z.string().optional(),
  contactPhone: z.string().optional(),
  agencies: z.array(z.object({ id: z.int(), name: z.string(), logo: z.string() })),
  documents: z.array(partnerDocument),
  history: z.array(partnerStep),
  allowedActions: z.array(z.enum(partnerActions)),
  reasons: z.record(z.string(), z.array(z.object({ name: z.string(), text: z.string() }))),
  openRequestsCount: z.int(),
  supervisors: z.array(
    z.object({ id: z.uuid(), fullName: z.string(), email: z.string(), isSuspended: z.boolean() }),
  ),
  pendingSupervisors: z
    .array(
      z.object({
        id: z.uuid(),
        fullName: z.string(),
        isAdded: z.boolean(),
        askedBy: z.string(),
        askedAt: z.string(),
      }),
    )
    .optional(),
  createdAt: z.string(),
});
export type PartnerRecord = z.infer<typeof partnerRecord>;

const receivedPartnerDocument = receivedAttachment
  .omit({ attachmentId: true })
  .extend({ documentId: z.uuid() });

/** Our own calls: the specification names the states of a provider, not its calls. */
export const createPartnerDocument = defineCall({
  name: 'createPartnerDocument',
  method: 'POST',
  repeats: 'harmless',
  path: '/api/Partner/CreatePartnerDocument',
  who: ['Client', 'ServiceProvider'],
  openTo: ['inactive'],
  summary: 'Announce a document of a service provider before sending it',
  body: z.object({
    name: z.enum(partnerDocumentNames),
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

export const uploadPartnerDocument = defineCall({
  name: 'uploadPartnerDocument',
  method: 'PUT',
  repeats: 'unstored',
  path: '/api/Partner/UploadPartnerDocument{documentId}',
  who: ['Client', 'ServiceProvider'],
  openTo: ['inactive'],
  summary: 'Send the content of an announced document; size and content are inspected again',
  params: z.object({ documentId: z.uuid() }),
  consumes: 'bytes',
  reply: receivedPartnerDocument,
  refusals: contentRefusals,
});

export const completePartnerDocument = defineCall({
  name: 'completePartnerDocument',
  method: 'POST',
  repeats: 'harmless',
  path: '/api/Partner/CompletePartnerDocument{documentId}',
  who: ['Client', 'ServiceProvider'],
  openTo: ['inactive'],
  summary:
    'Inspect the content that was sent to the signed address; repeated calls have the same reply',
  params: z.object({ documentId: z.uuid() }),
  reply: receivedPartnerDocument,
  refusals: contentRefusals,
});

export const renewPartnerUpload = defineCall({
  name: 'renewPartnerUpload',
  method: 'POST',
  repeats: 'harmless',
  path: '/api/Partner/RenewPartnerUpload{documentId}',
  who: ['Client', 'ServiceProvider'],
  openTo: ['inactive'],
  summary: 'A new signed address for an own document whose content did not arrive yet',
  params: z.object({ documentId: z.uuid() }),
  reply: uploadAddress,
  refusals: ['AttachmentNotFound'],
});

export const downloadPartnerDocument = defineCall({
  name: 'downloadPartnerDocument',
  method: 'GET',
  path: '/api/Partner/DownloadPartnerDocument',
  who: [...auditReaders, 'ServiceProvider'],
  openTo: ['inactive', 'suspended'],
  summary:
    'The content of a provider’s document by its opaque reference, only for the caller of that reference',
  query: z.object({ filePath: z.string().min(1).max(2000) }),
  reply: 'file',
  refusals: ['AttachmentNotFound', 'AttachmentBeingScanned', 'AttachmentInfected'],
});

export const registerPartner = defineCall({
  name: 'registerPartner',
  method: 'POST',
  path: '/api/Partner/RegisterPartner',
  who: ['Client'],
  summary:
    'Register a service provider; the caller becomes its first supervisor, and it waits to be verified',
  body: partnerDetails.extend({
    documentIds: z.array(z.uuid()).max(10),
    agreeToTermsAndConditions: z.boolean(),
  }),
  reply: z.object({ partnerId: z.int() }),
  refusals: ['AccountCannotRegisterProvider', 'LicenceNumberInUse', 'TermsNotAccepted'],
});

/** Documents that are not sent again stay unchanged. */
export const resubmitPartner = defineCall({
  name: 'resubmitPartner',
  method: 'POST',
  path: '/api/Partner/ResubmitPartner',
  who: ['ServiceProvider'],
  openTo: ['inactive'],
  summary: 'Send corrected details and documents of the own service provider',
  body: partnerDetails.extend({ documentIds: z.array(z.uuid()).max(10), version: recordVersion }),
  reply: partnerRecord,
  refusals: ['NotFound', 'ProviderActionNotAllowed', 'ProviderHasChanged', 'LicenceNumberInUse'],
});

export const getOwnPartnerRecord = defineCall({
  name: 'getOwnPartnerRecord',
  method: 'GET',
  path: '/api/Partner/GetOwnPartnerRecord',
  who: ['ServiceProvider'],
  openTo: ['inactive', 'suspended'],
  summary: 'The state of the own service provider, its reasons, and the allowed actions',
  reply: partnerRecord,
  refusals: ['NotFound'],
});

export const getPartnerById = defineCall({
  name: 'getPartnerById',
  method: 'GET',
  path: '/api/Partner/GetPartnerById',
  who: auditReaders,
  summary: 'The record of a service provider',
  query: z.object({ PartnerId: recordIdInAddress }),
  reply: partnerRecord,
  refusals: ['NotFound'],
});

/**
 * `reasons` holds names of reasons; a message is in all three languages or in none, as for
 * requests.
 */
export const changePartnerState = defineCall({
  name: 'changePartnerState',
  method: 'POST',
  path: '/api/Partner/ChangePartnerState',
  who: administrators,
  summary: 'Verify, ask again, accept, refuse, suspend or reactivate a service provider',
  body: z.object({
    partnerId: recordId,
    action: z.enum(partnerActions),
    version: recordVersion,
    reasons: z.array(z.string().max(60)).max(20).default([]),
    messageAr: z.string().trim().max(2000).optional(),
    messageEn: z.string().trim().max(2000).optional(),
    messageUr: z.string().trim().max(2000).optional(),
  }),
  reply: partnerRecord,
  refusals: [
    'NotFound',
    'ProviderActionNotAllowed',
    'ProviderHasChanged',
    'ReasonRequired',
    'MessageIncomplete',
  ],
});
