import { issuedPortalLogo } from '#features/services/logos/logos.actions.ts';
import type { Caller } from '#platform/auth/caller.ts';
import { recordChange } from '#platform/auth/changes.ts';
import { requireIndependence } from '#platform/auth/second-person.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type {
  ClosingContent,
  decideLedgerClosing,
  LedgerClosing,
} from '@diwan/contract/payments/closings';
import type { LedgerDay } from '@diwan/contract/payments/ledger';
import type { BodyOf } from '@diwan/contract/wire/call';
import { dayAfter, todayInDubai } from '@diwan/contract/wire/days';
import type { Language } from '@diwan/contract/wire/languages';
import * as closings from './closings.store.ts';
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

interface Author {
  caller: Caller;
  address: string;
}

/** The open days up to a day, which can be closed. The caller's lock lets nothing be booked. */
async function readClosable(
  transaction: Transaction,
  until: string,
): Promise<{ days: string[]; content: ClosingContent }> {
  const last = await store.findLastClosed(transaction);
  // guard: close of a ledger day that is closed (settlement)
  if (last !== undefined && until <= last) throw new Refusal('DayIsClosed');
  const open = await store.selectOpenDays(transaction, until);
  open.forEach(checkReconciled);
  const days = [...new Set([...open.map((each) => each.day), until])];
  return { days, content: await closings.selectContent(transaction, until) };
}

/** What is moved on the days, in the smallest unit: the largest sum of debits of a currency. */
const amountAtStake = ({ accounts }: ClosingContent): number =>
  Math.max(
    0,
    ...[...new Set(accounts.map(({ currency }) => currency))].map((currency) =>
      accounts
        .filter((each) => each.currency === currency)
        .reduce((sum, { debits }) => sum + debits, 0),
    ),
  );

/**
 * Closes a day and the open ones before it; nothing is booked on them from then on. Where more than
 * the amount of the setting was moved on them, that waits for another person. Throws DayIsNotOver,
 * DayIsClosed, SettlementIsMissing, DayHasDifferences, DayHasWithdrawal, ClosingIsWaiting.
 */
export async function closeDay(
  { database, approvalAbove }: { database: Database; approvalAbove: number },
  author: Author,
  day: string,
  language: Language,
): Promise<LedgerDay> {
  const { userId } = author.caller;
  // guard: close of a ledger day that is not over (settlement)
  if (day >= todayInDubai()) throw new Refusal('DayIsNotOver');
  await inTransaction(database, async (transaction) => {
    await store.lockDays(transaction);
    const { days, content } = await readClosable(transaction, day);
    // guard: closing of days while another one waits (closings)
    if (await closings.hasWaiting(transaction)) throw new Refusal('ClosingIsWaiting');
    // guard: amount above which a closing waits for a second person (closings) => false
    const isWaiting = amountAtStake(content) > approvalAbove;
    await closings.insertClosing(transaction, {
      from: days[0] ?? day,
      until: day,
      askedBy: userId,
      content: isWaiting ? null : { ...content, ...issuedPortalLogo() },
    });
    if (!isWaiting) await closeAll(transaction, days, userId);
    await recordChange(transaction, author, {
      entity: 'ledgerDay',
      entityId: day,
      action: isWaiting ? 'requested' : 'changed',
      before: { isClosed: false },
      after: { isClosed: true },
    });
  });
  const closed = await store.findDay(database, language, day);
  if (closed) return closed;
  // A day without entries, which somebody asks to close.
  return {
    day,
    entries: 0,
    totals: [],
    openDifferences: 0,
    missingSettlements: [],
    waitingWithdrawals: 0,
  };
}

/**
 * Closes the days that another person asked to close, or refuses it; who asked may refuse it too.
 * Throws NotFound, RecordHasChanged, DecisionNeedsSecondPerson, SecondPersonNotIndependent, and what
 * `closeDay` throws.
 */
export async function decideClosing(
  database: Database,
  author: Author,
  { id, isConfirmed }: BodyOf<typeof decideLedgerClosing>,
): Promise<void> {
  const { userId } = author.caller;
  await inTransaction(database, async (transaction) => {
    await store.lockDays(transaction);
    const row = await closings.lockClosing(transaction, id);
    if (!row) throw new Refusal('NotFound');
    if (row.state !== 'waiting') throw new Refusal('RecordHasChanged');
    const { asked_by: askedBy, until_day: until } = row;
    if (isConfirmed) {
      // guard: second person of a closing (closings)
      if (askedBy === userId) throw new Refusal('DecisionNeedsSecondPerson');
      // guard: independent second person of a closing (closings)
      await requireIndependence(transaction, { askedBy, confirmedBy: userId });
      const { days, content } = await readClosable(transaction, until);
      await closings.decideClosing(transaction, id, {
        decidedBy: userId,
        content: { ...content, ...issuedPortalLogo() },
      });
      await closeAll(transaction, days, askedBy);
    } else await closings.decideClosing(transaction, id, { decidedBy: userId, content: null });
    await recordChange(transaction, author, {
      entity: 'ledgerDay',
      entityId: until,
      action: isConfirmed ? 'confirmed' : 'refused',
      before: { isClosed: false },
      after: { isClosed: isConfirmed },
    });
  });
}

/** A closing as the caller sees it. */
export function toClosing(caller: Caller, row: closings.ClosingShown): LedgerClosing {
  const { askedById, ...shown } = Object.fromEntries(
    Object.entries(row).filter(([, value]) => value !== null),
  ) as typeof row;
  return { ...shown, isOwn: row.state === 'waiting' && askedById === caller.userId };
}

/**
 * Closes the past days that are reconciled, up to the first one that is not. A closing that waits for
 * a second person keeps the days open.
 */
export async function closeReconciledDays(database: Database): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await store.lockDays(transaction);
    // guard: days closed by the job while a closing waits (closings)
    if (await closings.hasWaiting(transaction)) return;
    const days: string[] = [];
    for (const day of await store.selectOpenDays(transaction, dayAfter(todayInDubai(), -1))) {
      // guard: ledger day that differs, closed by the job (settlement)
      if (!isReconciled(day)) break;
      days.push(day.day);
    }
    const [from, until] = [days[0], days.at(-1)];
    if (from === undefined || until === undefined) return;
    const content = await closings.selectContent(transaction, until);
    await closings.insertClosing(transaction, {
      from,
      until,
      askedBy: null,
      content: { ...content, ...issuedPortalLogo() },
    });
    await closeAll(transaction, days, null);
  });
}
