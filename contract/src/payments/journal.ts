import { z } from 'zod';
import { defineCall, moneyReaders } from '../wire/call.ts';
import { recordId } from '../wire/ids.ts';
import { pageNumber, pageOf, take } from '../wire/paging.ts';
import { ledgerAccounts, ledgerEntryKinds } from './ledger.ts';
import { paymentProviderNames } from './providers.ts';

const day = z.iso.date();
const id = recordId;

/**
 * Which entries. Days in Asia/Dubai, both included. Without a request number or a payment reference
 * both days are needed, a year apart at most. Account, agency and provider are those of a line.
 */
const journalFilter = {
  From: day.optional(),
  Until: day.optional(),
  Account: z.enum(ledgerAccounts).optional(),
  AgencyId: z.coerce.number().pipe(id).optional(),
  Provider: z.enum(paymentProviderNames).optional(),
  RequestNumber: z.string().trim().min(1).max(60).optional(),
  MerchantReference: z.string().trim().min(1).max(60).optional(),
};

/** A line of an entry, in the smallest unit of its currency: one of debit and credit is zero. */
export const journalLine = z.object({
  account: z.enum(ledgerAccounts),
  provider: z.enum(paymentProviderNames).optional(),
  agencyName: z.string().optional(),
  debit: z.int(),
  credit: z.int(),
});

/** An entry of the ledger with its lines. `at`: the moment of what it books; `day`: where it counts. */
export const journalEntry = z.object({
  id: z.int(),
  day: z.string(),
  at: z.string(),
  kind: z.enum(ledgerEntryKinds),
  currency: z.string(),
  requestNumber: z.string().optional(),
  merchantReference: z.string().optional(),
  note: z.string(),
  /** The person who booked it; missing where the portal did. */
  postedBy: z.string().optional(),
  lines: z.array(journalLine),
});
export type JournalEntry = z.infer<typeof journalEntry>;

/** The debits and credits of a currency, over all pages. */
export const journalSum = z.object({ currency: z.string(), debits: z.int(), credits: z.int() });
export type JournalSum = z.infer<typeof journalSum>;

/** Our own calls: the specification shows no ledger. */
export const getJournal = defineCall({
  name: 'getJournal',
  method: 'GET',
  path: '/api/Ledger/GetJournal',
  who: moneyReaders,
  summary:
    'Entries of the ledger by their time, with their lines; the sums are those of the lines that match',
  query: z.object({ ...journalFilter, PageNumber: pageNumber, Take: take }),
  reply: pageOf(journalEntry).extend({ sums: z.array(journalSum) }),
  refusals: ['StatementPeriodWrong'],
});

/** The forms of an exported journal. */
export const journalFormats = ['xlsx', 'csv'] as const;
export type JournalFormat = (typeof journalFormats)[number];

export const exportJournal = defineCall({
  name: 'exportJournal',
  method: 'GET',
  mayLag: true,
  path: '/api/Ledger/ExportJournal',
  who: moneyReaders,
  summary: 'Entries of the ledger as a workbook or CSV, a row for each of their lines',
  query: z.object({ ...journalFilter, Format: z.enum(journalFormats) }),
  reply: 'file',
  isExport: true,
  refusals: ['StatementPeriodWrong'],
});

/**
 * An account in a currency: its balance before the period and after it (debits are positive), and its
 * debits and credits within the period.
 */
export const trialBalanceRow = z.object({
  account: z.enum(ledgerAccounts),
  currency: z.string(),
  opening: z.int(),
  debits: z.int(),
  credits: z.int(),
  closing: z.int(),
});
export type TrialBalanceRow = z.infer<typeof trialBalanceRow>;

const period = { From: day, Until: day };

export const getTrialBalance = defineCall({
  name: 'getTrialBalance',
  method: 'GET',
  path: '/api/Ledger/GetTrialBalance',
  who: moneyReaders,
  summary: 'Opening, debits, credits and closing of each account and currency for a period',
  query: z.object(period),
  reply: z.array(trialBalanceRow),
  refusals: ['StatementPeriodWrong'],
});

export const exportTrialBalance = defineCall({
  name: 'exportTrialBalance',
  method: 'GET',
  mayLag: true,
  path: '/api/Ledger/ExportTrialBalance',
  who: moneyReaders,
  summary: 'The trial balance of a period as a workbook',
  query: z.object(period),
  reply: 'file',
  isExport: true,
  refusals: ['StatementPeriodWrong'],
});
