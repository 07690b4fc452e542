import { z } from 'zod';
import { discountDecisions } from '../catalogue/fees.ts';
import { sentAnswers } from '../forms/forms.ts';
import { applicants, defineCall } from '../wire/call.ts';
import {
  longId,
  longIdInAddress,
  recordId,
  recordVersion,
  recordVersionInAddress,
} from '../wire/ids.ts';
import { chargedFils, totalFils } from '../wire/money.ts';
import { actions } from './actions.ts';
import { requestRecord } from './requests.ts';
import { markExplanation, maximumMarks, returnMark } from './return-marks.ts';

/** A referral code as the user types it; upper and lower case are equal. */
export const typedReferralCode = z.string().trim().max(40);

/** The request of an action, at the version that the caller read. */
/** How many requests staff act on at the same time, and lists for several requests take. */
export const maximumBulkRequests = 50;
export const requestAtVersion = { requestId: longId, version: recordVersion.optional() };
/**
 * The action waits for UNDO_SECONDS before it takes effect. Until then UndoAction takes it back,
 * nobody is notified, and other actions on the request are refused.
 */
export const isUndoable = z.boolean().optional();
/** A text is needed in the language of the applicant; another language may be left out. */
export const message = {
  messageAr: z.string().trim().max(2000).optional(),
  messageEn: z.string().trim().max(2000).optional(),
  messageUr: z.string().trim().max(2000).optional(),
};

/**
 * The update payload of specification §3; a field that the workflow does not ask for is optional.
 * Fines and fees are in fils, fees without VAT, for actions that the workflow lets charge.
 * `statusId` is the status that the caller saw. `requestAttachmentList` holds attachment ids.
 * `requestHistoryRejectionReasonsList` holds ids of reasons; with fines and fees at most one for each
 * of the two.
 */
const updatePayload = {
  ...requestAtVersion,
  statusId: recordId.optional(),
  fines: chargedFils.optional(),
  requestAttachmentList: z.array(z.uuid()).max(20).optional(),
  totalAdminstrativeFees: chargedFils.optional(),
  totalAdminstrativeFeesVatValue: chargedFils.optional(),
  requestHistoryRejectionReasonsList: z.array(recordId).max(20).optional(),
  agreeToTermsAndConditions: z.boolean().optional(),
  isPaymentGatewayFeesOfFinesCalculated: z.boolean().optional(),
  shouldNotifyClient: z.boolean().optional(),
};
const serviceProviderRequestNumber = z.string().trim().max(60).optional();

/** The name of the list is that of the update payload (specification §3); the rest is ours. */
const attachmentsPayload = {
  ...requestAtVersion,
  requestAttachmentList: z.array(z.uuid()).max(50),
};
const attachmentsRefusals = [
  'RequestNotFound',
  'ActionNotAllowed',
  'VersionHasChanged',
  'ValidationFailed',
] as const;

const chargeRefusals = [
  'ChargeNotPossible',
  'ChargeVatWrong',
  'ChargeRequired',
  'RejectionReasonNotFound',
  'DiscountUndecided',
  'IssueFeeDue',
] as const;
const consentRefusals = ['TermsNotAccepted', 'SpecialDataConsentMissing'] as const;
/** What an action is refused for, whichever it is. */
export const actionRefusals = [
  'RequestNotFound',
  'ActionNotAllowed',
  'VersionHasChanged',
  'ActionHeld',
  'OwnCounterRequest',
  'AnotherApproverNeeded',
] as const;

/**
 * With `draftId` the draft becomes this request; a second call with the same draft answers with the
 * same request. Decision 0021. `expectedTotal`, in fils, is the total that the review page showed: a
 * request that would cost something else is refused. `consentsToSpecialData`: the applicant consents to
 * the use of the special data in the request, which is refused without it.
 */
export const createRequest = defineCall({
  name: 'createRequest',
  method: 'POST',
  path: '/api/Request/CreateRequest',
  who: actions.create.roles,
  summary: 'Send a request for a service',
  body: z.object({
    serviceId: recordId,
    answers: sentAnswers,
    attachmentIds: z.array(z.uuid()).max(50),
    agreeToTermsAndConditions: z.boolean(),
    consentsToSpecialData: z.boolean().optional(),
    draftId: z.uuid().optional(),
    referralCode: typedReferralCode.optional(),
    expectedTotal: totalFils.optional(),
  }),
  reply: z.object({ requestId: z.int(), requestNumber: z.string() }),
  refusals: [
    'ServiceNotFound',
    'ServiceClosed',
    'ServiceNotAvailable',
    'TotalHasChanged',
    'FinesRegisterUnreachable',
    'DraftNotFound',
    'NotEligible',
    'ReferralCodeNotValid',
    'ValidationFailed',
    ...consentRefusals,
    'TooManyRequests',
  ],
});
export const updateRequest = defineCall({
  name: 'updateRequest',
  method: 'POST',
  path: '/api/Request/UpdateRequest',
  who: actions.update.roles,
  summary: 'Correct a request that was returned and send it again',
  body: z.object({
    ...updatePayload,
    answers: sentAnswers,
    attachmentIds: z.array(z.uuid()).max(50),
    explanations: z.array(markExplanation).max(maximumMarks).optional(),
    consentsToSpecialData: z.boolean().optional(),
  }),
  reply: requestRecord,
  refusals: [...actionRefusals, 'ValidationFailed', ...consentRefusals],
});
/**
 * Stores the documents for a request that was returned, unchanged ones included, without sending
 * it. GetRequestByIdForUpdate answers with them, on any device.
 */
export const saveRequestAttachments = defineCall({
  name: 'saveRequestAttachments',
  method: 'POST',
  path: '/api/Request/SaveRequestAttachments',
  who: applicants,
  summary: 'Store the documents of a correction without sending the request',
  body: z.object(attachmentsPayload),
  reply: z.object({ requestId: z.int(), requestAttachmentList: z.array(z.uuid()) }),
  refusals: attachmentsRefusals,
});
/**
 * Sends a returned request again with these documents instead of the earlier ones and unchanged
 * answers. The effect is that of UpdateRequest with the same answers.
 */
export const updateRequestAttachments = defineCall({
  name: 'updateRequestAttachments',
  method: 'POST',
  path: '/api/Request/UpdateRequestAttachments',
  who: applicants,
  summary: 'Correct the documents of a request that was returned and send it again',
  body: z.object({ ...attachmentsPayload, consentsToSpecialData: z.boolean().optional() }),
  reply: requestRecord,
  refusals: [...attachmentsRefusals, 'SpecialDataConsentMissing', 'OwnCounterRequest'],
});
export const receiveRequest = defineCall({
  name: 'receiveRequest',
  method: 'POST',
  path: '/api/Request/ReceiveRequest{requestId}',
  who: actions.receive.roles,
  summary: 'Assign a new request to the caller',
  params: z.object({ requestId: longIdInAddress }),
  query: z.object({ version: recordVersionInAddress.optional() }),
  reply: requestRecord,
  refusals: [...actionRefusals],
});
export const approveRequest = defineCall({
  name: 'approveRequest',
  method: 'POST',
  path: '/api/Request/ApproveRequest',
  who: actions.approve.roles,
  summary:
    'Approve a request and pass it to the service provider; with fines or fees, after they are paid',
  body: z.object({ ...updatePayload, ...message, discounts: discountDecisions, isUndoable }),
  reply: requestRecord,
  refusals: [...actionRefusals, ...chargeRefusals, 'MessageIncomplete'],
});
export const returnRequest = defineCall({
  name: 'returnRequest',
  method: 'POST',
  path: '/api/Request/ReturnRequest',
  who: actions.return.roles,
  summary:
    "Return a request to be corrected: with marks on answers and documents, or a message in the applicant's language",
  body: z.object({
    ...updatePayload,
    serviceProviderRequestNumber,
    ...message,
    isUndoable,
    marks: z.array(returnMark).max(maximumMarks).optional(),
  }),
  reply: requestRecord,
  refusals: [
    ...actionRefusals,
    'RejectionReasonNotFound',
    'ReasonRequired',
    'MessageIncomplete',
    'ValidationFailed',
  ],
});
export const submittedRequest = defineCall({
  name: 'submittedRequest',
  method: 'POST',
  path: '/api/Request/SubmittedRequest',
  who: actions.submitted.roles,
  summary: 'Complete a request, with result documents where the service issues them',
  body: z.object({
    ...updatePayload,
    discounts: discountDecisions,
    serviceProviderRequestNumber,
    ...message,
    isUndoable,
  }),
  reply: requestRecord,
  refusals: [
    ...actionRefusals,
    ...chargeRefusals,
    'AttachmentNotFound',
    'MessageIncomplete',
    'ResultRequired',
  ],
});
export const acceptRequest = defineCall({
  name: 'acceptRequest',
  method: 'POST',
  path: '/api/Request/AcceptRequest',
  who: actions.accept.roles,
  summary: 'Accept an approved request for the service provider',
  body: z.object({ ...updatePayload, ...message, discounts: discountDecisions }),
  reply: requestRecord,
  refusals: [...actionRefusals, ...chargeRefusals, 'MessageIncomplete'],
});
export const rejectRequest = defineCall({
  name: 'rejectRequest',
  method: 'POST',
  path: '/api/Request/RejectRequest',
  who: actions.reject.roles,
  summary: "Reject a request finally, with a reason and a message in the applicant's language",
  body: z.object({
    ...requestAtVersion,
    requestHistoryRejectionReasonId: recordId,
    ...message,
    isUndoable,
  }),
  reply: requestRecord,
  refusals: [...actionRefusals, 'RejectionReasonNotFound', 'MessageIncomplete'],
});
export const releaseRequest = defineCall({
  name: 'releaseRequest',
  method: 'POST',
  path: '/api/Request/ReleaseRequest',
  who: actions.release.roles,
  summary: 'Put a received request back among the new ones',
  body: z.object({ ...requestAtVersion }),
  reply: requestRecord,
  refusals: [...actionRefusals],
});
/** A request is put on hold for at most so many days. */
export const maximumHoldDays = 180;
/**
 * Our own call: docs/unknowns.md. The message is the reason, in the applicant's language at least.
 * `holdUntil` is the day in Asia/Dubai on which work continues: from tomorrow on, at most
 * `maximumHoldDays` ahead.
 */
export const holdRequest = defineCall({
  name: 'holdRequest',
  method: 'POST',
  path: '/api/Request/HoldRequest',
  who: actions.hold.roles,
  summary: 'Put a request on hold until a day, with a reason that the applicant reads',
  body: z.object({
    ...requestAtVersion,
    holdUntil: z.iso.date(),
    ...message,
    isUndoable,
  }),
  reply: requestRecord,
  refusals: [...actionRefusals, 'MessageIncomplete', 'ValidationFailed'],
});
/** Our own call: docs/unknowns.md. */
export const resumeRequest = defineCall({
  name: 'resumeRequest',
  method: 'POST',
  path: '/api/Request/ResumeRequest',
  who: actions.resume.roles,
  summary: 'Continue with a request on hold before its day',
  body: z.object({ ...requestAtVersion, isUndoable }),
  reply: requestRecord,
  refusals: [...actionRefusals],
});
