import { z } from 'zod';
import { sentAnswers } from '../forms/forms.ts';
import { applicants, defineCall, money, signedIn } from '../wire/call.ts';
import { longId, longIdInAddress, recordId, recordIdInAddress } from '../wire/ids.ts';
import { feeLine, fils, quote, totalFils } from '../wire/money.ts';

const query = z.object({ RequestId: longIdInAddress });

/**
 * A fee line and how much of it is paid, VAT included, in fils. Payments cover the lines in their
 * order; what a discount takes off counts as paid, so that its own line has a negative amount.
 */
export const paidLine = feeLine.extend({ paid: z.int() });

/** The whole cost of a request, in fils. `total` is the sum of `paid` and `due`. */
export const detailedCost = quote.extend({ lines: z.array(paidLine), paid: fils, due: fils });
export type DetailedCost = z.infer<typeof detailedCost>;

/**
 * The amount of a payment that begins now: exactly `due`. `lines` holds the lines that are not paid
 * in full, each with its open amount, VAT included. In fils.
 */
export const pendingCost = z.object({
  /** `vat` is the part of `due` that is VAT. */
  lines: z.array(z.object({ name: z.string(), title: z.string(), due: fils, vat: fils })),
  due: fils,
  isPayable: z.boolean(),
  currency: z.literal('AED'),
});
export type PendingCost = z.infer<typeof pendingCost>;

/** The longest reference of a refund, in characters. */
export const maximumRefundReferenceLength = 60;

/**
 * The refunds of a request, in fils. `refundable`: of a rejected request, what was paid for its
 * refundable lines; of every request, what was paid twice or after rejection. `surplus`: the part
 * of it that was paid twice. `refunded`: the sum that went back. `underway`: what is on its way
 * through the provider, or waits for a second person. `waiting`: the part of it that waits.
 * `expectedBy`: the day until which it reaches the card. `waiting` and `recordedBy` are for staff
 * only. Which fees are refundable is not shown: docs/unknowns.md.
 */
export const requestRefund = z.object({
  refundable: fils,
  surplus: fils,
  refunded: fils,
  underway: fils,
  waiting: fils.optional(),
  refunds: z.array(
    z.object({
      amount: fils,
      reference: z.string(),
      at: z.string(),
      expectedBy: z.string().optional(),
      recordedBy: z.string().optional(),
    }),
  ),
});
export type RequestRefund = z.infer<typeof requestRefund>;

export const calculateTotalCost = defineCall({
  name: 'calculateTotalCost',
  method: 'GET',
  path: '/api/Request/CalculateTotalCost',
  who: 'anyone',
  summary: 'The cost of a service that everybody pays, line by line',
  query: z.object({ serviceId: recordIdInAddress }),
  reply: quote,
  refusals: ['ServiceNotFound'],
});
/**
 * Our own call: what a request with these answers would cost now, by the same computation as
 * CreateRequest. Answers that are not valid count as missing, and so do fines that are not due.
 * `documents` are the names of the attachment rules that have a file; a document can claim a discount.
 */
export const calculateCostForAnswers = defineCall({
  name: 'calculateCostForAnswers',
  method: 'POST',
  repeats: 'harmless',
  path: '/api/Request/CalculateCostForAnswers',
  who: applicants,
  summary: 'The cost of a request with these answers, line by line',
  body: z.object({
    serviceId: recordId,
    answers: sentAnswers,
    documents: z.array(z.string().max(60)).max(100).optional(),
  }),
  reply: quote,
  refusals: ['ServiceNotFound', 'FinesRegisterUnreachable'],
});

/** A fine that is due: where and on which day it was given, and the amount in fils. */
export const fine = z.object({
  number: z.string(),
  place: z.string(),
  on: z.iso.date(),
  amount: fils,
});
export type Fine = z.infer<typeof fine>;

/**
 * Our own call: the fines that the register of a field names for the answers before it, oldest first.
 * Those that another open request pays have `isInRequest`. The answers that it is found by are checked
 * like those of a request.
 */
export const findFines = defineCall({
  name: 'findFines',
  method: 'POST',
  repeats: 'harmless',
  path: '/api/Request/FindFines',
  who: applicants,
  summary: 'The fines that are due for a vehicle or a file',
  body: z.object({
    serviceId: recordId,
    field: z.string().max(60),
    answers: sentAnswers,
  }),
  reply: z.object({ fines: z.array(fine.extend({ isInRequest: z.boolean() })) }),
  refusals: ['ServiceNotFound', 'ValidationFailed', 'FinesRegisterUnreachable', 'TooManyRequests'],
});
/** The paths of this and the next call are the specification's (§7); the replies are our own. */
export const calculateDetailedCost = defineCall({
  name: 'calculateDetailedCost',
  method: 'GET',
  path: '/api/Request/CalculateDetailedCost',
  who: signedIn,
  summary: 'The cost of a request, line by line, with added charges and what is paid',
  query,
  reply: detailedCost,
  refusals: ['RequestNotFound'],
});
export const calculatePendingPaymentRequestCost = defineCall({
  name: 'calculatePendingPaymentRequestCost',
  method: 'GET',
  path: '/api/Request/CalculatePendingPaymentRequestCost',
  who: signedIn,
  summary: 'The amount that is due for a request now',
  query,
  reply: pendingCost,
  refusals: ['RequestNotFound'],
});
/**
 * Our own call: records a refund that was made outside of the portal. A second call with the same
 * `reference` and amount changes nothing; another amount is refused. `amount` is in fils.
 * `refundedBefore`, in fils, is the sum that the caller saw; the call is refused when another admin
 * recorded a refund in the meantime. A refund with which the caller alone moves more than the amount
 * of a setting for the request within 24 hours is recorded when a second person confirms it
 * (`DecideRefund`); until then it is part of `waiting`.
 */
export const recordRefund = defineCall({
  name: 'recordRefund',
  method: 'POST',
  path: '/api/Request/RecordRefund',
  who: money,
  summary: 'Record that fees of a rejected request were refunded',
  body: z.object({
    requestId: longId,
    amount: totalFils.min(1),
    reference: z.string().trim().min(1).max(maximumRefundReferenceLength),
    refundedBefore: totalFils.optional(),
  }),
  reply: requestRefund,
  refusals: ['RequestNotFound', 'RefundReferenceTaken', 'RefundHasChanged', 'RefundTooLarge'],
});
