import { Refusal } from '#platform/core/refusals.ts';
import type { Transaction } from '#platform/database/database.ts';
import { longestStatementDays } from '@diwan/contract/payments/payouts';
import { dayAfter } from '@diwan/contract/wire/days';
import { findLastClosed, shareDays } from './days.store.ts';
import * as store from './ledger.store.ts';

/**
 * Books an entry once for its source, in the transaction of the event that it books. Lines of
 * nothing are left out. Returns its id; `undefined` when nothing was written.
 */
export async function postEntry(
  transaction: Transaction,
  entry: store.LedgerEntry,
): Promise<number | undefined> {
  const lines = entry.lines.filter(({ amount }) => amount !== 0);
  if (lines.length === 0) return undefined;
  return store.insertEntry(transaction, { ...entry, lines });
}

/** What the ledger says about the money of a request: `selectRequestBalance`. */
export function getRequestBalance(
  transaction: Transaction,
  requestId: number,
  currency: string,
): Promise<{ surplus: number; credited: number }> {
  return store.selectRequestBalance(transaction, requestId, currency);
}

/** Turns the entries of these sources round by others, in one statement: `insertReversals`. */
export const reverseEntries = store.insertReversals;

/**
 * The last closed day; `undefined` before the first. No day is closed until the transaction ends.
 */
export async function holdDaysOpen(transaction: Transaction): Promise<string | undefined> {
  await shareDays(transaction);
  return findLastClosed(transaction);
}

/** Refuses a period that ends before it begins or is longer than a year: StatementPeriodWrong. */
export function checkPeriod({ From, Until }: { From: string; Until: string }): void {
  if (Until < From || Until > dayAfter(From, longestStatementDays - 1))
    throw new Refusal('StatementPeriodWrong');
}
