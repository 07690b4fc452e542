import type { DetailedCost } from '@diwan/contract/requests/request-state';
import type { Quote } from '@diwan/contract/wire/money';

/** The lines of a cost with what of each is paid, in fils: payments pay them in their order. */
export function paidLines({ lines, total }: Quote, paid: number): DetailedCost['lines'] {
  let left = Math.min(paid, total);
  return lines.map((line) => {
    const paidOfLine = Math.min(left, line.amount + line.vat);
    left -= paidOfLine;
    return { ...line, paid: paidOfLine };
  });
}

/** Those that are not paid in full, each with what is left of it, VAT included. */
export function dueLines(
  lines: DetailedCost['lines'],
): { name: string; title: string; due: number }[] {
  return lines
    .map(({ name, title, amount, vat, paid }) => ({ name, title, due: amount + vat - paid }))
    .filter((line) => line.due > 0);
}
