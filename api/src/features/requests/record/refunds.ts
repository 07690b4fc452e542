import type { Workflow } from '@diwan/contract/requests/workflow';
import type { Transaction } from '../../../platform/database/database.ts';
import type { FrozenQuote } from '../../../platform/database/database-types.ts';
import { sumPaid, sumSurplus, type RequestRow } from '../model/requests.store.ts';
import { getStatus } from '../workflow/workflow.ts';

/**
 * What of a quote is given back when `paid` of it was paid, in fils: payments pay the lines in
 * their order.
 */
export function refundableOf(quote: Pick<FrozenQuote, 'lines'>, paid: number): number {
  let [left, refundable] = [paid, 0];
  for (const line of quote.lines) {
    const paidOfLine = Math.min(left, line.amount + line.vat);
    left -= paidOfLine;
    if (line.refundable) refundable += paidOfLine;
  }
  return refundable;
}

/**
 * What a step into a status makes refundable: something where the request is refused, nothing
 * anywhere else. What came twice is given back in any case.
 */
export async function refundableAfter(
  transaction: Transaction,
  workflow: Workflow,
  row: Pick<RequestRow, 'id' | 'quote' | 'refundable'>,
  to: number,
): Promise<{ refundable?: number }> {
  if (getStatus(workflow, to).tone !== 'refused') return {};
  const [paid, surplus] = [
    await sumPaid(transaction, row.id),
    await sumSurplus(transaction, row.id),
  ];
  return { refundable: Math.max(row.refundable, surplus + refundableOf(row.quote, paid)) };
}
