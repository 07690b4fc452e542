import { z } from 'zod';
import { governmentAgency } from '../catalogue/agencies.ts';
import { requestCertificate } from '../content/issued-certificates.ts';
import { legalPageNames } from '../content/legal-pages.ts';
import { answers, attachmentRule, serviceForm, specialData } from '../forms/forms.ts';
import { actedFor } from '../people/acting.ts';
import { partnerStates } from '../people/partner-states.ts';
import { applicants, defineCall, requestReadersAndProviders, signedIn } from '../wire/call.ts';
import { longIdInAddress } from '../wire/ids.ts';
import { languages } from '../wire/languages.ts';
import { discountStates, fils, quote } from '../wire/money.ts';
import { actionInputs, requestActions } from './actions.ts';
import { attachment } from './attachments.ts';
import { stepNotification } from './messages.ts';
import { payment } from './payments.ts';
import { requestRefund } from './request-costs.ts';
import { correction, shownMark } from './return-marks.ts';
import { actorKinds, historyActions, statusFields, statusTones } from './workflow.ts';

const requestId = longIdInAddress;

/**
 * A request as lists show it. `allowedActions` holds the actions that the caller may perform now.
 * Times are ISO 8601 in UTC; money is in fils.
 */
export const requestSummary = z.object({
  requestId: z.int(),
  requestNumber: z.string(),
  serviceId: z.int(),
  serviceName: z.string(),
  governmentAgency,
  ...statusFields,
  applicantName: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  total: fils,
  version: z.int(),
  /** The part of `total` that is not paid yet. */
  due: fils,
  /**
   * The due date, a day in Asia/Dubai: the working days of the service when the request was sent, by
   * the calendar of its agency, counted from the last submission, payment or correction; for staff the
   * time limit of the status where that ends earlier. Present only while the request is being processed.
   */
  promisedBy: z.iso.date().optional(),
  /** The working days from today to the due date; negative after it. Present with `promisedBy`. */
  workingDaysLeft: z.int().optional(),
  /**
   * Present while it is on hold: the day in Asia/Dubai on which work continues, and why not before, in
   * the caller's language. It has no due date then.
   */
  onHold: z.object({ until: z.iso.date(), reason: z.string() }).optional(),
  /** The employee who works on it, for clerks and admins only; missing while it has none. */
  holder: z.object({ name: z.string(), isYou: z.boolean() }).optional(),
  /** The person who sent it on behalf of somebody else: A for B. */
  sentBy: z.object({ name: z.string(), actedFor }).optional(),
  /**
   * The caller sent it for its owner at the counter and may not process it. Present only where the
   * deployment has that rule.
   */
  isOwnCounterRequest: z.literal(true).optional(),
  /** The caller approved it, and the workflow leaves what follows to another person. */
  needsAnotherApprover: z.literal(true).optional(),
  allowedActions: z.array(z.enum(requestActions)),
});
export type RequestSummary = z.infer<typeof requestSummary>;

/**
 * One step of a request's history. `actorName` is empty where the caller may not see the actor;
 * `message` and `reasons` are in the caller's language. `schedule`: the day had come until which it was
 * on hold, or the calendar has changed. Of `reassign`, which only staff see, the message is the name of
 * the new holder; of `reschedule` it says how the promised day moved, and why; of
 * `transfer`, from which agency to which.
 */
export const historyEntry = z.object({
  action: z.enum(historyActions),
  fromStatusName: z.string().optional(),
  ...statusFields,
  actorKind: z.enum(['you', ...actorKinds]),
  actorName: z.string(),
  /** The person for whom the actor acted; `actorKind` is `employee` at a counter. */
  actedFor: actedFor.optional(),
  /** For clerks and administrators: the second person, who confirmed the fines and fees of the step. */
  confirmedBy: z.string().optional(),
  reasons: z.array(z.string()),
  message: z.string(),
  at: z.string(),
  /** How the applicant was notified; missing for steps that notify nobody. */
  notice: stepNotification.optional(),
  /** The amount that the step added to the cost, in fils. */
  charged: fils.optional(),
  /** The day until which the step put the request on hold. */
  holdUntil: z.iso.date().optional(),
  /** What a return asks the applicant to correct. */
  marks: z.array(shownMark),
  /** What an update changed. */
  correction: correction.optional(),
});
export type HistoryEntry = z.infer<typeof historyEntry>;

/**
 * A discount of a request: `amount` is what it takes off, VAT included, in fils; `attachmentName` names
 * the document that claims it; `decidedBy` is the clerk who confirmed or refused it.
 */
export const requestDiscount = z.object({
  rule: z.string(),
  title: z.string(),
  amount: fils,
  state: z.enum(discountStates),
  attachmentName: z.string().optional(),
  decidedBy: z.string().optional(),
  decidedAt: z.string().optional(),
});
export type RequestDiscount = z.infer<typeof requestDiscount>;

/**
 * The whole record. An action that sends `version` back is refused when another caller changed the
 * request in the meantime. `requestLink` opens the request without showing its number, and only for
 * callers who may see the request.
 */
export const requestRecord = requestSummary.extend({
  statusDescription: z.string(),
  replacedName: z.string(),
  requestLink: z.url(),
  /** For staff only, and only while the service provider of the request is not active. */
  serviceProviderState: z.enum(partnerStates).optional(),
  form: serviceForm,
  answers,
  attachmentRules: z.array(attachmentRule),
  attachments: z.array(attachment),
  fees: quote,
  /** For staff only, and only where there are discounts. */
  discounts: z.array(requestDiscount).optional(),
  payments: z.array(payment),
  history: z.array(historyEntry),
  /** The actions of this caller that may add fines and fees. */
  chargingActions: z.array(z.enum(requestActions)),
  /** What the workflow requires of the actions of this caller. */
  requiredInputs: z.partialRecord(z.enum(requestActions), z.array(z.enum(actionInputs))),
  /** For staff: whether it can only be completed with a result document. */
  isResultRequired: z.boolean().optional(),
  /** For staff: whether a certificate is issued when it is completed. */
  issuesCertificate: z.boolean().optional(),
  /** The certificate that was issued. */
  certificate: requestCertificate.optional(),
  /** For staff: the language of the applicant's messages, which a text to the applicant needs. */
  applicantLanguage: z.enum(languages).optional(),
  /** The VAT rate of added administrative fees, in basis points. */
  addedFeeVatRate: z.int(),
  /** Opened by the urgent right, for reading only: until when, ISO 8601 in UTC. */
  openedUrgentlyUntil: z.string().optional(),
  /**
   * For staff: an action that takes effect in `actsInMs` unless it is undone, or when a second person
   * confirms its charge. Until then `allowedActions` is empty.
   */
  heldAction: z
    .object({
      action: z.enum(requestActions),
      name: z.string(),
      isYou: z.boolean(),
      actsInMs: z.int(),
      /** For who may read money: what a second person must confirm before it takes effect, in fils. */
      waiting: z.object({ heldActionId: z.int(), amount: fils }).optional(),
    })
    .optional(),
  /** Documents that a correction replaced. */
  earlierAttachments: z.array(attachment),
  /** Present when the request ended without a result and fees are refundable. */
  refund: requestRefund.optional(),
  /**
   * The versions of the terms and of the privacy policy that it was sent under; `id` names them at
   * `/legal/<id>`. Empty for requests from before versions were kept.
   */
  sentUnder: z.array(
    z.object({ page: z.enum(legalPageNames), id: z.int(), publishedAt: z.iso.datetime() }),
  ),
  /**
   * What the applicant consented to beside sending it: kinds of special data, each with its time and the
   * version of the privacy policy; without it in the demo data.
   */
  specialConsents: z
    .array(
      z.object({ kind: z.enum(specialData), at: z.iso.datetime(), versionId: z.int().optional() }),
    )
    .optional(),
  /** For its owner and the portal's staff: the last day, in Asia/Dubai, to object to the latest decision. */
  objectUntil: z.iso.date().optional(),
  /** For who may withdraw it, or decide on that: the paid amount and what would be paid back, in fils. */
  withdrawal: z.object({ paid: fils, refund: fils }).optional(),
});
export type RequestRecord = z.infer<typeof requestRecord>;

/**
 * The data of the correction form: the record, the marks that are not answered yet, and the
 * documents that are stored in the caller's correction draft.
 */
export const requestForUpdate = requestRecord.extend({
  openMarks: z.array(shownMark),
  keptAttachments: z.array(attachment),
});
export type RequestForUpdate = z.infer<typeof requestForUpdate>;

/**
 * The current state of a request, small enough to be polled. `statusKey` is the key in the
 * workflow; `due`, `refundable` and `refunded` are in fils; `updatedAt` is ISO 8601 in UTC.
 */
export const requestState = z.object({
  requestId: z.int(),
  requestNumber: z.string(),
  statusId: z.int(),
  statusKey: z.string(),
  statusName: z.string(),
  statusTone: z.enum(statusTones),
  version: z.int(),
  updatedAt: z.iso.datetime(),
  allowedActions: z.array(z.enum(requestActions)),
  due: fils,
  refundable: fils,
  refunded: fils,
});
export type RequestState = z.infer<typeof requestState>;

export const getRequestById = defineCall({
  name: 'getRequestById',
  method: 'GET',
  path: '/api/Request/GetRequestById',
  who: signedIn,
  summary: 'One request with everything this caller may see',
  query: z.object({ RequestId: requestId }),
  reply: requestRecord,
  refusals: ['RequestNotFound', 'ReasonForReadingRequired'],
});
export const getRequestByIdForUpdate = defineCall({
  name: 'getRequestByIdForUpdate',
  method: 'GET',
  path: '/api/Request/GetRequestByIdForUpdate',
  who: applicants,
  summary: 'An own request that can be corrected now, with the data of the correction form',
  query: z.object({ RequestId: requestId }),
  reply: requestForUpdate,
  refusals: ['RequestNotFound', 'ActionNotAllowed'],
});
export const getRequestByMerchantReference = defineCall({
  name: 'getRequestByMerchantReference',
  method: 'GET',
  path: '/api/Request/GetRequestByMerchantReference',
  who: signedIn,
  summary: 'The request of a payment, by the merchant reference',
  query: z.object({ MerchantReference: z.string().trim().min(1).max(80) }),
  reply: requestRecord,
  refusals: ['RequestNotFound', 'ReasonForReadingRequired'],
});
/** The path is the specification's (§7); the reply is our own. */
export const getRequestState = defineCall({
  name: 'getRequestState',
  method: 'GET',
  path: '/api/Request/GetRequestState',
  who: signedIn,
  summary: 'The status and version of a request, and what the caller may do with it',
  query: z.object({ RequestId: requestId }),
  reply: requestState,
  refusals: ['RequestNotFound'],
});
/** Our own: who has the request open in the portal at the moment. */
export const getRequestViewers = defineCall({
  name: 'getRequestViewers',
  method: 'GET',
  path: '/api/Request/GetRequestViewers',
  who: requestReadersAndProviders,
  summary: 'Who else has a request open at the moment, first come first',
  query: z.object({ RequestId: requestId }),
  reply: z.array(z.object({ name: z.string(), since: z.string() })),
  refusals: ['RequestNotFound'],
});
export const getRequestIdByRequestNumber = defineCall({
  name: 'getRequestIdByRequestNumber',
  method: 'GET',
  path: '/api/Request/GetRequestIdByRequestNumber',
  who: signedIn,
  summary: 'The id of a request that the caller may see, by its number',
  query: z.object({ RequestNumber: z.string().trim().min(1).max(40) }),
  reply: z.object({ requestId: z.int() }),
  refusals: ['RequestNotFound'],
});
/**
 * The portal calls it before a link opens a request; callers who may not see the request are
 * refused. Source: specification §2, §7.
 */
export const checkRequestToView = defineCall({
  name: 'checkRequestToView',
  method: 'GET',
  path: '/api/Request/CheckRequestToView',
  who: signedIn,
  summary: 'Whether the caller may see a request',
  query: z.object({ RequestId: requestId }),
  reply: z.object({ requestId: z.int(), requestNumber: z.string() }),
  refusals: ['RequestNotFound'],
});
/** Our own call: the key of the cipher stays on the server. Decision 0013. */
export const readRequestLink = defineCall({
  name: 'readRequestLink',
  method: 'GET',
  path: '/api/Request/ReadRequestLink',
  who: signedIn,
  summary: 'The request that the encrypted number of a link names, if the caller may see it',
  query: z.object({ request: z.string().min(1).max(20_000) }),
  reply: z.object({ requestId: z.int(), requestNumber: z.string() }),
  refusals: ['RequestNotFound'],
});
