import { z } from 'zod';
import { governmentAgency } from '../catalogue/agencies.ts';
import { defineCall, type Role } from '../wire/call.ts';
import { sentAnswers } from '../forms/forms.ts';

const owners: readonly Role[] = ['Client', 'CompanyUser'];

/** The most bytes that one save may have. */
export const mostDraftBytes = 256 * 1024;

/** Why something marked stays as it is, by the key of its mark (`markKey`). */
const explanations = z.record(z.string().max(240), z.string());

const serviceId = z.coerce.number().int().min(1);
const times = { savedAt: z.string(), keptUntil: z.string() };

/** A document that a draft holds: its content is whole and waits for the request. */
const draftDocument = z.object({
  attachmentId: z.uuid(),
  name: z.string(),
  fileName: z.string(),
  mediaType: z.string(),
  size: z.int(),
});

/**
 * How the service's form differs from the one that a draft was written for; `title` is the field's,
 * in the caller's language. `removed` takes an answer with it, `changed` no longer takes it as it
 * is.
 */
const formChange = z.object({ kind: z.enum(['added', 'removed', 'changed']), title: z.string() });

/**
 * A request that is being written, or a returned one that is being mended. `answers` are as they
 * were typed, right or wrong; `passed` names the stages that were gone
 * through (of one that is mended, `rest` where more than what is marked is open). `revision` counts
 * the saves: send it back with the next one. Times are ISO 8601 in UTC; on `keptUntil` it is thrown
 * away unless it is saved again.
 */
export const draft = z.object({
  draftId: z.uuid(),
  serviceId: z.int(),
  revision: z.int().min(1),
  answers: sentAnswers,
  explanations,
  documents: z.array(draftDocument),
  passed: z.array(z.string()),
  ...times,
  formChanges: z.array(formChange),
});
export type SavedDraft = z.infer<typeof draft>;

/**
 * A draft in a list. `done` of `total` parts were gone through; the review is none of them. Without
 * `isOffered` the service can no longer be asked for. `mends`: it is the mending of this returned
 * request; it has no parts.
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
  mends: z.object({ requestId: z.int(), requestNumber: z.string() }).optional(),
});
export type DraftSummary = z.infer<typeof draftSummary>;

/** Where a suggested answer comes from. */
export const prefillOrigins = ['profile', 'uaePass', 'earlierRequest'] as const;
export type PrefillOrigin = (typeof prefillOrigins)[number];

/**
 * Our own calls, all of them; drafts are their writer's alone, also within a company. With
 * `requestId` it is the mending of that returned request: only for whoever may mend it, and it ends
 * with the next step of the request. Decisions 0021, 0029.
 */
export const getDrafts = defineCall({
  name: 'getDrafts',
  method: 'GET',
  path: '/api/Draft/GetDrafts',
  who: owners,
  summary: 'The caller’s drafts, last saved first',
  reply: z.array(draftSummary),
  refusals: [],
});
export const getDraft = defineCall({
  name: 'getDraft',
  method: 'GET',
  path: '/api/Draft/GetDraft',
  who: owners,
  summary: 'The caller’s draft for a service, or for mending a returned request, if there is one',
  query: z.object({ serviceId, requestId: z.coerce.number().int().min(1).optional() }),
  reply: z.object({ draft: draft.optional() }),
  refusals: ['ServiceNotFound', 'RequestNotFound', 'ActionNotAllowed'],
});

/**
 * Saves a draft whole. `draftId` is made by whoever writes, so that a save can be sent again;
 * `revision` is the one that was read, 0 for a new draft. A save on another
 * one than the newest is refused by `DraftHasChanged`, and the caller reads and merges. What the
 * form cannot hold is kept out and named in `leftOut`. `version` is
 * that of the request to mend; with another one than the newest nothing is kept
 * (`VersionHasChanged`).
 */
export const saveDraft = defineCall({
  name: 'saveDraft',
  method: 'POST',
  path: '/api/Draft/SaveDraft',
  who: owners,
  summary: 'Keep what was typed so far, right or wrong',
  body: z.object({
    draftId: z.uuid(),
    serviceId: z.int().min(1),
    requestId: z.int().min(1).optional(),
    version: z.int().min(1).optional(),
    revision: z.int().min(0),
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
  who: owners,
  summary: 'Throw a draft away; for a day it can be taken back',
  body: z.object({ draftId: z.uuid() }),
  reply: z.object({ draftId: z.uuid() }),
  refusals: ['DraftNotFound'],
});
export const restoreDraft = defineCall({
  name: 'restoreDraft',
  method: 'POST',
  path: '/api/Draft/RestoreDraft',
  who: owners,
  summary:
    'Take a discarded draft back, unless another one for the same service or request was begun',
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
 * `isAgreed`: the person lets us suggest what they gave with earlier requests; `hasEarlier`: there
 * would be something. `requestNumber` says with which.
 */
export const getPrefill = defineCall({
  name: 'getPrefill',
  method: 'GET',
  path: '/api/Draft/GetPrefill',
  who: owners,
  summary: 'Answers that the portal knows already, by field, each with where it comes from',
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
  who: owners,
  summary: 'Agree that earlier answers are suggested again, or take that back',
  body: z.object({ isAgreed: z.boolean() }),
  reply: z.object({ isAgreed: z.boolean() }),
  refusals: [],
});
