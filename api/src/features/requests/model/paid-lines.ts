import type { DetailedCost } from '@diwan/contract/requests/request-costs';
import type { Quote } from '@diwan/contract/wire/money';
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

/** A part of a line that one payment pays. In fils; `vatRate` in basis points. */
export type PaidPart = Pick<Quote['lines'][number], 'title' | 'amount' | 'vat' | 'vatRate'>;

/**
 * The lines that a payment pays, after `paidBefore` fils were paid. A payment pays whole lines,
 * because it is for what is due; of a line that is paid in part, the VAT is in proportion.
 */
export function linesPaidBy(quote: Quote, paidBefore: number, amount: number): PaidPart[] {
  const before = allocatePayment(quote, paidBefore);
  return allocatePayment(quote, paidBefore + amount).flatMap((line, index) => {
    const gross = line.paid - (before[index]?.paid ?? 0);
    if (gross === 0) return [];
    const { title, vatRate } = line;
    const vat = Math.round((gross * line.vat) / (line.amount + line.vat));
    return [{ title, vatRate, vat, amount: gross - vat }];
  });
}
