import { z } from 'zod';
import { formProblemCodes } from '../forms/check-conditions.ts';
import {
  agencyAdministrators,
  agencyContentReaders,
  agencyEditors,
  defineCall,
} from '../wire/call.ts';
import {
  recordId,
  recordIdInAddress,
  recordVersion,
  recordVersionInAddress,
  versionOrNew,
} from '../wire/ids.ts';
import { draftText, languages, localizedText } from '../wire/languages.ts';
import { fils } from '../wire/money.ts';
import { pageNumber, pageOf, take } from '../wire/paging.ts';
import { feeProblemCodes } from './check-fees.ts';
import { draftDocument, maximumDocumentLength } from './service-document.ts';

/** Problems of a service beside those of its form; each is a translation key under `problems`. */
export const documentProblemCodes = [
  'textMissing',
  'sameAsEnglish',
  'wrongScript',
  'placeholder',
  'muchLonger',
  'nameUnusable',
  'shapeWrong',
  'formEmpty',
  'stepEmpty',
  'feeNegative',
  ...feeProblemCodes,
  'vatUnusable',
  'accountTypeMissing',
  'accountTypeUnknown',
  'agencyMissing',
  'categoryMissing',
  'workflowUnknown',
  'addressUnusable',
  'addressTaken',
  'addressFixed',
  'stepsMissing',
  'documentNameTwice',
  'mediaTypesMissing',
  'eligibilityUnusable',
  'elsewhereUnknown',
  'workingDaysUnusable',
  'objectionDaysUnusable',
  'availabilityReversed',
  'availabilityOver',
  'noWorkingDays',
  'longStep',
] as const;
export type DesignProblemCode =
  | (typeof documentProblemCodes)[number]
  | (typeof formProblemCodes)[number];

/**
 * A problem of a draft. An error prevents publishing, a warning does not. `place` is the path in
 * the document, such as `form.steps.0.fields.2.title`; `params` fill the text of `code`.
 */
export const designProblem = z.object({
  severity: z.enum(['error', 'warning']),
  code: z.enum([...documentProblemCodes, ...formProblemCodes]),
  place: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
});
export type DesignProblem = z.infer<typeof designProblem>;

/** What a code in the values of a difference is called: an agency, a question with its choices. */
export const namedCode = z.object({
  code: z.string(),
  title: draftText,
  kind: z.string().optional(),
  oneOf: z.array(z.object({ const: z.string(), title: draftText })).optional(),
});
export type NamedCode = z.infer<typeof namedCode>;

/**
 * Which part of a document differs. `path` names it from outside in, by titles in all languages: a
 * step, a field, a fee. A moved part has new neighbours only. `fieldKind` is the kind of the field,
 * `named` says what the codes in its values are called.
 */
export const differencePlace = z.object({
  kind: z.enum(['added', 'removed', 'changed', 'moved']),
  part: z.string(),
  path: z.array(draftText),
  fieldKind: z.string().optional(),
  named: z.array(namedCode).optional(),
});
export type DifferencePlace = z.infer<typeof differencePlace>;

/**
 * One difference between two documents. `property` is a property of the part, a translation key
 * under `properties`; `language` the language of a text.
 */
export const designDifference = differencePlace.extend({
  property: z.string().optional(),
  language: z.enum(languages).optional(),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
});
export type DesignDifference = z.infer<typeof designDifference>;

const serviceId = recordIdInAddress;
const version = versionOrNew;

/** A fee that a publication changes; without `before` it is new, without `after` it goes. In fils. */
export const feeChange = z.object({
  title: localizedText,
  before: fils.optional(),
  after: fils.optional(),
  /** Of a fee by percentage, in basis points; `before` and `after` are then its least amounts. */
  rateBefore: z.int().optional(),
  rateAfter: z.int().optional(),
});
export type FeeChange = z.infer<typeof feeChange>;

/**
 * A publication that waits for a second person, because it changes fees by more than one person may
 * (`FEE_APPROVAL_ABOVE`). `restoredFrom`: an earlier version is to be published again, else the draft.
 * `publishAt`: when, else as soon as it is confirmed.
 */
export const waitingPublication = z.object({
  id: z.int(),
  askedBy: z.string(),
  isOwn: z.boolean(),
  askedAt: z.iso.datetime(),
  publishAt: z.iso.datetime().optional(),
  restoredFrom: z.int().optional(),
  fees: z.array(feeChange),
});
export type WaitingPublication = z.infer<typeof waitingPublication>;

/**
 * The open requests of a service that go to another agency: `isMoving`, those that have not followed
 * yet; else those that will move when the draft is published.
 */
const agencyMove = z.object({
  agencyName: z.string(),
  openRequests: z.int(),
  isMoving: z.boolean(),
});

/**
 * A service as its designer sees it. `version` is the number of saves of the draft, 0 where there is
 * none: `document` is then the published one. `isOutdated`: the published service was changed
 * elsewhere since the draft began. `publishProblem`: the refusal of the last publication at a set
 * time.
 */
export const serviceDesign = z.object({
  serviceId: z.int(),
  document: draftDocument,
  version,
  savedAt: z.iso.datetime().optional(),
  savedBy: z.string().optional(),
  isPublished: z.boolean(),
  isRetired: z.boolean(),
  isOutdated: z.boolean(),
  publishAt: z.iso.datetime().optional(),
  publishProblem: z.string().optional(),
  waiting: waitingPublication.optional(),
  agencyMove: agencyMove.optional(),
  problems: z.array(designProblem),
});
export type ServiceDesign = z.infer<typeof serviceDesign>;

/** How a published version came about: `outside` is an import, a bulk change or the first state. */
export const versionOrigins = ['designer', 'outside', 'restored'] as const;
export type VersionOrigin = (typeof versionOrigins)[number];

/** All calls of this file are our own: decision 0070. */
export const getServiceDesigns = defineCall({
  name: 'getServiceDesigns',
  method: 'GET',
  path: '/api/ServiceDesign/GetServiceDesigns',
  who: agencyContentReaders,
  byAgency: 'reply',
  summary: 'The drafts of services, last saved first',
  reply: z.array(
    z.object({
      serviceId: z.int(),
      name: draftText,
      isPublished: z.boolean(),
      savedAt: z.iso.datetime(),
      savedBy: z.string().optional(),
      publishAt: z.iso.datetime().optional(),
    }),
  ),
  refusals: [],
});
/** Services that are retired, the last one first; `name` is in the caller's language. */
export const retiredService = z.object({
  serviceId: z.int(),
  name: z.string(),
  agencyName: z.string(),
  retiredAt: z.iso.datetime(),
});
export type RetiredService = z.infer<typeof retiredService>;

export const getRetiredServices = defineCall({
  name: 'getRetiredServices',
  method: 'GET',
  path: '/api/ServiceDesign/GetRetiredServices',
  who: agencyContentReaders,
  byAgency: 'reply',
  summary: 'Services that are no longer offered and can be offered again',
  query: z.object({
    SearchKeyword: z.string().max(200).optional(),
    PageNumber: pageNumber,
    Take: take,
  }),
  reply: pageOf(retiredService),
  refusals: [],
});

export const getServiceDesign = defineCall({
  name: 'getServiceDesign',
  method: 'GET',
  path: '/api/ServiceDesign/GetServiceDesign',
  who: agencyContentReaders,
  byAgency: { service: 'serviceId' },
  summary: 'A service as a document: its draft, else what is published',
  query: z.object({ serviceId }),
  reply: serviceDesign,
  refusals: ['ServiceNotFound'],
});
/** The templates of new services; each is a translation key under `templates`. */
export const serviceTemplates = ['blank', 'certificate', 'permit', 'renewal', 'objection'] as const;
export const createServiceDraft = defineCall({
  name: 'createServiceDraft',
  method: 'POST',
  path: '/api/ServiceDesign/CreateServiceDraft',
  who: agencyEditors,
  byAgency: { service: 'copyOf', agency: 'agencyId' },
  summary: 'Begin a new service, from a template or as a copy of another service',
  body: z.object({
    template: z.enum(serviceTemplates).optional(),
    copyOf: serviceId.optional(),
    /** The agency of the new service; an administrator of several agencies chooses one. */
    agencyId: recordId.optional(),
  }),
  reply: z.object({ serviceId: z.int() }),
  refusals: ['ServiceNotFound'],
});
/**
 * `version` is the one that was read, 0 for the first save of a published service; `document` is a
 * `DraftDocument` as JSON text, because a form may be deeper than other input.
 */
export const saveServiceDraft = defineCall({
  name: 'saveServiceDraft',
  method: 'POST',
  repeats: 'harmless',
  path: '/api/ServiceDesign/SaveServiceDraft',
  who: agencyEditors,
  byAgency: { service: 'serviceId' },
  summary: 'Save the draft of a service, with or without problems',
  body: z.object({ serviceId, version, document: z.string().max(maximumDocumentLength) }),
  reply: serviceDesign,
  refusals: ['ServiceNotFound', 'RecordHasChanged', 'ValidationFailed'],
});
export const discardServiceDraft = defineCall({
  name: 'discardServiceDraft',
  method: 'POST',
  path: '/api/ServiceDesign/DiscardServiceDraft',
  who: agencyEditors,
  byAgency: { service: 'serviceId' },
  summary: 'Discard the draft of a service; what is published stays',
  body: z.object({ serviceId, version }),
  reply: z.object({ serviceId: z.int() }),
  refusals: ['ServiceNotFound', 'RecordHasChanged'],
});
/** Takes into the draft what was changed in the published service and not in the draft. */
export const updateServiceDraft = defineCall({
  name: 'updateServiceDraft',
  method: 'POST',
  path: '/api/ServiceDesign/UpdateServiceDraft',
  who: agencyEditors,
  byAgency: { service: 'serviceId' },
  summary: 'Take later changes of the published service into its draft',
  body: z.object({ serviceId, version }),
  reply: serviceDesign,
  refusals: ['ServiceNotFound', 'RecordHasChanged'],
});
/**
 * Publishes immediately, or at `at`. A draft with errors is refused. One that changes fees by more than
 * `FEE_APPROVAL_ABOVE` waits for a second person: decision 0136.
 */
export const publishService = defineCall({
  name: 'publishService',
  method: 'POST',
  path: '/api/ServiceDesign/PublishService',
  who: agencyEditors,
  byAgency: { service: 'serviceId' },
  summary: 'Publish the draft of a service, now or at a time',
  body: z.object({ serviceId, version, at: z.iso.datetime().optional() }),
  reply: serviceDesign,
  refusals: [
    'ServiceNotFound',
    'RecordHasChanged',
    'ServiceHasProblems',
    'ServiceDraftOutdated',
    'PublicationTimePassed',
  ],
});
export const cancelPublication = defineCall({
  name: 'cancelPublication',
  method: 'POST',
  path: '/api/ServiceDesign/CancelPublication',
  who: agencyEditors,
  byAgency: { service: 'serviceId' },
  summary: 'Cancel a publication at a set time, or one that waits for a second person',
  body: z.object({ serviceId, version }),
  reply: serviceDesign,
  refusals: ['ServiceNotFound', 'RecordHasChanged'],
});
/** The publications that wait for a second person, the oldest first. */
export const getWaitingPublications = defineCall({
  name: 'getWaitingPublications',
  method: 'GET',
  path: '/api/ServiceDesign/GetWaitingPublications',
  who: agencyContentReaders,
  byAgency: 'reply',
  summary: 'Publications of services with other fees that wait for a second person',
  reply: z.array(
    z.object({
      serviceId: z.int(),
      name: draftText,
      askedBy: z.string(),
      isOwn: z.boolean(),
      askedAt: z.iso.datetime(),
    }),
  ),
  refusals: [],
});
export const decidePublication = defineCall({
  name: 'decidePublication',
  method: 'POST',
  path: '/api/ServiceDesign/DecidePublication',
  who: agencyAdministrators,
  byAgency: { service: 'serviceId' },
  summary: 'Confirm or refuse a publication that waits for a second person',
  body: z.object({
    serviceId,
    id: recordId,
    isConfirmed: z.boolean(),
  }),
  reply: serviceDesign,
  refusals: [
    'ServiceNotFound',
    'NotFound',
    'DecisionNotPossible',
    'DecisionNeedsSecondPerson',
    'SecondPersonNotIndependent',
    'ServiceHasProblems',
    'ServiceDraftOutdated',
  ],
});
export const getServiceVersions = defineCall({
  name: 'getServiceVersions',
  method: 'GET',
  path: '/api/ServiceDesign/GetServiceVersions',
  who: agencyContentReaders,
  byAgency: { service: 'serviceId' },
  summary: 'The published versions of a service, newest first',
  query: z.object({ serviceId }),
  reply: z.array(
    z.object({
      number: z.int(),
      origin: z.enum(versionOrigins),
      restoredFrom: z.int().optional(),
      at: z.iso.datetime(),
      by: z.string().optional(),
      /** The second person, where one confirmed what `by` asked for; older versions have no times. */
      confirmation: z
        .object({
          by: z.string(),
          at: z.iso.datetime().optional(),
          askedAt: z.iso.datetime().optional(),
        })
        .optional(),
    }),
  ),
  refusals: ['ServiceNotFound'],
});
/** Without `from` the published service; without `to` the draft, else the published service. */
export const compareServiceVersions = defineCall({
  name: 'compareServiceVersions',
  method: 'GET',
  path: '/api/ServiceDesign/CompareServiceVersions',
  who: agencyContentReaders,
  byAgency: { service: 'serviceId' },
  summary: 'The differences between two versions of a service, or its draft',
  query: z.object({
    serviceId,
    from: recordVersionInAddress.optional(),
    to: recordVersionInAddress.optional(),
  }),
  reply: z.array(designDifference),
  refusals: ['ServiceNotFound', 'NotFound'],
});
export const restoreServiceVersion = defineCall({
  name: 'restoreServiceVersion',
  method: 'POST',
  path: '/api/ServiceDesign/RestoreServiceVersion',
  who: agencyEditors,
  byAgency: { service: 'serviceId' },
  summary: 'Publish an earlier version of a service again; its draft stays',
  body: z.object({ serviceId, number: recordVersion }),
  reply: serviceDesign,
  refusals: ['ServiceNotFound', 'NotFound', 'ServiceHasProblems'],
});
/** The counterpart of DeleteService, which retires a service. */
export const restoreService = defineCall({
  name: 'restoreService',
  method: 'POST',
  path: '/api/ServiceDesign/RestoreService',
  who: agencyEditors,
  byAgency: { service: 'serviceId' },
  summary: 'Offer a retired service again',
  body: z.object({ serviceId }),
  reply: serviceDesign,
  refusals: ['ServiceNotFound'],
});
