import { z } from 'zod';
import { applicants, defineCall, staff } from '../wire/call.ts';
import { channel } from '../wire/channels.ts';

/**
 * A complete username, e-mail address, mobile number or Emirates ID. There is no search by part of
 * a name.
 */
const name = z.string().trim().min(1).max(300);

/**
 * The person whom staff help at a counter, with just enough data to identify them. `fullName` shows
 * the first letters only, `hint` the end of an address.
 */
export const foundPerson = z.object({
  fullName: z.string(),
  ways: z.array(z.object({ channel, hint: z.string() })),
});
export type FoundPerson = z.infer<typeof foundPerson>;

export const findPerson = defineCall({
  name: 'findPerson',
  method: 'POST',
  repeats: 'unstored',
  path: '/api/Acting/FindPerson',
  who: staff,
  summary: 'Find the person at the counter by a complete identifier',
  body: z.object({ name }),
  reply: foundPerson,
  refusals: ['PersonNotFound', 'TooManyRequests'],
});

export const sendActingCode = defineCall({
  name: 'sendActingCode',
  method: 'POST',
  repeats: 'unstored',
  path: '/api/Acting/SendActingCode',
  who: staff,
  summary: 'Send the person a code that lets this employee act for them',
  body: z.object({ name, channel }),
  reply: z.object({ sent: z.boolean() }),
  refusals: ['PersonNotFound', 'TooManyRequests'],
});

/**
 * The token holds the claim `act` of RFC 8693: who acts. It allows only `callsWhileActing`, until
 * `actUntil` and while the employee's own session lasts.
 */
export const beginActing = defineCall({
  name: 'beginActing',
  method: 'POST',
  repeats: 'unstored',
  path: '/api/Acting/BeginActing',
  who: staff,
  summary: 'Act for the person who gave the code',
  body: z.object({ name, channel, code: z.string().min(1).max(40) }),
  reply: z.object({ token: z.string() }),
  refusals: ['PersonNotFound', 'VerificationCodeWrong', 'TooManyRequests'],
});

export const endActing = defineCall({
  name: 'endActing',
  method: 'POST',
  repeats: 'unstored',
  path: '/api/Acting/EndActing',
  who: applicants,
  summary: 'Stop acting for a person; no effect in a session of one’s own',
  body: z.object({}),
  reply: z.object({ ended: z.boolean() }),
  refusals: [],
});

/**
 * All calls that are allowed in a session on behalf of somebody else: forms, drafts, documents,
 * requests and payments. Other calls for anyone treat the caller as anonymous; all other calls
 * refuse with NotWhileActing.
 */
export const callsWhileActing: ReadonlySet<string> = new Set([
  'endActing',
  'checkEligibility',
  'createRequest',
  'updateRequest',
  'getRequestById',
  'getRequestsByStatusId',
  'getRequestIdByRequestNumber',
  'getRequestState',
  'checkRequestToView',
  'readRequestLink',
  'getAllStatuses',
  'getRequestReads',
  'getRequestByIdForUpdate',
  'saveRequestAttachments',
  'updateRequestAttachments',
  'getAllServiceProviderRequestAttachmentsByRequestId',
  'checkReferralCodeValidity',
  'createPayment',
  'getInvoicePathByRequestId',
  'calculatePendingPaymentRequestCost',
  'createAttachment',
  'uploadAttachment',
  'completeAttachment',
  'renewUpload',
  'readIdentityCard',
  'deleteAttachment',
  'downloadFile',
  'getDrafts',
  'getDraft',
  'saveDraft',
  'discardDraft',
  'restoreDraft',
  'getPrefill',
]);

/**
 * The person on whose behalf something was done. `isYou`: the caller is that person; `by`: at a
 * counter (with a code of theirs) or by a company's user.
 */
export const actedFor = z.object({
  name: z.string(),
  isYou: z.boolean(),
  by: z.enum(['counter', 'company']),
});
export type ActedFor = z.infer<typeof actedFor>;
