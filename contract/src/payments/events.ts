import { z } from 'zod';
import { paymentMethods, paymentStatuses } from '../requests/payments.ts';
import { defineCall, money, moneyReaders, requestReaders, staff } from '../wire/call.ts';
import { longId, recordId, recordVersion } from '../wire/ids.ts';
import { fils, totalFils } from '../wire/money.ts';
import { paymentListQuery, paymentLists, paymentPageOf } from './payment-lists.ts';
import { paymentProviderNames } from './providers.ts';

/**
 * What happened to a payment: the provider's events, and ours. `expired`: the page was closed before
 * anybody paid. `accepted` and `returned`: an admin decided about an unexpected amount.
 */
export const paymentEventKinds = [
  'authorised',
  'paid',
  'declined',
  'cancelled',
  'expired',
  'accepted',
  'returned',
] as const;
export type PaymentEventKind = (typeof paymentEventKinds)[number];

/** From where an event is known: an answer or a message of the provider, ourselves, or an admin. */
export const paymentEventSources = ['answer', 'message', 'portal', 'admin'] as const;
export type PaymentEventSource = (typeof paymentEventSources)[number];

/** What became of a genuine message. */
export const messageVerdicts = ['applied', 'unchanged', 'unknownReference'] as const;
export type MessageVerdict = (typeof messageVerdicts)[number];

/** Why a message was refused. */
export const refusedMessageReasons = ['notGenuine', 'tooOld', 'unreadable', 'tooLarge'] as const;
export type RefusedMessageReason = (typeof refusedMessageReasons)[number];

/**
 * What an admin must decide: another amount or currency arrived, a genuine message names no payment
 * of ours or another session than the one of the payment, the provider refuses a refund, or a refund
 * does not finish in half a day. `refundElsewhere`: somebody refunded at the provider, where nobody
 * confirmed it. `dispute` and `disputeEnded`: the payer takes the money back through the bank.
 */
export const paymentCaseKinds = [
  'wrongAmount',
  'wrongCurrency',
  'unknownReference',
  'refundRefused',
  'refundUnanswered',
  'refundElsewhere',
  'dispute',
  'disputeEnded',
] as const;
export type PaymentCaseKind = (typeof paymentCaseKinds)[number];

/**
 * `accept`: the amount counts as paid, and what is missing or too much is paid or refunded. `return`:
 * it goes back. `close`: it was settled outside of the portal, as the note says. `retry`: the refund is
 * sent again. `notRefunded`: the provider did not make it, so it ends.
 */
export const caseDecisions = ['accept', 'return', 'close', 'retry', 'notRefunded'] as const;
export type CaseDecision = (typeof caseDecisions)[number];

/**
 * Why money goes back. `recorded`: it was paid back outside of the portal. `madeElsewhere`: somebody
 * refunded the payment at its provider.
 */
export const refundReasons = [
  'paidTwice',
  'chargedTwice',
  'unexpectedAmount',
  'requested',
  'recorded',
  'madeElsewhere',
] as const;
export type RefundReason = (typeof refundReasons)[number];

/**
 * `waiting` for a second person, `ready` to be sent, `sent` to the provider, and the ends:
 * `succeeded`, `refused` by the provider, `withdrawn` by the second person.
 */
export const refundStates = paymentLists.refunds;
export type RefundState = (typeof refundStates)[number];

/** The longest note of a decision, in characters. */
export const maximumPaymentNote = 500;
const note = z.string().trim().max(maximumPaymentNote);

/** A payment in the list of admins. */
export const paymentSummary = z.object({
  merchantReference: z.string(),
  requestId: z.int(),
  requestNumber: z.string(),
  provider: z.enum(paymentProviderNames),
  method: z.enum(paymentMethods),
  amount: fils,
  currency: z.string(),
  status: z.enum(paymentStatuses),
  createdAt: z.string(),
  refunded: fils,
});
export type PaymentSummary = z.infer<typeof paymentSummary>;

/**
 * A refund through the provider, or one that somebody says was made outside of the portal and that
 * a second person confirms: it has the bank's `outsideReference`, and no merchant reference. Names
 * are for staff.
 */
export const refundRecord = z.object({
  id: z.int(),
  merchantReference: z.string(),
  outsideReference: z.string().optional(),
  requestId: z.int(),
  requestNumber: z.string(),
  amount: fils,
  currency: z.string(),
  reason: z.enum(refundReasons),
  state: z.enum(refundStates),
  requestedBy: z.string(),
  decidedBy: z.string(),
  /** Whether this caller asked for it, and so cannot confirm it. */
  isOwn: z.boolean(),
  note: z.string(),
  createdAt: z.string(),
  expectedBy: z.string().optional(),
  lastError: z.string(),
  version: z.int(),
});
export type RefundRecord = z.infer<typeof refundRecord>;

/** One entry of the timeline of a payment. Times are UTC, money in the smallest unit. */
export const timelineEntry = z.object({
  at: z.string(),
  what: z.enum(['opened', 'event', 'message', 'case', 'decision', 'refund']),
  kind: z.string(),
  amount: z.int().optional(),
  currency: z.string().optional(),
  source: z.enum(paymentEventSources).optional(),
  times: z.int().optional(),
  note: z.string().optional(),
  by: z.string().optional(),
});
export type TimelineEntry = z.infer<typeof timelineEntry>;

/** A case with what an admin may decide about it now. */
export const paymentCase = z.object({
  id: z.int(),
  kind: z.enum(paymentCaseKinds),
  merchantReference: z.string(),
  requestId: z.int().optional(),
  requestNumber: z.string().optional(),
  provider: z.enum(paymentProviderNames),
  /** What arrived, in the smallest unit of its currency. */
  amount: z.int(),
  currency: z.string(),
  /** What was expected. */
  expected: fils.optional(),
  detail: z.string(),
  createdAt: z.string(),
  /** What this case allows now; empty once it is decided. */
  decisions: z.array(z.enum(caseDecisions)),
  decision: z.enum(caseDecisions).optional(),
  note: z.string(),
  decidedBy: z.string().optional(),
  decidedAt: z.string().optional(),
  version: z.int(),
});
export type PaymentCase = z.infer<typeof paymentCase>;

/** Messages that were refused, counted by provider, reason and hour. */
export const refusedMessages = z.object({
  provider: z.string(),
  reason: z.enum(refusedMessageReasons),
  hour: z.string(),
  times: z.int(),
  lastAt: z.string(),
  lastBytes: z.int(),
});
export type RefusedMessages = z.infer<typeof refusedMessages>;

export const getPayments = defineCall({
  name: 'getPayments',
  method: 'GET',
  path: '/api/Payment/GetPayments',
  who: moneyReaders,
  summary: 'Payments, the newest first, with filters and sums',
  query: paymentListQuery('payments'),
  reply: paymentPageOf(paymentSummary),
  refusals: [],
});

export const getPaymentTimeline = defineCall({
  name: 'getPaymentTimeline',
  method: 'GET',
  path: '/api/Payment/GetPaymentTimeline',
  who: moneyReaders,
  summary: 'A payment with everything that happened to it, and its refunds',
  query: z.object({ MerchantReference: z.string().min(1).max(60) }),
  reply: z.object({
    payment: paymentSummary,
    entries: z.array(timelineEntry),
    refunds: z.array(refundRecord),
    /** What can still be refunded of this payment, in fils. */
    refundable: fils,
  }),
  refusals: ['PaymentNotFound'],
});

export const getPaymentCases = defineCall({
  name: 'getPaymentCases',
  method: 'GET',
  path: '/api/Payment/GetPaymentCases',
  who: moneyReaders,
  summary: 'What an admin must decide about payments, the oldest first; or decided cases',
  query: paymentListQuery('cases'),
  reply: paymentPageOf(paymentCase),
  refusals: [],
});

export const decidePaymentCase = defineCall({
  name: 'decidePaymentCase',
  method: 'POST',
  path: '/api/Payment/DecidePaymentCase',
  who: money,
  summary: 'Accept or return an unexpected amount, repeat or end a refund, or close a case',
  body: z.object({
    id: recordId,
    version: recordVersion,
    decision: z.enum(caseDecisions),
    note: note.min(1),
  }),
  reply: paymentCase,
  refusals: ['PaymentCaseNotFound', 'CaseIsDecided', 'RecordHasChanged', 'DecisionNotPossible'],
});

export const getRefusedPaymentMessages = defineCall({
  name: 'getRefusedPaymentMessages',
  method: 'GET',
  path: '/api/Payment/GetRefusedPaymentMessages',
  who: moneyReaders,
  summary: 'Messages to the payment address that were refused in the last 30 days',
  reply: z.array(refusedMessages),
  refusals: [],
});

export const getRefunds = defineCall({
  name: 'getRefunds',
  method: 'GET',
  path: '/api/Payment/GetRefunds',
  who: requestReaders,
  summary: 'Refunds through the provider: those that wait for a second person first',
  query: paymentListQuery('refunds'),
  reply: paymentPageOf(refundRecord),
  refusals: [],
});

/**
 * Our own call. A refund by an employee waits for another person, of finance or an admin; so does one with which
 * the caller alone refunds more than the amount of a setting to the request within 24 hours.
 * `refundedBefore`, in fils, is the sum that the caller saw.
 */
export const requestRefund = defineCall({
  name: 'requestRefund',
  method: 'POST',
  path: '/api/Payment/RequestRefund',
  who: [...staff, 'Finance'],
  summary: 'Refund a request through the payment provider, in full or in part',
  body: z.object({
    requestId: longId,
    amount: totalFils.min(1),
    refundedBefore: totalFils,
    note,
  }),
  reply: z.array(refundRecord),
  refusals: ['RequestNotFound', 'RefundTooLarge', 'RefundHasChanged'],
});

export const decideRefund = defineCall({
  name: 'decideRefund',
  method: 'POST',
  path: '/api/Payment/DecideRefund',
  who: money,
  summary: 'Confirm or withdraw a refund that waits for a second person',
  body: z.object({ id: longId, version: recordVersion, isConfirmed: z.boolean(), note }),
  reply: refundRecord,
  refusals: [
    'RefundNotFound',
    'RefundIsDecided',
    'RecordHasChanged',
    'RefundNeedsSecondPerson',
    'SecondPersonNotIndependent',
  ],
});
