import type { Caller } from '#platform/auth/caller.ts';
import { recordChange } from '#platform/auth/changes.ts';
import { requireIndependence } from '#platform/auth/second-person.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { PaymentList } from '#platform/database/lists/payment-lists.ts';
import { acquireNamedLock } from '#platform/database/named-lock.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type {
  decidePayout as decideCall,
  Payout,
  PayoutDecision,
  requestPayout as requestCall,
} from '@diwan/contract/payments/payouts';
import type { BodyOf } from '@diwan/contract/wire/call';
import { dayAfter, startOfDay, todayInDubai } from '@diwan/contract/wire/days';
import type { Language } from '@diwan/contract/wire/languages';
import { postEntry } from './ledger.actions.ts';
import * as store from './payouts.store.ts';

interface PayoutsContext {
  database: Database;
  /** What one person pays out to a payee within 24 hours without a second one, in fils. */
  approvalAbove: number;
}

interface Author {
  caller: Caller;
  address: string;
}

// How far back a transfer may lie, in days.
const oldestPayout = 366;

/** What this caller may decide about a payout. A withdrawal of the own one is a refusal. */
function possibleDecisions(
  { state, requestedById }: Pick<store.PayoutShown, 'state' | 'requestedById'>,
  caller: Caller,
): PayoutDecision[] {
  if (state === 'booked') return ['return'];
  if (state !== 'waiting') return [];
  return requestedById === caller.userId ? ['refuse'] : ['confirm', 'refuse'];
}

/** A payout as the caller sees it. */
export function toPayout(caller: Caller, row: store.PayoutShown): Payout {
  const { requestedById: _, ...shown } = Object.fromEntries(
    Object.entries(row).filter(([, value]) => value !== null),
  ) as typeof row;
  return { ...shown, decisions: possibleDecisions(row, caller) };
}

/** The payouts as a list that is filtered and exported. */
export const payoutList = (language: Language): PaymentList => store.payoutsIn(language);

/** The payee of a sent payout or query. Throws PayeeNotFound unless exactly one exists. */
export async function getPayee(
  database: Database | Transaction,
  { agencyId, provider }: store.PayeeKey,
): Promise<store.PayeeKey & { agencyName?: Record<string, string> }> {
  if ((agencyId === undefined) === (provider === undefined)) throw new Refusal('PayeeNotFound');
  if (agencyId === undefined) return { provider };
  const agencyName = await store.findAgencyName(database, agencyId);
  if (!agencyName) throw new Refusal('PayeeNotFound');
  return { agencyId, agencyName };
}

const payeeOf = (row: store.PayoutRow): store.PayeeKey => ({
  agencyId: row.agency_id ?? undefined,
  provider: row.provider ?? undefined,
});

/** Books a payout, or its return with the sign turned round. */
async function postPayout(
  transaction: Transaction,
  row: store.PayoutRow,
  kind: 'payout' | 'payoutReturned',
  author: Author,
): Promise<void> {
  const { provider, agencyId } = payeeOf(row);
  const amount = kind === 'payout' ? row.amount : -row.amount;
  await postEntry(transaction, {
    kind,
    source: `${kind}:${row.id}`,
    currency: row.currency,
    occurredAt: kind === 'payout' ? startOfDay(row.paid_on) : new Date(),
    agencyId: agencyId ?? null,
    postedBy: author.caller.userId,
    note: row.reference,
    lines: [
      provider ? { account: 'providerCash', provider, amount } : { account: 'payouts', amount },
      { account: 'bank', amount: -amount },
    ],
  });
}

/**
 * Records a payout and books it. It waits for a second person where the caller alone would pay out
 * more than the amount of the setting to this payee within 24 hours. Returns its id. Throws
 * PayeeNotFound, PayoutDayWrong, PayoutAboveOwed, PayoutReferenceTaken.
 */
export async function requestPayout(
  { database, approvalAbove }: PayoutsContext,
  author: Author,
  { agencyId, provider, ...sent }: BodyOf<typeof requestCall>,
): Promise<number> {
  const today = todayInDubai();
  // guard: day of a payout
  if (sent.paidOn > today || sent.paidOn < dayAfter(today, -oldestPayout))
    throw new Refusal('PayoutDayWrong');
  return inTransaction(database, async (transaction) => {
    const payee = await getPayee(transaction, { agencyId, provider });
    // One payout at a time: two of them may not share what is owed.
    // guard: payouts that share what is owed
    await acquireNamedLock(transaction, 'payouts');
    // guard: payout above what is owed
    if (sent.amount > (await store.selectPayable(transaction, payee, sent)))
      throw new Refusal('PayoutAboveOwed');
    const { userId } = author.caller;
    // guard: payouts of one person to a payee are added up => 0
    const before = await store.sumPaidAlone(transaction, payee, { ...sent, userId });
    // guard: amount above which a payout waits => false
    const isWaiting = before + sent.amount > approvalAbove;
    const row = await store.insertPayout(transaction, {
      ...sent,
      payee,
      state: isWaiting ? 'waiting' : 'booked',
      requestedBy: userId,
    });
    if (!row) throw new Refusal('PayoutReferenceTaken');
    if (!isWaiting) await postPayout(transaction, row, 'payout', author);
    await recordChange(transaction, author, {
      entity: 'payout',
      entityId: row.id,
      name: row.reference,
      action: isWaiting ? 'requested' : 'created',
      after: {
        payee: payee.agencyName ?? payee.provider,
        amount: row.amount,
        currency: row.currency,
        reference: row.reference,
        paidOn: row.paid_on,
        note: row.note,
      },
    });
    return row.id;
  });
}

const changeOf = { confirm: 'confirmed', refuse: 'refused', return: 'changed' } as const;
const stateOf = { confirm: 'booked', refuse: 'refused', return: 'returned' } as const;

/**
 * Confirms or refuses a payout that waits, or books the return of one. Throws PayoutNotFound,
 * RecordHasChanged, DecisionNotPossible, DecisionNeedsSecondPerson, SecondPersonNotIndependent,
 * PayoutAboveOwed.
 */
export async function decidePayout(
  { database }: PayoutsContext,
  author: Author,
  { id, version, decision }: BodyOf<typeof decideCall>,
): Promise<void> {
  const { userId } = author.caller;
  await inTransaction(database, async (transaction) => {
    await acquireNamedLock(transaction, 'payouts');
    const row = await store.lockPayout(transaction, id);
    if (!row) throw new Refusal('PayoutNotFound');
    // guard: version of a payout
    if (row.version !== version) throw new Refusal('RecordHasChanged');
    // guard: state of a payout that is decided
    if (row.state !== (decision === 'return' ? 'booked' : 'waiting'))
      throw new Refusal('DecisionNotPossible');
    if (decision === 'confirm') {
      // guard: second person of a payout
      if (row.requested_by === userId) throw new Refusal('DecisionNeedsSecondPerson');
      // guard: independent second person of a payout
      await requireIndependence(transaction, {
        askedBy: row.requested_by,
        confirmedBy: userId,
      });
      // Refunds since then may have used what was owed.
      const { currency } = row;
      const payable = await store.selectPayable(transaction, payeeOf(row), {
        currency,
        exceptId: id,
      });
      // guard: payout above what is still owed at its confirmation
      if (row.amount > payable) throw new Refusal('PayoutAboveOwed');
      await postPayout(transaction, row, 'payout', author);
    }
    if (decision === 'return') await postPayout(transaction, row, 'payoutReturned', author);
    await store.updatePayout(transaction, id, {
      state: stateOf[decision],
      ...(decision === 'return' ? {} : { decided_by: userId, decided_at: new Date() }),
    });
    await recordChange(transaction, author, {
      entity: 'payout',
      entityId: id,
      name: row.reference,
      action: changeOf[decision],
      before: { state: row.state },
      after: { state: stateOf[decision] },
    });
  });
}
