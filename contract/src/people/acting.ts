import { z } from 'zod';
import { defineCall, type Role } from '../wire/call.ts';

const staff: readonly Role[] = ['Admin', 'Employee'];
const owners: readonly Role[] = ['Client', 'CompanyUser'];

/**
 * A username, an e-mail address, a mobile number or an Emirates ID, whole: nobody is searched for.
 */
const name = z.string().trim().min(1).max(300);
const channel = z.enum(['email', 'sms']);

/**
 * Somebody whom staff help at a counter, as little as it takes to tell that it is the right one.
 * `fullName` keeps the first letters, `hint` the end of an address.
 */
export const foundPerson = z.object({
  fullName: z.string(),
  ways: z.array(z.object({ channel, hint: z.string() })),
});
export type FoundPerson = z.infer<typeof foundPerson>;

export const findPerson = defineCall({
  name: 'findPerson',
  method: 'POST',
  path: '/api/Acting/FindPerson',
  who: staff,
  summary: 'Find the person at the counter by exactly what they say',
  body: z.object({ name }),
  reply: foundPerson,
  refusals: ['PersonNotFound', 'TooManyRequests'],
});

export const sendActingCode = defineCall({
  name: 'sendActingCode',
  method: 'POST',
  path: '/api/Acting/SendActingCode',
  who: staff,
  summary: 'Send the person a code by which they let this employee act for them',
  body: z.object({ name, channel }),
  reply: z.object({ sent: z.boolean() }),
  refusals: ['PersonNotFound', 'TooManyRequests'],
});

/**
 * The token holds the claim `act` of RFC 8693: who acts. It reaches only `callsWhileActing`, until
 * `actUntil`, as long as the employee's own session goes on.
 */
export const beginActing = defineCall({
  name: 'beginActing',
  method: 'POST',
  path: '/api/Acting/BeginActing',
  who: staff,
  summary: 'Act for the person whose code this is',
  body: z.object({ name, channel, code: z.string().min(1).max(40) }),
  reply: z.object({ token: z.string() }),
  refusals: ['PersonNotFound', 'VerificationCodeWrong', 'TooManyRequests'],
});

export const endActing = defineCall({
  name: 'endActing',
  method: 'POST',
  path: '/api/Acting/EndActing',
  who: owners,
  summary: 'Stop acting for a person; nothing happens in a session of one’s own',
  body: z.object({}),
  reply: z.object({ ended: z.boolean() }),
  refusals: [],
});

/**
 * All that can be called in a session of somebody else: forms, drafts, documents, requests and
 * paying. To a call for anyone that is not here the caller is nobody; every other refuses with
 * NotWhileActing.
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
  'calculatePendingPaymentRequestCost',
  'createAttachment',
  'uploadAttachment',
  'completeAttachment',
  'renewUpload',
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
 * For whom something was done that somebody did for another. `isYou` tells the person themselves;
 * `by` a counter (with a code of theirs) or a company (as its user).
 */
export const actedFor = z.object({
  name: z.string(),
  isYou: z.boolean(),
  by: z.enum(['counter', 'company']),
});
export type ActedFor = z.infer<typeof actedFor>;
