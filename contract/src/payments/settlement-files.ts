import { z } from 'zod';
import { defineCall, money, moneyReaders } from '../wire/call.ts';
import { recordId } from '../wire/ids.ts';
import { pageNumber, pageOf, take } from '../wire/paging.ts';
import { paymentProviderNames } from './providers.ts';

const id = recordId;

/** `waiting`: another person must confirm that it is withdrawn. */
export const settlementFileStates = ['imported', 'waiting', 'withdrawn'] as const;
export type SettlementFileState = (typeof settlementFileStates)[number];

/** An imported settlement file, and who withdrew it or asks for it. */
export const settlementFile = z.object({
  id: z.int(),
  provider: z.enum(paymentProviderNames),
  day: z.string(),
  lines: z.int(),
  matched: z.int(),
  differences: z.int(),
  importedAt: z.string(),
  /** The person who imported it; missing where the portal fetched it. */
  importedBy: z.string().optional(),
  state: z.enum(settlementFileStates),
  /** Whether its day is closed, so that it stays. */
  isClosed: z.boolean(),
  reason: z.string().optional(),
  askedBy: z.string().optional(),
  decidedBy: z.string().optional(),
  /** Whether this caller asked for it, and so cannot confirm it. */
  isOwn: z.boolean(),
});
export type SettlementFile = z.infer<typeof settlementFile>;

/** Our own calls: the specification shows no settlement. */
export const getSettlementFiles = defineCall({
  name: 'getSettlementFiles',
  method: 'GET',
  path: '/api/Ledger/GetSettlementFiles',
  who: moneyReaders,
  summary: 'Settlement files, the newest first, with those that were withdrawn',
  query: z.object({ PageNumber: pageNumber, Take: take }),
  reply: pageOf(settlementFile),
  refusals: [],
});

export const withdrawSettlement = defineCall({
  name: 'withdrawSettlement',
  method: 'POST',
  path: '/api/Ledger/WithdrawSettlement',
  who: money,
  summary:
    'Withdraw a settlement file of open days; where it matched money, a second person confirms it',
  body: z.object({ id, reason: z.string().trim().min(1).max(500) }),
  reply: settlementFile,
  refusals: ['SettlementFileNotFound', 'SettlementIsWithdrawn', 'DayIsClosed'],
});

export const decideWithdrawal = defineCall({
  name: 'decideWithdrawal',
  method: 'POST',
  path: '/api/Ledger/DecideWithdrawal',
  who: money,
  summary: 'Confirm or refuse that another person withdraws a settlement file',
  body: z.object({ id, isConfirmed: z.boolean() }),
  reply: settlementFile,
  refusals: [
    'SettlementFileNotFound',
    'RecordHasChanged',
    'DayIsClosed',
    'DecisionNeedsSecondPerson',
    'SecondPersonNotIndependent',
  ],
});
