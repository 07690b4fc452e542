import { z } from 'zod';
import { invoiceKinds, paymentMethods, paymentStatuses } from '../requests/payments.ts';
import { defineCall, moneyReaders } from '../wire/call.ts';
import { isRealDay } from '../wire/days.ts';
import { recordIdInAddress } from '../wire/ids.ts';
import { totalFils } from '../wire/money.ts';
import { pageNumber, pageOf, take } from '../wire/paging.ts';
import { paymentProviderNames } from './providers.ts';

/**
 * The lists of money that the payment administration filters and exports, with the states of each
 * by which it is filtered; a document has a kind instead, and its day is that of its payment or refund.
 * A list shows what is open, or everything, where no state is chosen.
 */
export const paymentLists = {
  payments: paymentStatuses,
  refunds: ['waiting', 'ready', 'sent', 'succeeded', 'refused', 'withdrawn'],
  cases: ['open', 'decided'],
  differences: ['open', 'waiting', 'resolved'],
  charges: ['payment', 'refund'],
  documents: invoiceKinds,
  payouts: ['waiting', 'booked', 'refused', 'returned'],
} as const;
export type PaymentListName = keyof typeof paymentLists;
export type StateOf<List extends PaymentListName> = (typeof paymentLists)[List][number];

/** The longest text that is searched in a list. */
export const maximumListKeyword = 80;

const day = z.string().max(10).refine(isRealDay, 'is no day');
const amount = z.coerce.number().pipe(totalFils);

/**
 * The filters of every list of payments. `Keyword`: the number of a request, an invoice, a receipt, a
 * credit note or a certificate, or a reference, in any spelling. Days are those of Asia/Dubai, both
 * included; amounts are in the smallest unit, both included.
 */
export const paymentFilter = {
  Keyword: z.string().trim().max(maximumListKeyword).optional(),
  From: day.optional(),
  Until: day.optional(),
  AgencyId: recordIdInAddress.optional(),
  Provider: z.enum(paymentProviderNames).optional(),
  Method: z.enum(paymentMethods).optional(),
  MinAmount: amount.optional(),
  MaxAmount: amount.optional(),
};

/** The query of a list: its filters, its states and the page. */
export const paymentListQuery = <List extends PaymentListName>(list: List) =>
  z.object({
    ...paymentFilter,
    State: z.enum(paymentLists[list] as readonly StateOf<List>[]).optional(),
    PageNumber: pageNumber,
    Take: take,
  });

/** How many rows of a currency the whole filtered list has, and their sum in its smallest unit. */
export const paymentSum = z.object({ currency: z.string(), count: z.int(), amount: z.int() });
export type PaymentSum = z.infer<typeof paymentSum>;

/** A page of a list with the sums of the whole filtered list. */
export const paymentPageOf = <Item extends z.ZodType>(item: Item) =>
  pageOf(item).extend({ sums: z.array(paymentSum) });

/** What a provider charged for a payment or a refund, by a line of its settlement file. */
export const chargeLine = z.object({
  id: z.int(),
  provider: z.enum(paymentProviderNames),
  kind: z.enum(paymentLists.charges),
  merchantReference: z.string(),
  requestNumber: z.string().optional(),
  /** The payment or the refund, and the provider's charge for it. */
  amount: z.int(),
  charge: z.int(),
  currency: z.string(),
  at: z.string(),
});
export type ChargeLine = z.infer<typeof chargeLine>;

/** Our own calls: the specification shows no such lists. */
export const getProviderChargeLines = defineCall({
  name: 'getProviderChargeLines',
  method: 'GET',
  path: '/api/Ledger/GetProviderChargeLines',
  who: moneyReaders,
  summary: 'What payment providers charged by the lines of their settlement files, newest first',
  query: paymentListQuery('charges'),
  reply: paymentPageOf(chargeLine),
  refusals: [],
});

/** The forms of an export. */
export const listFormats = ['xlsx', 'csv'] as const;
export type ListFormat = (typeof listFormats)[number];

export const exportPaymentList = defineCall({
  name: 'exportPaymentList',
  method: 'GET',
  mayLag: true,
  path: '/api/Payment/ExportPaymentList',
  who: moneyReaders,
  summary: 'A whole filtered list of the payment administration as a workbook or CSV',
  query: z.object({
    ...paymentFilter,
    List: z.enum(Object.keys(paymentLists) as PaymentListName[]),
    Format: z.enum(listFormats),
    State: z.enum([...new Set(Object.values(paymentLists).flat())]).optional(),
  }),
  reply: 'file',
  isExport: true,
  refusals: [],
});
