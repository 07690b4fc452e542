import { z } from 'zod';
import { defineCall } from '../wire/call.ts';
import { fils } from '../wire/money.ts';

/** The statuses of a payment, computed from the provider's messages. */
export const paymentStatuses = ['pending', 'paid', 'declined', 'cancelled'] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/**
 * One payment of a request; `amount` is in fils, `createdAt` is ISO 8601 in UTC,
 * `merchantReference` is our identifier for it at the provider.
 */
export const payment = z.object({
  merchantReference: z.string(),
  amount: fils,
  currency: z.literal('AED'),
  status: z.enum(paymentStatuses),
  createdAt: z.string(),
});
export type Payment = z.infer<typeof payment>;

export const createPayment = defineCall({
  name: 'createPayment',
  method: 'POST',
  path: '/api/Payment/CreatePayment{requestId}',
  who: ['Client', 'CompanyUser'],
  summary: 'Begin the payment of an own request; the reply is the address for the browser',
  params: z.object({ requestId: z.coerce.number().int().min(1) }),
  reply: z.object({ paymentUrl: z.string(), merchantReference: z.string() }),
  refusals: [
    'RequestNotFound',
    'RequestAlreadyPaid',
    'RequestNotPayable',
    'PaymentProviderUnreachable',
    'TooManyRequests',
  ],
});

/** The provider redirects the browser to this call. */
export const postPayProPaymentResult = defineCall({
  name: 'postPayProPaymentResult',
  method: 'GET',
  path: '/api/Payment/PostPayProPaymentResult',
  who: 'anyone',
  summary:
    'Verify a payment with the provider and redirect to /payment-status; repeated calls change nothing',
  query: z.object({ paymentSummary: z.string().min(1).max(4000) }),
  reply: 'redirect',
  refusals: ['PaymentNotFound', 'PaymentProviderUnreachable'],
});

export const checkRequestIsPaid = defineCall({
  name: 'checkRequestIsPaid',
  method: 'GET',
  path: '/api/Payment/CheckRequestIsPaid',
  who: 'anyone',
  summary: 'Whether a request is paid',
  query: z.object({ RequestNumber: z.string().min(1).max(40) }),
  reply: z.object({ isPaid: z.boolean() }),
  refusals: ['RequestNotFound', 'TooManyRequests'],
});
