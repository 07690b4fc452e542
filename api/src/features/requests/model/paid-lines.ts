import type { DetailedCost } from '@diwan/contract/requests/request-costs';
import { vatWithin, type Quote } from '@diwan/contract/wire/money';
import type { LocalizedQuote } from '@diwan/contract/catalogue/fees';

/** The lines of a quote with the paid amount of each, in fils. Payments pay the lines in order. */
export function allocatePayment({ lines, total }: Quote, paid: number): DetailedCost['lines'] {
  let left = Math.min(paid, total);
  return lines.map((line) => {
    const paidOfLine = Math.min(left, line.amount + line.vat);
    left -= paidOfLine;
    return { ...line, paid: paidOfLine };
  });
}

/** The lines that are not paid in full, each with the amount due in fils, VAT included. */
export function dueLines(
  lines: DetailedCost['lines'],
): { name: string; title: string; due: number }[] {
  return lines
    .map(({ name, title, amount, vat, paid }) => ({ name, title, due: amount + vat - paid }))
    .filter((line) => line.due > 0);
}

/** The refundable part of the paid amount, in fils. Payments pay the lines in order. */
export function refundableOf(quote: Pick<LocalizedQuote, 'lines'>, paid: number): number {
  let [left, refundable] = [paid, 0];
  for (const line of quote.lines) {
    const paidOfLine = Math.min(left, line.amount + line.vat);
    left -= paidOfLine;
    if (line.refundable) refundable += paidOfLine;
  }
  return refundable;
}

/** A part of a line that one payment pays or one refund pays back. In fils; `vatRate` in basis points. */
export type PaidPart = Pick<Quote['lines'][number], 'title' | 'amount' | 'vat' | 'vatRate'>;

/** The part of a line from `start` to `end`, both with VAT. Parts add up to the line. */
function partOf(line: PaidPart, start: number, end: number): PaidPart[] {
  if (end <= start) return [];
  const vat = vatWithin(end, line) - vatWithin(start, line);
  return [{ title: line.title, vatRate: line.vatRate, vat, amount: end - start - vat }];
}

/** The lines that a payment of `amount` pays, after `paidBefore` fils were paid. */
export function linesPaidBy(quote: Quote, paidBefore: number, amount: number): PaidPart[] {
  const before = allocatePayment(quote, paidBefore);
  return allocatePayment(quote, paidBefore + amount).flatMap((line, index) =>
    partOf(line, before[index]?.paid ?? 0, line.paid),
  );
}

/** What a refund pays back, in fils. */
export interface RefundShare {
  /** Everything that was paid for the lines of the request. */
  paid: number;
  /** How much of it is refundable because of its lines; the rest of a refund was paid twice. */
  refundableOfLines: number;
  refundedBefore: number;
  amount: number;
}

/**
 * The lines that a refund pays back: the paid parts of refundable lines in their order. `rest` is
 * the part that was paid twice, for which nothing was supplied and no VAT was charged.
 */
export function linesRefundedBy(
  quote: Quote,
  { paid, refundableOfLines, refundedBefore, amount }: RefundShare,
): { lines: PaidPart[]; rest: number } {
  const lines: PaidPart[] = [];
  let start = 0;
  const refundedAfter = Math.min(refundedBefore + amount, refundableOfLines);
  for (const line of allocatePayment(quote, paid)) {
    if (!line.refundable) continue;
    const [from, to] = [refundedBefore, refundedAfter].map((refunded) =>
      Math.min(Math.max(refunded - start, 0), line.paid),
    ) as [number, number];
    lines.push(...partOf(line, from, to));
    start += line.paid;
  }
  const credited = lines.reduce((sum, line) => sum + line.amount + line.vat, 0);
  return { lines, rest: amount - credited };
}
