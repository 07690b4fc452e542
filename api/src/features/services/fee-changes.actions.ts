import { isDeepStrictEqual } from 'node:util';
import { maximumLineFils, type FeeRule } from '@diwan/contract/catalogue/fees';
import type { FeeChange } from '@diwan/contract/catalogue/service-designs';

type Fee = Pick<FeeRule, 'name' | 'title' | 'amount' | 'rate' | 'percentOf' | 'maximum'>;

/** What a fee can come to: of a percentage its maximum, or what no line exceeds. */
const largestOf = (fee: Fee | undefined): number =>
  fee?.percentOf === undefined ? (fee?.amount ?? 0) : (fee.maximum ?? maximumLineFils);

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
    const change =
      was && is && isSameRule(was, is)
        ? Math.abs(is.amount - was.amount)
        : Math.max(largestOf(was), largestOf(is));
    const title = (is ?? was)?.title;
    if (change === 0 || !title) continue;
    sum += change;
    fees.push({
      title,
      ...(was && { before: was.amount, rateBefore: was.rate }),
      ...(is && { after: is.amount, rateAfter: is.rate }),
    });
  }
  return { fees, sum };
}
