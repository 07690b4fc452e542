import { getRequestBalance, postEntry } from '#features/ledger/ledger.actions.ts';
import { localizeQuote } from '#platform/core/localize.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { defaultLanguage } from '@diwan/contract/wire/languages';
import { linesPaidBy, linesRefundedBy, type PaidPart } from '../model/paid-lines.ts';
import {
  lockVisible,
  sumOverpaid,
  sumPaid,
  type RequestRow,
  visibleToEveryone,
} from '../model/requests.store.ts';
import * as store from './postings.store.ts';

const vatOf = (parts: readonly PaidPart[]): number =>
  parts.reduce((total, { vat }) => total + vat, 0);

const holderOf = ({ provider }: store.UnpostedMoney) =>
  provider === null ? { account: 'bank' as const } : { account: 'providerCash' as const, provider };

async function postSale(
  transaction: Transaction,
  row: RequestRow,
  sale: store.UnpostedMoney,
): Promise<void> {
  const quote = localizeQuote(row.quote, defaultLanguage);
  const vat = vatOf(linesPaidBy(quote, sale.before, sale.amount));
  await postEntry(transaction, {
    ...entryOf(row.id, sale),
    lines: [
      { account: 'receivable', amount: sale.amount },
      { account: 'revenue', amount: vat - sale.amount },
      { account: 'vat', amount: -vat },
    ],
  });
}

const entryOf = (requestId: number, money: store.UnpostedMoney) => ({
  kind: money.kind,
  source: money.source,
  currency: money.currency,
  occurredAt: money.at,
  requestId,
  paymentId: money.paymentId,
});

/**
 * A refund by rule gives back what was received and is not counted as paid; one that staff asked for,
 * or made at the provider, gives back the lines of the request first, as its credit note says.
 */
async function postRefund(
  transaction: Transaction,
  row: RequestRow,
  refund: store.UnpostedMoney,
): Promise<void> {
  const { amount, currency, reason } = refund;
  const balance = await getRequestBalance(transaction, row.id, currency);
  const surplusLeft = Math.max(0, balance.surplus);
  const quote = localizeQuote(row.quote, defaultLanguage);
  const paid = await sumPaid(transaction, row.id);
  const overpaid = await sumOverpaid(transaction, row.id);
  const linesOf = (share: number) =>
    linesRefundedBy(quote, {
      paid,
      refundableOfLines: Math.max(0, row.refundable - overpaid),
      refundedBefore: balance.credited,
      amount: share,
    });
  const isByRule = reason !== null && !['requested', 'madeElsewhere'].includes(reason);
  const surplus = Math.min(surplusLeft, isByRule ? amount : linesOf(amount).rest);
  const rest = amount - surplus;
  const vat = vatOf(linesOf(rest).lines);
  await postEntry(transaction, {
    ...entryOf(row.id, refund),
    lines: [
      { account: 'receivable', amount: surplus },
      { account: 'refunds', amount: rest - vat },
      { account: 'vat', amount: vat },
      { ...holderOf(refund), amount: -amount },
    ],
  });
}

/**
 * Books in the ledger what was received, counted as paid and refunded for a request, each once. In
 * the transaction that changes it, under the lock of the request. Decision 0079.
 */
export async function postMoney(transaction: Transaction, requestId: number): Promise<void> {
  const unposted = await store.selectUnposted(transaction, requestId);
  if (unposted.length === 0) return;
  const row = await lockVisible(transaction, requestId, visibleToEveryone);
  if (!row) return;
  for (const money of unposted) {
    if (money.kind === 'sale') await postSale(transaction, row, money);
    else if (money.kind === 'refund') await postRefund(transaction, row, money);
    else
      await postEntry(transaction, {
        ...entryOf(requestId, money),
        lines: [
          { ...holderOf(money), amount: money.amount },
          { account: 'receivable', amount: -money.amount },
        ],
      });
  }
}

// With one call every ten seconds, a million payments within six hours.
const paymentsAtOnce = 500;

/**
 * Books the money of requests that the ledger does not know, such as that of the time before it. Looks
 * at the next payments after the id `after`; returns the id of the last one, 0 after all payments.
 */
export async function postEarlierMoney(
  database: Database,
  after: number,
  limit = paymentsAtOnce,
): Promise<number> {
  const { requestIds, last } = await store.selectUnpostedRequests(database, after, limit);
  for (const requestId of requestIds)
    await inTransaction(database, async (transaction) => {
      await lockVisible(transaction, requestId, visibleToEveryone);
      await postMoney(transaction, requestId);
    });
  return last ?? 0;
}
