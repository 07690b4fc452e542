import type { Transaction } from '#platform/database/database.ts';
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
