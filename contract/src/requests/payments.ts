import { z } from 'zod';
import { applicants, defineCall, requestReaders } from '../wire/call.ts';
import { longIdInAddress } from '../wire/ids.ts';
import { fils } from '../wire/money.ts';

/** How a person pays. The page of the provider asks for what the method needs. Decision 0094. */
export const paymentMethods = ['card', 'bankAccount'] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

/**
 * The statuses of a payment, computed from its events. `expired`: the page was closed unpaid.
 * `held`: another amount or currency arrived and an admin decides. `returned`: that amount goes back.
 */
export const paymentStatuses = [
  'pending',
  'paid',
  'declined',
  'cancelled',
  'expired',
  'held',
  'returned',
] as const;
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
  repeats: 'continues',
  path: '/api/Payment/CreatePayment{requestId}',
  who: applicants,
  summary: 'Begin the payment of an own request; the reply is the address for the browser',
  params: z.object({ requestId: longIdInAddress }),
  /** Our own. Another method than that of the open payment closes its page first. */
  query: z.object({ Method: z.enum(paymentMethods).optional() }),
  reply: z.object({ paymentUrl: z.string(), merchantReference: z.string() }),
  refusals: [
    'RequestNotFound',
    'RequestAlreadyPaid',
    'RequestNotPayable',
    'PaymentIsHeld',
    'PaymentProviderUnreachable',
    'FineHasChanged',
    'FinesRegisterUnreachable',
    'TooManyRequests',
  ],
});

/** Our own call. Methods are offered where a rule chooses the provider by the method. Decision 0094. */
export const getPaymentMethods = defineCall({
  name: 'getPaymentMethods',
  method: 'GET',
  path: '/api/Payment/GetPaymentMethods',
  who: applicants,
  summary: 'The methods of payment between which the person chooses; none where there is no choice',
  reply: z.array(z.enum(paymentMethods)),
  refusals: [],
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
  /** `lastPayment`, our own: while it is not paid, what became of the last attempt to pay. */
  reply: z.object({ isPaid: z.boolean(), lastPayment: z.enum(paymentStatuses).optional() }),
  refusals: ['RequestNotFound', 'TooManyRequests'],
});

/** An invoice and a receipt for a payment, and a credit note for a refund. */
export const invoiceKinds = ['invoice', 'receipt', 'creditNote'] as const;
export type InvoiceKind = (typeof invoiceKinds)[number];

/** Whether the money of an invoice was refunded meanwhile. */
export const invoiceStates = ['paid', 'refundedInPart', 'refunded'] as const;
export type InvoiceState = (typeof invoiceStates)[number];

/**
 * The reply is the `filePath` of `DownloadFile`: one PDF with the invoices and receipts of all
 * payments and the credit notes of all refunds, or those of `Kind`, which is our own. The first call
 * issues those that are missing. Service providers do not
 * see the money of a request. Decision 0072.
 */
export const getInvoicePathByRequestId = defineCall({
  name: 'getInvoicePathByRequestId',
  method: 'GET',
  path: '/api/Invoice/GetInvoicePathByRequestId',
  who: [...applicants, ...requestReaders],
  summary: 'A short-lived reference for DownloadFile to the invoices of a paid request, as PDF/A',
  query: z.object({
    RequestId: longIdInAddress,
    Kind: z.enum(invoiceKinds).optional(),
  }),
  reply: z.string(),
  refusals: ['RequestNotFound', 'InvoiceNotFound', 'TooManyRequests'],
});

/**
 * What the code on an invoice confirms, and nothing that names a person or a service. `total` is in
 * fils, `issuedOn` a day in Asia/Dubai. Without a number the code is not one of this portal.
 */
export const invoiceCheck = z.object({
  isGenuine: z.boolean(),
  kind: z.enum(invoiceKinds).optional(),
  number: z.string().optional(),
  total: fils.optional(),
  issuedOn: z.iso.date().optional(),
  state: z.enum(invoiceStates).optional(),
});
export type InvoiceCheck = z.infer<typeof invoiceCheck>;

/** Our own call: the page to which the QR code of an invoice leads. */
export const checkInvoice = defineCall({
  name: 'checkInvoice',
  method: 'GET',
  path: '/api/Invoice/CheckInvoice',
  who: 'anyone',
  summary: 'Whether an invoice is genuine, by the signed code on it',
  query: z.object({ Code: z.string().trim().min(1).max(100) }),
  reply: invoiceCheck,
  refusals: ['TooManyRequests'],
});

/**
 * What the electronic seal of a file says. `genuine`: as this portal made it; `changed`: sealed by
 * this portal and changed afterwards; `unknown`: without a seal of this portal.
 */
export const sealStates = ['genuine', 'changed', 'unknown'] as const;
export type SealState = (typeof sealStates)[number];

/** The largest file that `checkSealedFile` takes, in bytes. */
export const maximumSealedFileBytes = 700_000;

/** Our own call: checks the seal of a file, which is not stored. `content` is the file in base64. */
export const checkSealedFile = defineCall({
  name: 'checkSealedFile',
  method: 'POST',
  repeats: 'harmless',
  path: '/api/Invoice/CheckSealedFile',
  who: 'anyone',
  summary: 'Whether a PDF is as this portal sealed it',
  body: z.object({
    content: z
      .base64()
      .min(1)
      .max(Math.ceil(maximumSealedFileBytes / 3) * 4),
  }),
  reply: z.object({ state: z.enum(sealStates) }),
  refusals: ['TooManyRequests'],
});
