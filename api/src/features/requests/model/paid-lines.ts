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
