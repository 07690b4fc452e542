import { postEntry } from '#features/ledger/ledger.actions.ts';
import type { Caller } from '#platform/auth/caller.ts';
import { recordChange } from '#platform/auth/changes.ts';
import { requireIndependence } from '#platform/auth/second-person.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type {
  confirmSettlementDifference,
  decideSettlementDifference,
  SettlementDecision,
  SettlementDifference,
} from '@diwan/contract/payments/ledger';
import type { BodyOf } from '@diwan/contract/wire/call';
import * as store from './differences.store.ts';
import type { SettlementContext } from './settlements.actions.ts';

const notCorrectable = new Set<SettlementDifference['kind']>(['otherDay', 'otherCharge']);

/** What an admin may decide: another day or charge is booked already, so it is only explained. */
function possibleDecisions({
  kind,
  state,
}: Pick<SettlementDifference, 'kind' | 'state'>): SettlementDecision[] {
  if (state !== 'open') return [];
  return notCorrectable.has(kind) ? ['accept'] : ['accept', 'correct'];
}

/** A difference as the caller sees it. */
export function toDifference(
  caller: Caller,
  { proposedById, ...row }: store.DifferenceShown,
): SettlementDifference {
  const shown = Object.fromEntries(
    Object.entries(row).filter(([, value]) => value !== null),
  ) as typeof row;
  return {
    ...shown,
    decisions: possibleDecisions(row),
    isOwn: row.state === 'waiting' && proposedById === caller.userId,
  };
}

/** How much a decision is about: what the two sides differ by, or the whole where one has none. */
function amountAtStake({ kind, expected, actual }: store.DifferenceRow): number {
  return kind === 'otherAmount' || kind === 'otherCharge'
    ? Math.abs((expected ?? 0) - (actual ?? 0))
    : Math.max(Math.abs(expected ?? 0), Math.abs(actual ?? 0));
}

/** What the provider holds by our books and not by its file goes to the account of differences. */
const writeOff = (row: store.DifferenceRow, amount: number) =>
  [
    { account: 'differences', amount },
    { account: 'providerCash', provider: row.provider, amount: -amount },
  ] as const;

/** A line that was not booked: what it paid out or took back, against the account of differences. */
function bookLine(row: store.DifferenceRow) {
  const charge = row.line_charge ?? 0;
  const amount = row.actual ?? 0;
  return [
    { account: 'bank', amount: amount - charge },
    { account: 'providerCharges', provider: row.provider, amount: charge },
    { account: 'differences', amount: -amount },
  ] as const;
}

// After it the ledger says what the file says.
async function postCorrection(
  transaction: Transaction,
  row: store.DifferenceRow,
  postedBy: string,
): Promise<void> {
  const entry = {
    kind: 'correction' as const,
    occurredAt: new Date(),
    requestId: row.request_id,
    paymentId: row.payment_id,
    postedBy,
    note: row.note,
  };
  const [expected, actual] = [row.expected ?? 0, row.actual ?? 0];
  const source = `correction:${row.id}`;
  const ours = { ...entry, currency: row.entry_currency ?? row.currency };
  if (row.kind === 'otherAmount')
    await postEntry(transaction, { ...ours, source, lines: writeOff(row, expected - actual) });
  else if (row.kind === 'missingThere')
    await postEntry(transaction, { ...ours, source, lines: writeOff(row, expected) });
  else {
    if (row.kind === 'otherCurrency')
      await postEntry(transaction, {
        ...ours,
        source: `${source}:ours`,
        lines: writeOff(row, expected),
      });
    await postEntry(transaction, {
      ...entry,
      currency: row.line_currency ?? row.currency,
      source,
      lines: bookLine(row),
    });
  }
}

async function lockOpen(
  transaction: Transaction,
  { id, version }: { id: number; version: number },
): Promise<store.DifferenceRow> {
  const row = await store.lockDifference(transaction, id);
  if (!row) throw new Refusal('DifferenceNotFound');
  if (row.state === 'resolved') throw new Refusal('DifferenceIsResolved');
  // guard: version of a settlement difference (settlement)
  if (row.version !== version) throw new Refusal('RecordHasChanged');
  return row;
}

/**
 * Decides a difference. A decision about a large amount waits for another person. Throws
 * DifferenceNotFound, DifferenceIsResolved, RecordHasChanged, DecisionNotPossible.
 */
export async function decideDifference(
  { database, approvalAbove }: SettlementContext,
  author: { caller: Caller; address: string },
  sent: BodyOf<typeof decideSettlementDifference>,
): Promise<void> {
  const { userId } = author.caller;
  await inTransaction(database, async (transaction) => {
    const row = await lockOpen(transaction, sent);
    if (!possibleDecisions(row).includes(sent.decision)) throw new Refusal('DecisionNotPossible');
    const { decision, note } = sent;
    // guard: amount above which a settlement decision waits (settlement) => false
    const isWaiting = amountAtStake(row) > approvalAbove;
    if (!isWaiting && decision === 'correct')
      await postCorrection(transaction, { ...row, note }, userId);
    await store.updateDifference(
      transaction,
      row.id,
      isWaiting
        ? { state: 'waiting', decision, note, proposed_by: userId }
        : { state: 'resolved', decision, note, decided_by: userId, decided_at: new Date() },
    );
    await recordChange(transaction, author, {
      entity: 'settlementDifference',
      entityId: row.id,
      name: row.merchant_reference ?? undefined,
      action: isWaiting ? 'requested' : 'changed',
      before: { decision: null },
      after: { kind: row.kind, decision, note },
    });
  });
}

/**
 * Confirms the decision of another person, or opens the difference again. Throws DifferenceNotFound,
 * DifferenceIsResolved, RecordHasChanged, DecisionNeedsSecondPerson, SecondPersonNotIndependent.
 */
export async function confirmDifference(
  { database }: SettlementContext,
  author: { caller: Caller; address: string },
  { id, version, isConfirmed }: BodyOf<typeof confirmSettlementDifference>,
): Promise<void> {
  const { userId } = author.caller;
  await inTransaction(database, async (transaction) => {
    const row = await lockOpen(transaction, { id, version });
    if (row.state !== 'waiting') throw new Refusal('RecordHasChanged');
    // guard: second person of a decision about a settlement (settlement)
    if (isConfirmed && row.proposed_by === userId) throw new Refusal('DecisionNeedsSecondPerson');
    // guard: independent second person of a decision about a settlement (settlement)
    if (isConfirmed)
      await requireIndependence(transaction, { askedBy: row.proposed_by, confirmedBy: userId });
    if (isConfirmed && row.decision === 'correct') await postCorrection(transaction, row, userId);
    await store.updateDifference(
      transaction,
      id,
      isConfirmed
        ? { state: 'resolved', decided_by: userId, decided_at: new Date() }
        : { state: 'open', decision: null, note: '', proposed_by: null },
    );
    await recordChange(transaction, author, {
      entity: 'settlementDifference',
      entityId: id,
      name: row.merchant_reference ?? undefined,
      action: isConfirmed ? 'confirmed' : 'refused',
      before: { decision: row.decision },
      after: { decision: isConfirmed ? row.decision : null },
    });
  });
}
