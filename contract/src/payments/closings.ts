import { z } from 'zod';
import { defineCall, money, moneyReaders } from '../wire/call.ts';
import { recordId } from '../wire/ids.ts';
import { pageNumber, pageOf, take } from '../wire/paging.ts';
import { ledgerAccounts } from './ledger.ts';
import { paymentProviderNames } from './providers.ts';

const id = recordId;

/** What is closed: its days, entries and sums in the smallest unit of each currency. */
export const closingContent = z.object({
  days: z.array(z.string()),
  entries: z.int(),
  accounts: z.array(
    z.object({
      account: z.enum(ledgerAccounts),
      currency: z.string(),
      debits: z.int(),
      credits: z.int(),
    }),
  ),
  providers: z.array(
    z.object({
      provider: z.enum(paymentProviderNames),
      account: z.enum(ledgerAccounts),
      currency: z.string(),
      debits: z.int(),
      credits: z.int(),
    }),
  ),
  /** SHA-256 of all entries with their lines, in hexadecimal: decision 0131 says of which text. */
  hash: z.string(),
});
export type ClosingContent = z.infer<typeof closingContent>;

/** `waiting`: another person must confirm it. */
export const closingStates = ['waiting', 'closed', 'refused'] as const;
export type ClosingState = (typeof closingStates)[number];

/** Days that were closed together, or that somebody asks to close. */
export const ledgerClosing = z.object({
  id: z.int(),
  from: z.string(),
  until: z.string(),
  state: z.enum(closingStates),
  askedAt: z.string(),
  /** The person who asked for it; missing where the portal closed reconciled days. */
  askedBy: z.string().optional(),
  decidedBy: z.string().optional(),
  /** Whether this caller asked for it, and so cannot confirm it. */
  isOwn: z.boolean(),
});
export type LedgerClosing = z.infer<typeof ledgerClosing>;

/** Our own calls: the specification shows no ledger. Decision 0131. */
export const getLedgerClosings = defineCall({
  name: 'getLedgerClosings',
  method: 'GET',
  path: '/api/Ledger/GetLedgerClosings',
  who: moneyReaders,
  summary: 'Closings of days: the one that waits first, then the newest',
  query: z.object({ PageNumber: pageNumber, Take: take }),
  reply: pageOf(ledgerClosing),
  refusals: [],
});

export const previewLedgerClosing = defineCall({
  name: 'previewLedgerClosing',
  method: 'GET',
  path: '/api/Ledger/PreviewLedgerClosing',
  who: moneyReaders,
  summary: 'Which days and sums would be closed up to a day',
  query: z.object({ Until: z.iso.date() }),
  reply: closingContent,
  refusals: [],
});

export const decideLedgerClosing = defineCall({
  name: 'decideLedgerClosing',
  method: 'POST',
  path: '/api/Ledger/DecideLedgerClosing',
  who: money,
  summary: 'Close the days that another person asked to close, or refuse it',
  body: z.object({ id, isConfirmed: z.boolean() }),
  reply: ledgerClosing,
  refusals: [
    'NotFound',
    'RecordHasChanged',
    'DayIsClosed',
    'SettlementIsMissing',
    'DayHasDifferences',
    'DayHasWithdrawal',
    'DecisionNeedsSecondPerson',
    'SecondPersonNotIndependent',
  ],
});

export const getClosingStatement = defineCall({
  name: 'getClosingStatement',
  method: 'GET',
  path: '/api/Ledger/GetClosingStatement',
  who: moneyReaders,
  summary: 'The sealed statement of a closing as a PDF: entries, sums, hash, who closed it',
  query: z.object({ Id: z.coerce.number().pipe(id) }),
  reply: 'file',
  isExport: true,
  refusals: ['NotFound'],
});
