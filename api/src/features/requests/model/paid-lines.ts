import {
  usualWithdrawalRule,
  type LocalizedQuote,
  type WithdrawalRefund,
  type WithdrawalRule,
} from '@diwan/contract/catalogue/fees';
import type { DetailedCost, PendingCost } from '@diwan/contract/requests/request-costs';
import type { ActorKind, HistoryAction } from '@diwan/contract/requests/workflow';
import { vatWithin, type Quote } from '@diwan/contract/wire/money';

/** A fee and the discounts on it: they are paid and refunded together. `gross`: with VAT, in fils. */
interface FeeGroup<Line> {
  fee: Line;
  discounts: Line[];
  gross: number;
}

type GroupedLine = Pick<Quote['lines'][number], 'name' | 'amount' | 'vat' | 'discount'>;

const grossOf = ({ amount, vat }: Pick<GroupedLine, 'amount' | 'vat'>): number => amount + vat;

function groupLines<Line extends GroupedLine>(lines: readonly Line[]): FeeGroup<Line>[] {
  return lines
    .filter(({ discount }) => discount === undefined)
    .map((fee) => {
      const discounts = lines.filter(({ discount }) => discount?.of === fee.name);
      return {
        fee,
        discounts,
        gross: [fee, ...discounts].reduce((sum, each) => sum + grossOf(each), 0),
      };
    });
}

/** The groups of a quote with the paid part of each. Payments pay them in their order. */
function payGroups<Line extends GroupedLine>(lines: readonly Line[], paid: number) {
  let left = paid;
  return groupLines(lines).map((group) => {
    const paidOfGroup = Math.min(left, group.gross);
    left -= paidOfGroup;
    return { ...group, paid: paidOfGroup };
  });
}

/**
 * The lines of a quote with the paid amount of each, in fils. Payments pay the lines in order; what a
 * discount takes off counts as paid.
 */
export function allocatePayment({ lines }: Quote, paid: number): DetailedCost['lines'] {
  const groups = new Map(payGroups(lines, paid).map((group) => [group.fee.name, group]));
  return lines.map((line) => {
    if (line.discount) return { ...line, paid: grossOf(line) };
    const group = groups.get(line.name);
    const paidOfFee = grossOf(line) - (group ? group.gross - group.paid : 0);
    return { ...line, paid: paidOfFee };
  });
}

/** The names of the fees of which nothing is paid. */
export const unpaidLines = (lines: readonly GroupedLine[], paid: number): ReadonlySet<string> =>
  new Set(
    payGroups(lines, paid)
      .filter((group) => group.paid === 0)
      .map(({ fee }) => fee.name),
  );

/** The lines that are not paid in full, each with the amount due in fils, VAT included. */
export const dueLines = (lines: DetailedCost['lines']): PendingCost['lines'] =>
  lines
    .map((line) => {
      const { name, title, amount, vat, paid } = line;
      const whole = amount + vat;
      return { name, title, due: whole - paid, vat: partOf(line, paid, whole).vat };
    })
    .filter((line) => line.due > 0);

const sumPaidOf = (groups: readonly { paid: number }[]): number =>
  groups.reduce((sum, group) => sum + group.paid, 0);

/** What is refunded of the paid amount when a request ends without a result, in fils. */
export const refundableOf = ({ lines }: Pick<LocalizedQuote, 'lines'>, paid: number): number =>
  sumPaidOf(payGroups(lines, paid).filter(({ fee }) => fee.refundable || fee.isWaived));

/** What was paid for lines that are waived, in fils: it is refunded however the request ends. */
export const waivedOf = ({ lines }: Pick<LocalizedQuote, 'lines'>, paid: number): number =>
  sumPaidOf(payGroups(lines, paid).filter(({ fee }) => fee.isWaived));

/** A part of a line that one payment pays or one refund pays back. In fils; `vatRate` in basis points. */
export type PaidPart = Pick<
  Quote['lines'][number],
  'title' | 'amount' | 'vat' | 'vatRate' | 'vatCategory' | 'isOperatorFee'
>;

/** The part of a line from `start` to `end`, both with VAT. Parts add up to the line. */
function partOf(line: PaidPart, start: number, end: number): PaidPart {
  // guard: VAT of parts that adds up to the line => vatWithin(end - start, line)
  const vat = vatWithin(end, line) - vatWithin(start, line);
  return { ...wholeOf(line), vat, amount: end - start - vat };
}

const wholeOf = (line: PaidPart): PaidPart => {
  const { title, amount, vat, vatRate, vatCategory, isOperatorFee } = line;
  return {
    title,
    amount,
    vat,
    vatRate,
    ...(vatCategory === undefined ? {} : { vatCategory }),
    ...(isOperatorFee === undefined ? {} : { isOperatorFee }),
  };
};

/**
 * The part of a group from `start` to `end`. The whole group shows the fee and each discount; a part
 * of it shows what remains of the fee.
 */
function partsOf(
  { fee, discounts, gross }: FeeGroup<Quote['lines'][number]>,
  start: number,
  end: number,
): PaidPart[] {
  if (start === 0 && end === gross) return [fee, ...discounts].map(wholeOf);
  if (end <= start) return [];
  const sum = (part: 'amount' | 'vat') =>
    [fee, ...discounts].reduce((total, line) => total + line[part], 0);
  return [partOf({ ...fee, amount: sum('amount'), vat: sum('vat') }, start, end)];
}

/** The lines that a payment of `amount` pays, after `paidBefore` fils were paid. */
export function linesPaidBy(quote: Quote, paidBefore: number, amount: number): PaidPart[] {
  const before = payGroups(quote.lines, paidBefore);
  return payGroups(quote.lines, paidBefore + amount).flatMap((group, index) => {
    const start = before[index]?.paid ?? 0;
    // A fee with a discount of its whole amount is a part of the first payment.
    const isExempt = group.gross === 0 && group.discounts.length > 0;
    const isShown = group.paid > start || (isExempt && paidBefore === 0);
    return isShown ? partsOf(group, start, group.paid) : [];
  });
}

/** What a refund pays back, in fils. */
interface RefundShare {
  /** Everything that was paid for the lines of the request. */
  paid: number;
  /** How much of it is refundable because of its lines; the rest of a refund was paid twice. */
  refundableOfLines: number;
  refundedBefore: number;
  amount: number;
}

/**
 * The lines that a refund pays back: the paid parts of waived lines, which are refunded before the
 * request ends, then those of refundable lines, each in their order. `rest` is
 * the part that was paid twice, for which nothing was supplied and no VAT was charged.
 */
export function linesRefundedBy(
  quote: Quote,
  { paid, refundableOfLines, refundedBefore, amount }: RefundShare,
): { lines: PaidPart[]; rest: number } {
  const lines: PaidPart[] = [];
  let start = 0;
  const refundedAfter = Math.min(refundedBefore + amount, refundableOfLines);
  const groups = payGroups(quote.lines, paid).filter((group) => group.paid > 0);
  for (const group of [
    ...groups.filter(({ fee }) => fee.isWaived),
    ...groups.filter(({ fee }) => fee.refundable && !fee.isWaived),
  ]) {
    const [from, to] = [refundedBefore, refundedAfter].map((refunded) =>
      Math.min(Math.max(refunded - start, 0), group.paid),
    ) as [number, number];
    if (to > from) lines.push(...partsOf(group, from, to));
    start += group.paid;
  }
  const credited = lines.reduce((sum, line) => sum + line.amount + line.vat, 0);
  return { lines, rest: amount - credited };
}

/** A step of the history. */
interface TakenStep {
  action: HistoryAction;
  actor_kind: ActorKind;
}

/** Steps of staff that leave the request as it was: somebody takes it, or puts it back. */
const idleActions: readonly HistoryAction[] = ['receive', 'release', 'reassign'];

/** Whether work has begun: an employee has the request now, or staff did something with it before. */
export const hasWorkBegun = (holderId: string | null, history: readonly TakenStep[]): boolean =>
  holderId !== null ||
  history.some(
    ({ action, actor_kind: kind }) =>
      (kind === 'employee' || kind === 'serviceProvider') && !idleActions.includes(action),
  );

/** What the rule of a request pays back now. */
export const refundOf = (
  {
    withdrawal,
    holder_id: holderId,
  }: { withdrawal: WithdrawalRule | null; holder_id: string | null },
  history: readonly TakenStep[],
): WithdrawalRefund => {
  const rule = withdrawal ?? usualWithdrawalRule;
  return hasWorkBegun(holderId, history) ? rule.afterWork : rule.beforeWork;
};

/** The quote with the lines marked as refundable that are paid back. */
export function refundedQuote(quote: LocalizedQuote, refund: WithdrawalRefund): LocalizedQuote {
  if (refund === 'part') return quote;
  const refundable = refund === 'full';
  // The register has the money of a fine.
  const lines = quote.lines.map((line) => (line.fine ? line : { ...line, refundable }));
  return { ...quote, lines };
}
