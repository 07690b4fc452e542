import { z } from 'zod';
import { defineCall } from '../wire/call.ts';
import { fils } from '../wire/money.ts';

/** Letters of the reference of a refund. */
export const longestRefundReference = 60;

/**
 * What is given back of a request: `refundable` is, once it was refused, what was paid of the lines
 * of its quote that say so, and in any case what came twice or after that; `surplus` what of it
 * came twice, whatever became of the request; `refunded` what staff wrote down. In fils.
 * `recordedBy` for staff alone.
 * Which fees are given back, and how, is not shown: docs/unknowns.md.
 */
export const requestRefund = z.object({
  refundable: fils,
  surplus: fils,
  refunded: fils,
  refunds: z.array(
    z.object({
      amount: fils,
      reference: z.string(),
      at: z.string(),
      recordedBy: z.string().optional(),
    }),
  ),
});
export type RequestRefund = z.infer<typeof requestRefund>;

/**
 * Our own call: writes down that money was given back, outside of the portal; sent twice with one
 * `reference` it is written once, and refused with another amount. `amount` in fils.
 * `refundedBefore`, in fils, is what the caller saw as given back: whoever was faster is told of.
 */
export const recordRefund = defineCall({
  name: 'recordRefund',
  method: 'POST',
  path: '/api/Request/RecordRefund',
  who: ['Admin'],
  summary: 'Write down that fees of a refused request were given back',
  body: z.object({
    requestId: z.int().min(1),
    amount: fils.min(1),
    reference: z.string().trim().min(1).max(longestRefundReference),
    refundedBefore: fils.optional(),
  }),
  reply: requestRefund,
  refusals: ['RequestNotFound', 'RefundReferenceTaken', 'RefundHasChanged', 'RefundTooLarge'],
});
