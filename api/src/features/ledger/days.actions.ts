import type { Caller } from '#platform/auth/caller.ts';
import { recordChange } from '#platform/auth/changes.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { LedgerDay } from '@diwan/contract/payments/ledger';
import { dayAfter, todayInDubai } from '@diwan/contract/wire/days';
import * as store from './days.store.ts';

function checkReconciled(day: LedgerDay): void {
  const { openDifferences, missingSettlements, waitingWithdrawals } = day;
  // guard: close of a ledger day whose settlement is missing (settlement)
  if (missingSettlements.length > 0) throw new Refusal('SettlementIsMissing');
  // guard: close of a ledger day with differences (settlement)
  if (openDifferences > 0) throw new Refusal('DayHasDifferences');
  // guard: close of a ledger day with a file that is being withdrawn (withdrawals)
  if (waitingWithdrawals > 0) throw new Refusal('DayHasWithdrawal');
}

const isReconciled = (day: LedgerDay): boolean =>
  day.openDifferences === 0 && day.missingSettlements.length === 0 && day.waitingWithdrawals === 0;

async function closeAll(
  transaction: Transaction,
  days: readonly string[],
  closedBy: string | null,
): Promise<void> {
  for (const day of days) await store.insertClosed(transaction, day, closedBy);
}

/**
 * Closes a day and the open ones before it; nothing is booked on them from then on. Throws
 * DayIsNotOver, DayIsClosed, SettlementIsMissing, DayHasDifferences.
 */
export async function closeDay(
  database: Database,
  author: { caller: Caller; address: string },
  day: string,
): Promise<LedgerDay> {
  // guard: close of a ledger day that is not over (settlement)
  if (day >= todayInDubai()) throw new Refusal('DayIsNotOver');
  await inTransaction(database, async (transaction) => {
    await store.lockDays(transaction);
    const last = await store.findLastClosed(transaction);
    // guard: close of a ledger day that is closed (settlement)
    if (last !== undefined && day <= last) throw new Refusal('DayIsClosed');
    const open = await store.selectOpenDays(transaction, day);
    open.forEach(checkReconciled);
    const days = [...new Set([...open.map((each) => each.day), day])];
    await closeAll(transaction, days, author.caller.userId);
    await recordChange(transaction, author, {
      entity: 'ledgerDay',
      entityId: day,
      action: 'changed',
      before: { isClosed: false },
      after: { isClosed: true },
    });
  });
  const closed = await store.findDay(database, day);
  if (!closed) throw new Error(`The day ${day} was closed and is not there`);
  return closed;
}

/** Closes the past days that are reconciled, up to the first one that is not. */
export async function closeReconciledDays(database: Database): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await store.lockDays(transaction);
    const days: string[] = [];
    for (const day of await store.selectOpenDays(transaction, dayAfter(todayInDubai(), -1))) {
      // guard: ledger day that differs, closed by the job (settlement)
      if (!isReconciled(day)) break;
      days.push(day.day);
    }
    await closeAll(transaction, days, null);
  });
}
