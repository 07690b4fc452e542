import { z } from 'zod';
import { defineCall, signedIn } from '../wire/call.ts';
import { feeLine, fils, quote } from '../wire/money.ts';
import { requestActions, statusTones } from './workflow.ts';

const query = z.object({ RequestId: z.coerce.number().int().min(1) });

/**
 * Where a request is now: little enough to be asked for again and again. `statusKey` is the
 * workflow's, `holder` who works on it (for clerks and admins alone).
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
});
export type RequestState = z.infer<typeof requestState>;

/**
 * A fee line and how much of it is paid, VAT included; payments pay the lines in their order. In
 * fils.
 */
export const paidLine = feeLine.extend({ paid: fils });

/**
 * All that a request costs, what is paid and what is due, in fils. `total` is `paid` and `due`
 * together.
 */
export const detailedCost = quote.extend({ lines: z.array(paidLine), paid: fils, due: fils });
export type DetailedCost = z.infer<typeof detailedCost>;

/**
 * What a payment begun now would be over: exactly `due`. `lines` are those that are not paid in
 * full, each with what is left of it, VAT included. In fils.
 */
export const pendingCost = z.object({
  lines: z.array(z.object({ name: z.string(), title: z.string(), due: fils })),
  due: fils,
  isPayable: z.boolean(),
  currency: z.literal('AED'),
});
export type PendingCost = z.infer<typeof pendingCost>;

/** Paths by specification §7; the replies are ours. Somebody else's request is not found. */
export const getRequestState = defineCall({
  name: 'getRequestState',
  method: 'GET',
  path: '/api/Request/GetRequestState',
  who: signedIn,
  summary: 'In which status a request is, in which version, and what the caller can do with it',
  query,
  reply: requestState,
  refusals: ['RequestNotFound'],
});
export const calculateDetailedCost = defineCall({
  name: 'calculateDetailedCost',
  method: 'GET',
  path: '/api/Request/CalculateDetailedCost',
  who: signedIn,
  summary: 'What a request costs, line by line, with what was added and what is paid',
  query,
  reply: detailedCost,
  refusals: ['RequestNotFound'],
});
export const calculatePendingPaymentRequestCost = defineCall({
  name: 'calculatePendingPaymentRequestCost',
  method: 'GET',
  path: '/api/Request/CalculatePendingPaymentRequestCost',
  who: signedIn,
  summary: 'What is due of a request now',
  query,
  reply: pendingCost,
  refusals: ['RequestNotFound'],
});
