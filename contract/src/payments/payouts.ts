import { z } from 'zod';
import { defineCall, money, moneyReaders } from '../wire/call.ts';
import { recordId, recordVersion } from '../wire/ids.ts';
import { paymentListQuery, paymentLists, paymentPageOf } from './payment-lists.ts';
import { paymentProviderNames } from './providers.ts';

const id = recordId;
const day = z.iso.date();
const currency = z.string().regex(/^[A-Z]{3}$/);

/** Who is paid out: an agency by its id, or a payment provider by its name. */
const payeeOf = {
  agencyId: id.optional(),
  provider: z.enum(paymentProviderNames).optional(),
};
const payeeInQuery = {
  AgencyId: z.coerce.number().pipe(id).optional(),
  Provider: z.enum(paymentProviderNames).optional(),
};

/**
 * What is owed to an agency or a payment provider in a currency. `owed`: positive where the portal
 * owes it, negative where it holds money of the portal. `waiting`: payouts that a second person must
 * confirm. Amounts in the smallest unit of the currency.
 */
export const payee = z.object({
  ...payeeOf,
  name: z.string(),
  currency: z.string(),
  owed: z.int(),
  waiting: z.int(),
  /** The day of the last payout. */
  paidOn: z.string().optional(),
});
export type Payee = z.infer<typeof payee>;

/** `waiting`: another person must confirm it. `returned`: the bank sent the money back. */
export const payoutStates = paymentLists.payouts;
export type PayoutState = (typeof payoutStates)[number];

/** What an admin decides about a payout. `return`: the bank sent the money back. */
export const payoutDecisions = ['confirm', 'refuse', 'return'] as const;
export type PayoutDecision = (typeof payoutDecisions)[number];

/** A payout. `reference` is the bank's; `paidOn` is its day in Asia/Dubai. */
export const payout = z.object({
  id: z.int(),
  ...payeeOf,
  name: z.string(),
  amount: z.int(),
  currency: z.string(),
  reference: z.string(),
  paidOn: z.string(),
  note: z.string(),
  state: z.enum(payoutStates),
  /** What this caller may decide. */
  decisions: z.array(z.enum(payoutDecisions)),
  requestedBy: z.string(),
  decidedBy: z.string().optional(),
  version: z.int(),
});
export type Payout = z.infer<typeof payout>;

/** Our own calls: the specification shows no ledger. Decision 0088. */
export const getPayees = defineCall({
  name: 'getPayees',
  method: 'GET',
  path: '/api/Ledger/GetPayees',
  who: moneyReaders,
  summary: 'What is owed to each agency and payment provider, agencies first',
  reply: z.array(payee),
  refusals: [],
});

export const getPayouts = defineCall({
  name: 'getPayouts',
  method: 'GET',
  path: '/api/Ledger/GetPayouts',
  who: moneyReaders,
  summary: 'Payouts to agencies and payment providers: those that wait first, then the newest',
  query: paymentListQuery('payouts'),
  reply: paymentPageOf(payout),
  refusals: [],
});

export const requestPayout = defineCall({
  name: 'requestPayout',
  method: 'POST',
  path: '/api/Ledger/RequestPayout',
  who: money,
  summary:
    'Record what was paid out to an agency or provider; a large amount waits for a second person',
  body: z.object({
    ...payeeOf,
    amount: z.int().min(1).max(100_000_000_000_000),
    currency,
    reference: z.string().trim().min(1).max(100),
    paidOn: day,
    note: z.string().trim().max(500),
  }),
  reply: payout,
  refusals: ['PayeeNotFound', 'PayoutAboveOwed', 'PayoutReferenceTaken', 'PayoutDayWrong'],
});

export const decidePayout = defineCall({
  name: 'decidePayout',
  method: 'POST',
  path: '/api/Ledger/DecidePayout',
  who: money,
  summary: 'Confirm or refuse a payout that waits, or book that the bank returned it',
  body: z.object({
    id,
    version: recordVersion,
    decision: z.enum(payoutDecisions),
  }),
  reply: payout,
  refusals: [
    'PayoutNotFound',
    'RecordHasChanged',
    'DecisionNotPossible',
    'DecisionNeedsSecondPerson',
    'SecondPersonNotIndependent',
    'PayoutAboveOwed',
  ],
});

/** The forms of a statement. */
export const statementFormats = ['pdf', 'xlsx'] as const;
export type StatementFormat = (typeof statementFormats)[number];

/** The longest period of a statement, in days. */
export const longestStatementDays = 366;

export const getPayeeStatement = defineCall({
  name: 'getPayeeStatement',
  method: 'GET',
  path: '/api/Ledger/GetPayeeStatement',
  who: moneyReaders,
  summary: 'The statement of an agency or payment provider for a period, as a PDF or a workbook',
  query: z.object({
    ...payeeInQuery,
    Currency: currency.default('AED'),
    From: day,
    Until: day,
    Format: z.enum(statementFormats),
  }),
  reply: 'file',
  isExport: true,
  refusals: ['PayeeNotFound', 'StatementPeriodWrong'],
});
