import { z } from 'zod';
import { defineCall, money, moneyReaders } from '../wire/call.ts';
import { recordId, recordVersion, versionOrNew } from '../wire/ids.ts';
import { pageNumber, pageOf, take } from '../wire/paging.ts';
import { paymentListQuery, paymentLists, paymentPageOf } from './payment-lists.ts';
import { paymentProviderNames } from './providers.ts';

/**
 * The accounts of the ledger. `receivable`: what applicants owe; a credit is owed to them.
 * `providerCash`: what a payment provider holds. `bank`: what reached or left the bank account.
 * `differences`: what settlement files contradict, as an admin decided. `payouts`: what agencies were
 * paid out of their revenue.
 */
export const ledgerAccounts = [
  'receivable',
  'providerCash',
  'bank',
  'vat',
  'revenue',
  'refunds',
  'providerCharges',
  'differences',
  'payouts',
] as const;
export type LedgerAccount = (typeof ledgerAccounts)[number];

/**
 * `received`: money arrived. `sale`: a payment counts as paid. `refund`: money went back.
 * `settled`: a line of a settlement file. `correction`: an admin resolved a difference. `payout`:
 * money was paid out; `payoutReturned`: it came back. `settlementWithdrawn`: a settlement file was
 * withdrawn, and what it had booked is turned round.
 */
export const ledgerEntryKinds = [
  'received',
  'sale',
  'refund',
  'settled',
  'correction',
  'payout',
  'payoutReturned',
  'settlementWithdrawn',
] as const;
export type LedgerEntryKind = (typeof ledgerEntryKinds)[number];

/**
 * How a settlement file differs from the ledger. `missingHere`: a charge that the ledger does not
 * know. `missingThere`: a payment or refund that the file of its day does not have. `doubled`: it is
 * in the files twice. `unknownRefund`: a refund that nobody asked for.
 */
export const settlementDifferenceKinds = [
  'missingHere',
  'missingThere',
  'otherAmount',
  'otherCurrency',
  'otherCharge',
  'otherDay',
  'doubled',
  'unknownRefund',
] as const;
export type SettlementDifferenceKind = (typeof settlementDifferenceKinds)[number];

/**
 * `accept`: the reason explains it, and nothing is booked. `correct`: the ledger follows the file by
 * an entry against the account of differences. `found`: a later file had the line. `withdrawn`: the
 * file was withdrawn.
 */
export const settlementDecisions = ['accept', 'correct', 'found', 'withdrawn'] as const;
export type SettlementDecision = (typeof settlementDecisions)[number];

/** `waiting`: another person must confirm the decision. */
export const settlementDifferenceStates = paymentLists.differences;
export type SettlementDifferenceState = (typeof settlementDifferenceStates)[number];

/** The largest settlement file, in bytes. */
export const maximumSettlementBytes = 5_000_000;

const id = recordId;
const day = z.iso.date();
const note = z.string().trim().min(1).max(500);

/** A cell of a file that is wrong. `row` counts from 1 with the header; `message` says why. */
export const settlementProblem = z.object({
  row: z.int(),
  column: z.string(),
  message: z.string(),
});
export type SettlementProblem = z.infer<typeof settlementProblem>;

/**
 * What an import found. With `problems` nothing was imported. `isKnown`: the file was imported
 * before, and nothing changed.
 */
export const settlementImport = z.object({
  isKnown: z.boolean(),
  lines: z.int(),
  matched: z.int(),
  differences: z.int(),
  problems: z.array(settlementProblem),
});
export type SettlementImport = z.infer<typeof settlementImport>;

export const importSettlement = defineCall({
  name: 'importSettlement',
  method: 'POST',
  repeats: 'unstored',
  path: '/api/Ledger/ImportSettlement',
  who: money,
  summary: 'Import the settlement file of a provider for a day: CSV, compared line by line',
  query: z.object({ Provider: z.enum(paymentProviderNames), Day: day }),
  consumes: 'bytes',
  reply: settlementImport,
  refusals: ['SettlementFileTooLarge', 'DayIsNotOver'],
});

export const fetchSettlement = defineCall({
  name: 'fetchSettlement',
  method: 'POST',
  repeats: 'unstored',
  path: '/api/Ledger/FetchSettlement',
  who: money,
  summary: 'Fetch the settlement of a day from a provider, and compare it line by line',
  body: z.object({ provider: z.enum(paymentProviderNames), day }),
  reply: settlementImport,
  refusals: ['DayIsNotOver', 'PaymentProviderUnreachable', 'SettlementNotOffered'],
});

/** A difference with what may be decided about it. Amounts have their sign. */
export const settlementDifference = z.object({
  id: z.int(),
  kind: z.enum(settlementDifferenceKinds),
  provider: z.enum(paymentProviderNames),
  day: z.string(),
  /** The row of the file, where the file has the line. */
  row: z.int().optional(),
  merchantReference: z.string(),
  /** Whether a payment of ours has this reference. */
  isKnown: z.boolean(),
  expected: z.int().optional(),
  actual: z.int().optional(),
  currency: z.string(),
  state: z.enum(settlementDifferenceStates),
  decisions: z.array(z.enum(settlementDecisions)),
  decision: z.enum(settlementDecisions).optional(),
  note: z.string(),
  proposedBy: z.string().optional(),
  decidedBy: z.string().optional(),
  /** Whether this caller proposed the decision, and so cannot confirm it. */
  isOwn: z.boolean(),
  createdAt: z.string(),
  version: z.int(),
});
export type SettlementDifference = z.infer<typeof settlementDifference>;

export const getSettlementDifferences = defineCall({
  name: 'getSettlementDifferences',
  method: 'GET',
  path: '/api/Ledger/GetSettlementDifferences',
  who: moneyReaders,
  summary:
    'What settlement files and the ledger disagree about, the oldest first; or resolved ones',
  query: paymentListQuery('differences'),
  reply: paymentPageOf(settlementDifference),
  refusals: [],
});

export const decideSettlementDifference = defineCall({
  name: 'decideSettlementDifference',
  method: 'POST',
  path: '/api/Ledger/DecideSettlementDifference',
  who: money,
  summary:
    'Accept a difference with a reason, or book a correction; large ones wait for a second person',
  body: z.object({
    id,
    version: recordVersion,
    decision: z.enum(['accept', 'correct']),
    note,
  }),
  reply: settlementDifference,
  refusals: [
    'DifferenceNotFound',
    'DifferenceIsResolved',
    'RecordHasChanged',
    'DecisionNotPossible',
  ],
});

export const confirmSettlementDifference = defineCall({
  name: 'confirmSettlementDifference',
  method: 'POST',
  path: '/api/Ledger/ConfirmSettlementDifference',
  who: money,
  summary: 'Confirm or send back the decision of another person about a difference',
  body: z.object({ id, version: recordVersion, isConfirmed: z.boolean() }),
  reply: settlementDifference,
  refusals: [
    'DifferenceNotFound',
    'DifferenceIsResolved',
    'RecordHasChanged',
    'DecisionNeedsSecondPerson',
    'SecondPersonNotIndependent',
  ],
});

/** The balance of an account, by provider or agency where it has one. Debits are positive. */
export const ledgerBalance = z.object({
  account: z.enum(ledgerAccounts),
  provider: z.enum(paymentProviderNames).optional(),
  agencyId: z.int().optional(),
  agencyName: z.string().optional(),
  currency: z.string(),
  debits: z.int(),
  credits: z.int(),
  balance: z.int(),
});
export type LedgerBalance = z.infer<typeof ledgerBalance>;

export const getLedgerBalances = defineCall({
  name: 'getLedgerBalances',
  method: 'GET',
  path: '/api/Ledger/GetLedgerBalances',
  who: moneyReaders,
  summary: 'The balance of each account of the ledger, by provider and agency',
  reply: z.array(ledgerBalance),
  refusals: [],
});

/** The debits minus the credits of an account on a day. */
export const ledgerTotal = z.object({
  account: z.enum(ledgerAccounts),
  currency: z.string(),
  amount: z.int(),
});
export type LedgerTotal = z.infer<typeof ledgerTotal>;

/** A day of the ledger in Asia/Dubai, with what keeps it open. */
export const ledgerDay = z.object({
  day: z.string(),
  entries: z.int(),
  totals: z.array(ledgerTotal),
  openDifferences: z.int(),
  /** Providers that hold money of the day and whose file is missing. */
  missingSettlements: z.array(z.enum(paymentProviderNames)),
  /** Settlement files of the day whose withdrawal waits for a second person. */
  waitingWithdrawals: z.int(),
  closedAt: z.string().optional(),
  closedBy: z.string().optional(),
});
export type LedgerDay = z.infer<typeof ledgerDay>;

export const getLedgerDays = defineCall({
  name: 'getLedgerDays',
  method: 'GET',
  path: '/api/Ledger/GetLedgerDays',
  who: moneyReaders,
  summary: 'The days of the ledger, the newest first, with their totals and what keeps them open',
  query: z.object({ PageNumber: pageNumber, Take: take }),
  reply: pageOf(ledgerDay),
  refusals: [],
});

export const closeLedgerDay = defineCall({
  name: 'closeLedgerDay',
  method: 'POST',
  path: '/api/Ledger/CloseLedgerDay',
  who: money,
  summary: 'Close the days up to a day; nothing is booked on them from then on',
  body: z.object({ day }),
  reply: ledgerDay,
  refusals: [
    'DayIsNotOver',
    'DayIsClosed',
    'SettlementIsMissing',
    'DayHasDifferences',
    'DayHasWithdrawal',
    'ClosingIsWaiting',
  ],
});

/** What a provider charges for a payment: `rate` in basis points of the amount, `fixed` in fils. */
export const providerChargeRate = z.object({
  provider: z.enum(paymentProviderNames),
  rate: z.int(),
  fixed: z.int(),
  version: z.int(),
  /** Whether its settlement can be fetched; else its file is uploaded. */
  isFetched: z.boolean(),
});
export type ProviderChargeRate = z.infer<typeof providerChargeRate>;

export const getProviderCharges = defineCall({
  name: 'getProviderCharges',
  method: 'GET',
  path: '/api/Ledger/GetProviderCharges',
  who: moneyReaders,
  summary: 'What each payment provider charges; version 0: not known, and not compared',
  reply: z.array(providerChargeRate),
  refusals: [],
});

export const saveProviderCharge = defineCall({
  name: 'saveProviderCharge',
  method: 'POST',
  path: '/api/Ledger/SaveProviderCharge',
  who: money,
  summary: 'Set what a payment provider charges, with which its settlement is compared',
  body: z.object({
    provider: z.enum(paymentProviderNames),
    rate: z.int().min(0).max(10_000),
    fixed: z.int().min(0).max(1_000_000),
    version: versionOrNew,
  }),
  reply: z.array(providerChargeRate),
  refusals: ['RecordHasChanged'],
});
