import { holdDaysOpen, reverseEntries } from '#features/ledger/ledger.actions.ts';
import type { Caller } from '#platform/auth/caller.ts';
import { recordChange } from '#platform/auth/changes.ts';
import { requireIndependence } from '#platform/auth/second-person.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { acquireNamedLock } from '#platform/database/named-lock.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type {
  decideWithdrawal as decideCall,
  SettlementFile,
  withdrawSettlement as withdrawCall,
} from '@diwan/contract/payments/settlement-files';
import type { BodyOf } from '@diwan/contract/wire/call';
import { insertMissing } from './settlements.store.ts';
import * as store from './withdrawals.store.ts';

interface Author {
  caller: Caller;
  address: string;
}

/** A file as the caller sees it. */
export function toFile(caller: Caller, { askedById, ...row }: store.FileShown): SettlementFile {
  const shown = Object.fromEntries(
    Object.entries(row).filter(([, value]) => value !== null),
  ) as typeof row;
  return { ...shown, isOwn: row.state === 'waiting' && askedById === caller.userId };
}

/**
 * The file, under the lock that imports of its provider take, with what it did. Its days stay open
 * until the transaction ends. Throws SettlementFileNotFound, DayIsClosed.
 */
async function lockFile(transaction: Transaction, id: number) {
  const found = await store.findFileRow(transaction, id);
  if (!found) throw new Refusal('SettlementFileNotFound');
  // guard: settlement that is imported while a file is withdrawn (withdrawals)
  await acquireNamedLock(transaction, `settlement ${found.provider}`);
  await store.lockDifferences(transaction, id);
  const lastClosed = await holdDaysOpen(transaction);
  const file = (await store.findFileRow(transaction, id)) ?? found;
  const traces = await store.selectTraces(transaction, id);
  return { file, traces, isClosed: lastClosed !== undefined && traces.firstDay <= lastClosed };
}

async function carryOut(
  transaction: Transaction,
  { file, traces }: Awaited<ReturnType<typeof lockFile>>,
  { userId, reason }: { userId: string; reason: string },
): Promise<void> {
  await reverseEntries(transaction, traces.sources, {
    kind: 'settlementWithdrawn',
    note: reason,
    postedBy: userId,
  });
  for (const other of await store.withdrawRows(transaction, file))
    await insertMissing(transaction, other);
}

const nameOf = ({ provider, day }: store.FileRow) => ({
  entity: 'settlement' as const,
  entityId: `${provider} ${day}`,
  name: day,
});

/**
 * Withdraws a file while none of its days is closed. Where it matched money, that waits for another
 * person. Throws SettlementFileNotFound, SettlementIsWithdrawn, DayIsClosed.
 */
export async function withdrawFile(
  database: Database,
  author: Author,
  { id, reason }: BodyOf<typeof withdrawCall>,
): Promise<void> {
  const { userId } = author.caller;
  await inTransaction(database, async (transaction) => {
    const locked = await lockFile(transaction, id);
    const { file, traces } = locked;
    if (file.isWithdrawn) throw new Refusal('SettlementIsWithdrawn');
    // guard: withdrawal of a settlement whose day is closed (withdrawals)
    if (locked.isClosed) throw new Refusal('DayIsClosed');
    // guard: withdrawal of a settlement that waits for a second person (withdrawals) => false
    const isWaiting = traces.hasMatched;
    const row = {
      fileId: id,
      reason,
      state: isWaiting ? 'waiting' : 'done',
      askedBy: userId,
    } as const;
    if (!(await store.insertWithdrawal(transaction, row)))
      throw new Refusal('SettlementIsWithdrawn');
    if (!isWaiting) await carryOut(transaction, locked, { userId, reason });
    await recordChange(transaction, author, {
      ...nameOf(file),
      action: isWaiting ? 'requested' : 'changed',
      before: { isWithdrawn: false },
      after: { isWithdrawn: true, reason },
    });
  });
}

/**
 * Carries out the withdrawal that another person asked for, or refuses it; its author may refuse it
 * too. Throws SettlementFileNotFound, RecordHasChanged, DayIsClosed, DecisionNeedsSecondPerson,
 * SecondPersonNotIndependent.
 */
export async function decideWithdrawal(
  database: Database,
  author: Author,
  { id, isConfirmed }: BodyOf<typeof decideCall>,
): Promise<void> {
  const { userId } = author.caller;
  await inTransaction(database, async (transaction) => {
    const locked = await lockFile(transaction, id);
    const waiting = await store.lockWaiting(transaction, id);
    if (!waiting) throw new Refusal('RecordHasChanged');
    const { asked_by: askedBy, reason } = waiting;
    if (isConfirmed) {
      // guard: withdrawal whose day was closed meanwhile (withdrawals)
      if (locked.isClosed) throw new Refusal('DayIsClosed');
      // guard: second person of a withdrawal (withdrawals)
      if (askedBy === userId) throw new Refusal('DecisionNeedsSecondPerson');
      // guard: independent second person of a withdrawal (withdrawals)
      await requireIndependence(transaction, { askedBy, confirmedBy: userId });
      await carryOut(transaction, locked, { userId, reason });
    }
    await store.decideWithdrawal(transaction, waiting.id, {
      state: isConfirmed ? 'done' : 'refused',
      decidedBy: userId,
    });
    await recordChange(transaction, author, {
      ...nameOf(locked.file),
      action: isConfirmed ? 'confirmed' : 'refused',
      before: { isWithdrawn: false },
      after: { isWithdrawn: isConfirmed },
    });
  });
}
