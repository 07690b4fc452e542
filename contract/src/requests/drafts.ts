import { z } from 'zod';
import { governmentAgency } from '../catalogue/agencies.ts';
import { closure } from '../catalogue/closures.ts';
import { sentAnswers } from '../forms/forms.ts';
import { applicants, defineCall } from '../wire/call.ts';
import {
  longId,
  longIdInAddress,
  recordId,
  recordIdInAddress,
  recordVersion,
  versionOrNew,
} from '../wire/ids.ts';

/** The largest size of one save, in bytes. */
export const maximumDraftBytes = 256 * 1024;

/** The explanations why something marked stays unchanged, by the key of the mark (`markKey`). */
const explanations = z.record(z.string().max(240), z.string());

const serviceId = recordIdInAddress;
const times = { savedAt: z.string(), keptUntil: z.string() };

/** A document of a draft. Its content is complete and is not part of a request yet. */
const draftDocument = z.object({
  attachmentId: z.uuid(),
  name: z.string(),
  fileName: z.string(),
  mediaType: z.string(),
  size: z.int(),
});

/**
 * A difference between the current form of the service and the form for which the draft was
 * written; `title` is the field's, in the caller's language. With `removed` the answer is dropped;
 * with `changed` the answer is no longer valid.
 */
const formChange = z.object({ kind: z.enum(['added', 'removed', 'changed']), title: z.string() });

/**
 * A draft of a new request, or of the correction of a returned one. `answers` are as the user typed
 * them, valid or not; `passed` names the completed stages (of a correction, `rest` where the fields
 * without marks are open too). `revision` counts the saves: send it back with the next one. Times
 * are ISO 8601 in UTC; at `keptUntil` the draft is deleted unless it is saved again.
 */
export const draft = z.object({
  draftId: z.uuid(),
  serviceId: z.int(),
  revision: recordVersion,
  answers: sentAnswers,
  explanations,
  documents: z.array(draftDocument),
  passed: z.array(z.string()),
  ...times,
  formChanges: z.array(formChange),
});
export type SavedDraft = z.infer<typeof draft>;

/**
 * A draft in a list. The user completed `done` of `total` parts; the review does not count. Without
 * `isOffered` the service is no longer available; with `closure` it takes no new requests now.
 * `corrects`: the draft is the correction of this
 * returned request; it has no parts.
 */
export const draftSummary = z.object({
  draftId: z.uuid(),
  serviceId: z.int(),
  serviceName: z.string(),
  replacedName: z.string(),
  governmentAgency,
  done: z.int(),
  total: z.int(),
  ...times,
  isOffered: z.boolean(),
  closure: closure.optional(),
  corrects: z.object({ requestId: z.int(), requestNumber: z.string() }).optional(),
});
export type DraftSummary = z.infer<typeof draftSummary>;

/** The sources of a suggested answer. */
export const prefillOrigins = ['profile', 'uaePass', 'earlierRequest'] as const;
export type PrefillOrigin = (typeof prefillOrigins)[number];

/**
 * All of them are our own calls. A draft belongs to its author only, also within a company. With
 * `requestId` it is the correction of that returned request: only for callers who may correct it,
 * and it ends with the next step of the request. Decisions 0021, 0029.
 */
export const getDrafts = defineCall({
  name: 'getDrafts',
  method: 'GET',
  path: '/api/Draft/GetDrafts',
  who: applicants,
  summary: 'The caller’s drafts, last saved first',
  reply: z.array(draftSummary),
  refusals: [],
});
export const getDraft = defineCall({
  name: 'getDraft',
  method: 'GET',
  path: '/api/Draft/GetDraft',
  who: applicants,
  summary:
    'The caller’s draft for a service, or for the correction of a returned request, if there is one',
  query: z.object({ serviceId, requestId: longIdInAddress.optional() }),
  reply: z.object({ draft: draft.optional() }),
  refusals: ['ServiceNotFound', 'RequestNotFound', 'ActionNotAllowed'],
});

/**
 * Saves a whole draft. The browser makes `draftId`, so that a save can be repeated; `revision` is
 * the one that the browser read, 0 for a new draft. A save with an outdated revision is refused
 * with `DraftHasChanged`, and the browser reads and merges. Answers that the form does not have are
 * not stored and are named in `leftOut`; nor are those of special data in a draft of a new request
 * before its author consents (`draftConsent` in `passed`). `version` is that of the request to correct; with an
 * outdated version nothing is stored (`VersionHasChanged`).
 */
export const saveDraft = defineCall({
  name: 'saveDraft',
  method: 'POST',
  repeats: 'harmless',
  path: '/api/Draft/SaveDraft',
  who: applicants,
  summary: 'Save the answers so far, valid or not',
  body: z.object({
    draftId: z.uuid(),
    serviceId: recordId,
    requestId: longId.optional(),
    version: recordVersion.optional(),
    revision: versionOrNew,
    answers: sentAnswers,
    explanations: explanations.optional(),
    attachmentIds: z.array(z.uuid()).max(50),
    passed: z.array(z.string().max(60)).max(100),
  }),
  reply: z.object({ draftId: z.uuid(), revision: z.int(), ...times, leftOut: z.array(z.string()) }),
  refusals: [
    'ServiceNotFound',
    'ValidationFailed',
    'DraftHasChanged',
    'DraftAlreadySent',
    'DraftNotFound',
    'DraftLimitReached',
    'RequestNotFound',
    'ActionNotAllowed',
    'VersionHasChanged',
    'TooManyRequests',
  ],
});
export const discardDraft = defineCall({
  name: 'discardDraft',
  method: 'POST',
  path: '/api/Draft/DiscardDraft',
  who: applicants,
  summary: 'Discard a draft; it can be restored for a day',
  body: z.object({ draftId: z.uuid() }),
  reply: z.object({ draftId: z.uuid() }),
  refusals: ['DraftNotFound'],
});
export const restoreDraft = defineCall({
  name: 'restoreDraft',
  method: 'POST',
  path: '/api/Draft/RestoreDraft',
  who: applicants,
  summary: 'Restore a discarded draft, unless there is another one for the same service or request',
  body: z.object({ draftId: z.uuid() }),
  reply: z.object({ draftId: z.uuid() }),
  refusals: [
    'DraftNotFound',
    'DraftHasChanged',
    'DraftLimitReached',
    'RequestNotFound',
    'ActionNotAllowed',
  ],
});

/**
 * `isAgreed`: the user agreed to suggestions from earlier requests; `hasEarlier`: there are such
 * suggestions. `requestNumber` is the number of that earlier request.
 */
export const getPrefill = defineCall({
  name: 'getPrefill',
  method: 'GET',
  path: '/api/Draft/GetPrefill',
  who: applicants,
  summary: 'Suggested answers by field, each with its source',
  query: z.object({ serviceId }),
  reply: z.object({
    fields: z.array(
      z.object({
        name: z.string(),
        value: z.unknown(),
        origin: z.enum(prefillOrigins),
        requestNumber: z.string().optional(),
      }),
    ),
    isAgreed: z.boolean(),
    hasEarlier: z.boolean(),
  }),
  refusals: ['ServiceNotFound'],
});
export const setPrefillConsent = defineCall({
  name: 'setPrefillConsent',
  method: 'POST',
  path: '/api/Draft/SetPrefillConsent',
  who: applicants,
  summary: 'Agree to suggestions from earlier requests, or withdraw the agreement',
  body: z.object({ isAgreed: z.boolean() }),
  reply: z.object({ isAgreed: z.boolean() }),
  refusals: [],
});
