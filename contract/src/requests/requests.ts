import { z } from 'zod';
import { actedFor } from '../people/acting.ts';
import { attachment } from './attachments.ts';
import { defineCall, signedIn, type Role } from '../wire/call.ts';
import { answers, attachmentRule, sentAnswers, serviceForm } from '../forms/forms.ts';
import { governmentAgency } from '../catalogue/agencies.ts';
import { localizedText } from '../wire/languages.ts';
import { chargedFils, fils, quote } from '../wire/money.ts';
import { stepNotice } from './messages.ts';
import { pageNumber, pageOf, take } from '../wire/paging.ts';
import { partnerStates } from '../people/partner-states.ts';
import { payment } from './payments.ts';
import { referralCode } from './referral-codes.ts';
import { requestRefund } from './request-refunds.ts';
import { markExplanation, mended, mostMarks, returnMark, shownMark } from './return-marks.ts';
import { requestActions, statusTones } from './workflow.ts';

const staff: readonly Role[] = ['Admin', 'Employee'];
const staffAndProvider: readonly Role[] = ['Admin', 'Employee', 'ServiceProvider'];
const owners: readonly Role[] = ['Client', 'CompanyUser'];

const requestId = z.coerce.number().int().min(1);
const status = { statusId: z.int(), statusName: z.string(), statusTone: z.enum(statusTones) };

/**
 * A request as lists show it. `allowedActions` are those of this caller now. Times are ISO 8601 in
 * UTC; money in fils.
 */
export const requestSummary = z.object({
  requestId: z.int(),
  requestNumber: z.string(),
  serviceId: z.int(),
  serviceName: z.string(),
  governmentAgency,
  ...status,
  applicantName: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  total: fils,
  version: z.int(),
  /** What of `total` is still to be paid. */
  due: fils,
  /**
   * The day in Asia/Dubai by which it ought to be done: the service's working days, Monday to
   * Friday without knowing public holidays, from when it was last sent, paid or mended. Only while
   * it is under way.
   */
  promisedBy: z.iso.date().optional(),
  /** Who works on it, for clerks and admins alone; missing while nobody does. */
  holder: z.object({ name: z.string(), isYou: z.boolean() }).optional(),
  /** Who sent it, where that was for somebody else: A for B. */
  sentBy: z.object({ name: z.string(), actedFor }).optional(),
  /**
   * The caller sent it for its owner at the counter and leaves it to others, where the deployment
   * has that rule.
   */
  isOwnCounterRequest: z.literal(true).optional(),
  allowedActions: z.array(z.enum(requestActions)),
});
export type RequestSummary = z.infer<typeof requestSummary>;

/**
 * One line of a request's story. `actorName` is empty where this caller may not see who it was;
 * `message` and `reasons` are in the caller's language.
 */
export const historyEntry = z.object({
  action: z.enum(requestActions),
  fromStatusName: z.string().optional(),
  ...status,
  actorKind: z.enum(['you', 'applicant', 'employee', 'serviceProvider', 'payment']),
  actorName: z.string(),
  /** For whom it was done, where not for oneself; `actorKind` is then `employee` at a counter. */
  actedFor: actedFor.optional(),
  reasons: z.array(z.string()),
  message: z.string(),
  at: z.string(),
  /** How the applicant was told of it; missing where nobody is told of such a step. */
  notice: stepNotice.optional(),
  /** What the step added to pay, in fils. */
  charged: fils.optional(),
  /** What a return asked to be mended; what an update changed. */
  marks: z.array(shownMark),
  mended: mended.optional(),
});
export type HistoryEntry = z.infer<typeof historyEntry>;

/**
 * The whole record. Send `version` back with an action to be told when somebody was faster.
 * `requestLink` leads here without showing the number; it opens nothing to anybody else.
 */
export const requestRecord = requestSummary.extend({
  statusDescription: z.string(),
  replacedName: z.string(),
  requestLink: z.url(),
  /** For staff alone, and only while the service provider whose request it is cannot work. */
  serviceProviderState: z.enum(partnerStates).optional(),
  form: serviceForm,
  answers,
  attachmentRules: z.array(attachmentRule),
  attachments: z.array(attachment),
  fees: quote,
  payments: z.array(payment),
  history: z.array(historyEntry),
  /** Which actions of this caller may add fines and fees. */
  chargingActions: z.array(z.enum(requestActions)),
  /** The VAT on administrative fees that are added, in basis points. */
  addedFeeVatRate: z.int(),
  /** Documents that others took the place of when the request was mended. */
  earlierAttachments: z.array(attachment),
  /** Where the request was refused and something paid is given back. */
  refund: requestRefund.optional(),
});
export type RequestRecord = z.infer<typeof requestRecord>;

/** What anybody may know who holds the number. */
export const requestGlance = z.object({
  requestNumber: z.string(),
  serviceName: z.string(),
  governmentAgencyName: z.string(),
  ...status,
  statusDescription: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type RequestGlance = z.infer<typeof requestGlance>;

/**
 * What lists are asked by. `StatusIds`, several with commas between them, and `OnlyMine`, what the
 * caller holds, are our own: docs/unknowns.md.
 */
export const listQuery = {
  StatusId: z.coerce.number().int().min(1).optional(),
  StatusIds: z
    .string()
    .regex(/^[1-9]\d{0,8}(,[1-9]\d{0,8}){0,29}$/)
    .optional(),
  OnlyMine: z.stringbool().optional(),
  SearchKeyword: z.string().max(200).optional(),
  sortOrder: z.enum(['asc', 'desc']).default('desc'),
  DateFrom: z.iso.date().optional(),
  DateTo: z.iso.date().optional(),
  PageNumber: pageNumber,
  Take: take,
};

/**
 * A page of summaries. `totalCount` is exact up to 10 000 (with a keyword 500), and for clerks'
 * lists by status alone at any size; `isTotalAtLeast` says that there are more.
 */
export const requestPage = pageOf(requestSummary).extend({
  isTotalAtLeast: z.literal(true).optional(),
});

const version = z.int().min(1).optional();
const message = {
  messageAr: z.string().trim().max(2000).optional(),
  messageEn: z.string().trim().max(2000).optional(),
  messageUr: z.string().trim().max(2000).optional(),
};

/**
 * The update payload of specification §3; what the workflow does not ask for is optional. Fines and
 * fees in fils, fees without VAT, where the workflow lets the action charge; `statusId` is the
 * status that the caller saw. `requestAttachmentList` holds attachment ids.
 */
const updatePayload = {
  requestId: z.int().min(1),
  version,
  statusId: z.int().optional(),
  fines: chargedFils.optional(),
  requestAttachmentList: z.array(z.uuid()).max(20).optional(),
  totalAdminstrativeFees: chargedFils.optional(),
  totalAdminstrativeFeesVatValue: chargedFils.optional(),
  requestHistoryRejectionReasonsList: z.array(z.int()).max(20).optional(),
  agreeToTermsAndConditions: z.boolean().optional(),
  isPaymentGatewayFeesOfFinesCalculated: z.boolean().optional(),
  shouldNotifyClient: z.boolean().optional(),
};

const chargeRefusals = ['ChargeNotPossible', 'ChargeVatWrong'] as const;
const actionRefusals = [
  'RequestNotFound',
  'ActionNotAllowed',
  'VersionHasChanged',
  'OwnCounterRequest',
] as const;

/**
 * With `draftId` the draft becomes this request, and sending it once more answers the same request:
 * decision 0021.
 */
export const createRequest = defineCall({
  name: 'createRequest',
  method: 'POST',
  path: '/api/Request/CreateRequest',
  who: owners,
  summary: 'Send a request for a service',
  body: z.object({
    serviceId: z.int().min(1),
    answers: sentAnswers,
    attachmentIds: z.array(z.uuid()).max(50),
    agreeToTermsAndConditions: z.boolean(),
    draftId: z.uuid().optional(),
    referralCode: referralCode.optional(),
  }),
  reply: z.object({ requestId: z.int(), requestNumber: z.string() }),
  refusals: [
    'ServiceNotFound',
    'DraftNotFound',
    'NotEligible',
    'ReferralCodeNotValid',
    'ValidationFailed',
    'TermsNotAccepted',
    'TooManyRequests',
  ],
});
export const updateRequest = defineCall({
  name: 'updateRequest',
  method: 'POST',
  path: '/api/Request/UpdateRequest',
  who: owners,
  summary: 'Mend a request that was returned',
  body: z.object({
    ...updatePayload,
    answers: sentAnswers,
    attachmentIds: z.array(z.uuid()).max(50),
    explanations: z.array(markExplanation).max(mostMarks).optional(),
  }),
  reply: requestRecord,
  refusals: [...actionRefusals, 'ValidationFailed', 'TermsNotAccepted'],
});
export const receiveRequest = defineCall({
  name: 'receiveRequest',
  method: 'POST',
  path: '/api/Request/ReceiveRequest{requestId}',
  who: staff,
  summary: 'Take a new request to work on it',
  params: z.object({ requestId }),
  query: z.object({ version: z.coerce.number().int().min(1).optional() }),
  reply: requestRecord,
  refusals: [...actionRefusals],
});
export const approveRequest = defineCall({
  name: 'approveRequest',
  method: 'POST',
  path: '/api/Request/ApproveRequest',
  who: staff,
  summary:
    'Approve a request and pass it to the service provider; with fines or fees it waits for them first',
  body: z.object(updatePayload),
  reply: requestRecord,
  refusals: [...actionRefusals, ...chargeRefusals],
});
export const returnRequest = defineCall({
  name: 'returnRequest',
  method: 'POST',
  path: '/api/Request/ReturnRequest',
  who: staffAndProvider,
  summary:
    'Send a request back to be mended: with what is marked, or with a message in three languages',
  body: z.object({
    ...updatePayload,
    serviceProviderRequestNumber: z.string().trim().max(60).optional(),
    ...message,
    marks: z.array(returnMark).max(mostMarks).optional(),
  }),
  reply: requestRecord,
  refusals: [...actionRefusals, 'RejectionReasonNotFound', 'MessageIncomplete', 'ValidationFailed'],
});
export const submittedRequest = defineCall({
  name: 'submittedRequest',
  method: 'POST',
  path: '/api/Request/SubmittedRequest',
  who: staffAndProvider,
  summary: 'Complete a request, with result documents if there are any',
  body: z.object({
    ...updatePayload,
    serviceProviderRequestNumber: z.string().trim().max(60).optional(),
    ...message,
  }),
  reply: requestRecord,
  refusals: [...actionRefusals, ...chargeRefusals, 'AttachmentNotFound', 'MessageIncomplete'],
});
export const acceptRequest = defineCall({
  name: 'acceptRequest',
  method: 'POST',
  path: '/api/Request/AcceptRequest',
  who: staffAndProvider,
  summary: 'The service provider takes an approved request on',
  body: z.object(updatePayload),
  reply: requestRecord,
  refusals: [...actionRefusals, ...chargeRefusals],
});
export const rejectRequest = defineCall({
  name: 'rejectRequest',
  method: 'POST',
  path: '/api/Request/RejectRequest',
  who: staffAndProvider,
  summary: 'Refuse a request for good, with a reason and a message in three languages',
  body: z.object({
    requestId: z.int().min(1),
    version,
    requestHistoryRejectionReasonId: z.int(),
    ...message,
  }),
  reply: requestRecord,
  refusals: [...actionRefusals, 'RejectionReasonNotFound', 'MessageIncomplete'],
});
export const releaseRequest = defineCall({
  name: 'releaseRequest',
  method: 'POST',
  path: '/api/Request/ReleaseRequest',
  who: staff,
  summary: 'Put a received request back among the new ones',
  body: z.object({ requestId: z.int().min(1), version }),
  reply: requestRecord,
  refusals: [...actionRefusals],
});

export const getRequestsByStatusId = defineCall({
  name: 'getRequestsByStatusId',
  method: 'GET',
  path: '/api/Request/GetRequestsByStatusId',
  who: signedIn,
  summary:
    'Requests that the caller may see, by status, text, day (days in Asia/Dubai) and refund; all statuses when none is given',
  query: z.object({
    ...listQuery,
    HasRefundableFees: z.stringbool().optional(),
    IsRefunded: z.stringbool().optional(),
  }),
  reply: requestPage,
  refusals: [],
});
export const getRequestsCount = defineCall({
  name: 'getRequestsCount',
  method: 'GET',
  path: '/api/Request/GetRequestsCount',
  who: staffAndProvider,
  summary:
    'How many requests are new and how many are being processed; for a service provider, what waits to be accepted and what it works on',
  reply: z.object({ newRequestsCount: z.int(), processingRequestsCount: z.int() }),
  refusals: [],
});
export const getRequestById = defineCall({
  name: 'getRequestById',
  method: 'GET',
  path: '/api/Request/GetRequestById',
  who: signedIn,
  summary: 'One request with everything this caller may see',
  query: z.object({ RequestId: requestId }),
  reply: requestRecord,
  refusals: ['RequestNotFound'],
});
export const getRequestByRequestNoOrMobileNo = defineCall({
  name: 'getRequestByRequestNoOrMobileNo',
  method: 'GET',
  path: '/api/Request/GetRequestByRequestNoOrMobileNo',
  who: 'anyone',
  summary:
    'Inquiry by request number, or by mobile number with the code that was sent to it. A signed-in caller finds only what they may see',
  query: z.object({
    SearchKeyword: z.string().trim().min(1).max(60),
    VerificationCode: z.string().max(12).optional(),
    PageNumber: pageNumber,
    Take: take,
    SortOrder: z.enum(['asc', 'desc']).default('desc'),
  }),
  reply: pageOf(requestGlance),
  refusals: ['VerificationCodeRequired', 'VerificationCodeWrong', 'TooManyRequests'],
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
 * Before a link opens a request: refused for whoever may not see it. Source: specification §2, §7.
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
  summary: 'Which request the encrypted number of a link means, if the caller may see it',
  query: z.object({ request: z.string().min(1).max(20_000) }),
  reply: z.object({ requestId: z.int(), requestNumber: z.string() }),
  refusals: ['RequestNotFound'],
});
export const calculateTotalCost = defineCall({
  name: 'calculateTotalCost',
  method: 'GET',
  path: '/api/Request/CalculateTotalCost',
  who: 'anyone',
  summary: 'What a service costs, line by line',
  query: z.object({ serviceId: z.coerce.number().int().min(1) }),
  reply: quote,
  refusals: ['ServiceNotFound'],
});
export const getAllStatuses = defineCall({
  name: 'getAllStatuses',
  method: 'GET',
  path: '/api/Request/GetAllStatuses',
  who: signedIn,
  summary:
    'The statuses of the workflows in force; for applicants that of a draft too, which is no request yet (`isDraft`)',
  reply: z.array(
    z.object({
      ...status,
      key: z.string(),
      countsAs: z.enum(['new', 'processing']).optional(),
      isDraft: z.literal(true).optional(),
    }),
  ),
  refusals: [],
});
export const rejectionReasonCollection = defineCall({
  name: 'rejectionReasonCollection',
  method: 'GET',
  path: '/api/RejectionReason/RejectionReasonCollection',
  who: staffAndProvider,
  summary: 'Reasons to return or refuse a request',
  reply: z.array(z.object({ id: z.int(), name: z.string(), names: localizedText })),
  refusals: [],
});
