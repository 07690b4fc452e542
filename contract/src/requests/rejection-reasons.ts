import { z } from 'zod';
import { usualKeys } from '../content/attachment-types.ts';
import {
  agencyContentReaders,
  agencyEditors,
  contentReaders,
  defineCall,
  editors,
  staffAndProviders,
} from '../wire/call.ts';
import { longIdsInAddress, recordId, recordVersion } from '../wire/ids.ts';
import { localizedText, type Language } from '../wire/languages.ts';
import { maximumBulkRequests } from './request-actions.ts';

/** What a reason explains: a return or rejection, an added fine, or an added administrative fee. */
export const reasonKinds = ['correction', 'fine', 'fee'] as const;
export type ReasonKind = (typeof reasonKinds)[number];

/** What a reason to return or reject is about; without one of these, about anything. */
export const reasonSubjects = ['answer', 'document', 'request'] as const;
export type ReasonSubject = (typeof reasonSubjects)[number];

/**
 * A reason as an admin sees it. A retired reason can no longer be chosen; requests that have it
 * still show it. One of an agency can be chosen for the requests of this agency only.
 */
export const reasonRecord = z.object({
  id: z.int(),
  kind: z.enum(reasonKinds),
  names: localizedText,
  about: z.enum(reasonSubjects).optional(),
  agency: z.object({ id: z.int(), name: z.string() }).optional(),
  isRetired: z.boolean(),
  version: z.int(),
});
export type ReasonRecord = z.infer<typeof reasonRecord>;

/** The longest name of a reason in one language, in characters. */
export const maximumReasonNameLength = 200;
const name = z.string().trim().max(maximumReasonNameLength);

/**
 * The input of an admin: without `id` a new reason; with `id` the new names of that reason, and
 * whether it is retired.
 */
export const reasonChange = z.object({
  id: recordId.optional(),
  version: recordVersion.optional(),
  /** Of a new reason; `correction` without it. A reason keeps its kind. */
  kind: z.enum(reasonKinds).optional(),
  /**
   * Of a new reason: the agency whose requests it is for, as it is for an agency administrator; who has
   * several chooses. A reason keeps its agency.
   */
  agencyId: recordId.optional(),
  /** Of a reason to return or reject; without it, it is about anything. */
  about: z.enum(reasonSubjects).optional(),
  nameAr: name,
  nameEn: name,
  nameUr: name,
  isRetired: z.boolean().optional(),
});
export type ReasonChange = z.infer<typeof reasonChange>;

/** The field of a change that holds the name in a language. */
export const nameFields = {
  'ar-EG': 'nameAr',
  'en-US': 'nameEn',
  'ur-PK': 'nameUr',
} as const satisfies Record<Language, keyof ReasonChange>;

/** Our own calls: the specification shows the page, not its calls. See docs/unknowns.md. */
export const getAllRejectionReasons = defineCall({
  name: 'getAllRejectionReasons',
  method: 'GET',
  path: '/api/RejectionReason/GetAllRejectionReasons',
  who: agencyContentReaders,
  byAgency: 'reply',
  summary: 'The reasons that the caller manages in three languages, retired ones too',
  reply: z.array(reasonRecord),
  refusals: [],
});
export const saveRejectionReason = defineCall({
  name: 'saveRejectionReason',
  method: 'POST',
  path: '/api/RejectionReason/SaveRejectionReason',
  who: agencyEditors,
  byAgency: { agency: 'agencyId', rejectionReason: 'id' },
  summary: 'Add, rename, retire or restore a reason; answers every reason of the caller',
  body: reasonChange,
  reply: z.array(reasonRecord),
  refusals: ['NotFound', 'RejectionReasonNotFound', 'RecordHasChanged', 'ValidationFailed'],
});
/** Reasons that many portals use; `isThere`: the portal has it, perhaps retired. Our own calls. */
export const usualReason = z.object({
  key: z.int(),
  kind: z.enum(reasonKinds),
  name: localizedText,
  isThere: z.boolean(),
});
export const getUsualReasons = defineCall({
  name: 'getUsualReasons',
  method: 'GET',
  path: '/api/RejectionReason/GetUsualReasons',
  who: contentReaders,
  summary: 'Reasons that many portals use, to choose from',
  reply: z.array(usualReason),
  refusals: [],
});
export const addUsualReasons = defineCall({
  name: 'addUsualReasons',
  method: 'POST',
  path: '/api/RejectionReason/AddUsualReasons',
  who: editors,
  summary: 'Add chosen usual reasons; those that are there stay as they are; answers every reason',
  body: z.strictObject({ keys: usualKeys }),
  reply: z.array(reasonRecord),
  refusals: [],
});
/**
 * Those for all agencies; with `RequestIds` also those of the agency of these requests, if the caller
 * sees them and all are of one agency. `RequestIds` is our own parameter.
 */
const reasonsQuery = z.object({
  RequestIds: longIdsInAddress(maximumBulkRequests).optional(),
});
export const rejectionReasonCollection = defineCall({
  name: 'rejectionReasonCollection',
  method: 'GET',
  path: '/api/RejectionReason/RejectionReasonCollection',
  who: staffAndProviders,
  summary: 'Reasons to return or reject a request',
  query: reasonsQuery,
  reply: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      names: localizedText,
      about: z.enum(reasonSubjects).optional(),
    }),
  ),
  refusals: [],
});
/** Our own call: docs/unknowns.md. */
export const chargeReasonCollection = defineCall({
  name: 'chargeReasonCollection',
  method: 'GET',
  path: '/api/RejectionReason/ChargeReasonCollection',
  who: staffAndProviders,
  summary: 'Reasons for fines and fees that an action adds',
  query: reasonsQuery,
  reply: z.array(
    z.object({
      id: z.int(),
      kind: z.enum(['fine', 'fee']),
      name: z.string(),
      names: localizedText,
    }),
  ),
  refusals: [],
});
