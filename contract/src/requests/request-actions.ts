import { z } from 'zod';
import { discountDecisions } from '../catalogue/fees.ts';
import { sentAnswers } from '../forms/forms.ts';
import { applicants, defineCall, staff, type Call } from '../wire/call.ts';
import {
  longId,
  longIdInAddress,
  recordId,
  recordVersion,
  recordVersionInAddress,
} from '../wire/ids.ts';
import { chargedFils, totalFils } from '../wire/money.ts';
import { actions, type CalledAction } from './actions.ts';
import { requestRecord } from './requests.ts';
import { markExplanation, maximumMarks, returnMark } from './return-marks.ts';

/** A code as the user types it; upper and lower case are equal. */
const referralCode = z.string().trim().max(40);

/** A reason that an applicant writes. */
export const maximumReasonLength = 1000;

const version = recordVersion.optional();
/**
 * The action waits for UNDO_SECONDS before it takes effect. Until then UndoAction takes it back,
 * nobody is notified, and other actions on the request are refused.
 */
const isUndoable = z.boolean().optional();
/** A text is needed in the language of the applicant; another language may be left out. */
const message = {
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
  requestId: longId,
  version,
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
  requestId: longId,
  version,
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
const actionRefusals = [
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
    referralCode: referralCode.optional(),
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
  body: z.object(attachmentsPayload),
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
    requestId: longId,
    version,
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
  body: z.object({ requestId: longId, version }),
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
    requestId: longId,
    version,
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
  body: z.object({ requestId: longId, version, isUndoable }),
  reply: requestRecord,
  refusals: [...actionRefusals],
});
/** Our own call: docs/unknowns.md. Possible before work begins; ends the request. */
export const withdrawRequest = defineCall({
  name: 'withdrawRequest',
  method: 'POST',
  path: '/api/Request/WithdrawRequest',
  who: actions.withdraw.roles,
  summary: 'Withdraw an own request before work on it begins',
  body: z.object({ requestId: longId, version }),
  reply: requestRecord,
  refusals: [...actionRefusals],
});
/** Our own call: docs/unknowns.md. `reason` is in the applicant's words; staff read it. */
export const askToWithdrawRequest = defineCall({
  name: 'askToWithdrawRequest',
  method: 'POST',
  path: '/api/Request/AskToWithdrawRequest',
  who: actions.askToWithdraw.roles,
  summary: 'Ask the agency to end an own request on which work has begun',
  body: z.object({
    requestId: longId,
    version,
    reason: z.string().trim().max(maximumReasonLength),
  }),
  reply: requestRecord,
  refusals: [...actionRefusals, 'ValidationFailed'],
});
/** Our own call: docs/unknowns.md. */
export const grantWithdrawal = defineCall({
  name: 'grantWithdrawal',
  method: 'POST',
  path: '/api/Request/GrantWithdrawal',
  who: actions.grantWithdrawal.roles,
  summary: 'End a request because its applicant asked to withdraw it',
  body: z.object({ requestId: longId, version, isUndoable }),
  reply: requestRecord,
  refusals: [...actionRefusals],
});
/** Our own call: docs/unknowns.md. */
export const refuseWithdrawal = defineCall({
  name: 'refuseWithdrawal',
  method: 'POST',
  path: '/api/Request/RefuseWithdrawal',
  who: actions.refuseWithdrawal.roles,
  summary:
    "Continue with a request that its applicant asked to withdraw, with a message in the applicant's language",
  body: z.object({ requestId: longId, version, ...message, isUndoable }),
  reply: requestRecord,
  refusals: [...actionRefusals, 'MessageIncomplete'],
});
/**
 * Our own call: docs/unknowns.md. Possible until `objectUntil` of the record; another person than
 * the first decides. `reason` is in the applicant's words; staff read it.
 */
export const objectToDecision = defineCall({
  name: 'objectToDecision',
  method: 'POST',
  path: '/api/Request/ObjectToDecision',
  who: actions.object.roles,
  summary: 'Object to the rejection or the fine of an own request',
  body: z.object({
    requestId: longId,
    version,
    reason: z.string().trim().max(maximumReasonLength),
  }),
  reply: requestRecord,
  refusals: [...actionRefusals, 'ValidationFailed'],
});
/** Our own call: docs/unknowns.md. */
export const grantObjection = defineCall({
  name: 'grantObjection',
  method: 'POST',
  path: '/api/Request/GrantObjection',
  who: actions.grantObjection.roles,
  summary: 'Accept an objection: a rejected request is processed again, an unpaid fine is removed',
  body: z.object({ requestId: longId, version, isUndoable }),
  reply: requestRecord,
  refusals: [...actionRefusals],
});
/** Our own call: docs/unknowns.md. */
export const refuseObjection = defineCall({
  name: 'refuseObjection',
  method: 'POST',
  path: '/api/Request/RefuseObjection',
  who: actions.refuseObjection.roles,
  summary: "Confirm the decision that was objected to, with a message in the applicant's language",
  body: z.object({ requestId: longId, version, ...message, isUndoable }),
  reply: requestRecord,
  refusals: [...actionRefusals, 'MessageIncomplete'],
});
/** The call of each action. */
export const actionCalls = {
  create: createRequest,
  update: updateRequest,
  receive: receiveRequest,
  approve: approveRequest,
  return: returnRequest,
  submitted: submittedRequest,
  accept: acceptRequest,
  reject: rejectRequest,
  release: releaseRequest,
  hold: holdRequest,
  resume: resumeRequest,
  withdraw: withdrawRequest,
  askToWithdraw: askToWithdrawRequest,
  grantWithdrawal,
  refuseWithdrawal,
  object: objectToDecision,
  grantObjection,
  refuseObjection,
} satisfies Record<CalledAction, Call>;

/** Our own call: docs/unknowns.md. Open to those who may put the request back. */
export const reassignRequest = defineCall({
  name: 'reassignRequest',
  method: 'POST',
  path: '/api/Request/ReassignRequest',
  who: staff,
  summary: 'Give a received request to another employee, who is notified',
  body: z.object({ requestId: longId, version, holderId: z.uuid() }),
  reply: requestRecord,
  refusals: [...actionRefusals, 'HolderNotPossible'],
});
/** How many requests staff act on at the same time, and `GetColleagues` takes. */
export const maximumBulkRequests = 50;
/**
 * Our own call: docs/unknowns.md. `RequestIds`, separated by commas: only those who see all of these
 * requests.
 */
export const getColleagues = defineCall({
  name: 'getColleagues',
  method: 'GET',
  path: '/api/Request/GetColleagues',
  who: staff,
  summary: 'The employees to whom the caller can give requests, or these requests, by name',
  query: z.object({
    RequestIds: z
      .string()
      .regex(new RegExp(`^[1-9]\\d{0,14}(,[1-9]\\d{0,14}){0,${maximumBulkRequests - 1}}$`))
      .optional(),
  }),
  reply: z.array(z.object({ userId: z.uuid(), name: z.string() })),
  refusals: [],
});
/**
 * The misspelt parameter is the specification's (§7). The reply is our own: `name` is the owner of
 * the code, in the caller's language, while the code is valid.
 */
export const checkReferralCodeValidity = defineCall({
  name: 'checkReferralCodeValidity',
  method: 'GET',
  path: '/api/ReferralCode/CheckReferralCodeValidity',
  who: 'anyone',
  summary: 'Whether a referral code can be used now',
  query: z.object({ refferalCode: referralCode.min(1) }),
  reply: z.object({ isValid: z.boolean(), name: z.string().optional() }),
  refusals: ['TooManyRequests'],
});
