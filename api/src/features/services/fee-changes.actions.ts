import { isDeepStrictEqual } from 'node:util';
import type { FeeRule } from '@diwan/contract/catalogue/fees';
import type { FeeChange } from '@diwan/contract/catalogue/service-designs';

type Fee = Pick<FeeRule, 'name' | 'title' | 'amount'>;

const isSameRule = (one: Fee, other: Fee) =>
  isDeepStrictEqual({ ...one, title: '', amount: 0 }, { ...other, title: '', amount: 0 });

/**
 * The fees that differ between two lists, and the sum of what differs, in fils without VAT. Of a fee whose
 * rule differs too, such as who pays it or for how many units, the whole amount counts.
 */
export function findFeeChanges(
  before: readonly Fee[],
  after: readonly Fee[],
): { fees: FeeChange[]; sum: number } {
  const named = (list: readonly Fee[], name: string) => list.find((fee) => fee.name === name);
  const fees: FeeChange[] = [];
  let sum = 0;
  for (const name of new Set([...before, ...after].map((fee) => fee.name))) {
    const [was, is] = [named(before, name), named(after, name)];
    const amounts = [was?.amount ?? 0, is?.amount ?? 0] as const;
    const change =
      was && is && isSameRule(was, is) ? Math.abs(amounts[1] - amounts[0]) : Math.max(...amounts);
    const title = (is ?? was)?.title;
    if (change === 0 || !title) continue;
    sum += change;
    fees.push({ title, ...(was && { before: was.amount }), ...(is && { after: is.amount }) });
  }
  return { fees, sum };
}
