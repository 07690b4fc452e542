/**
 * The one rule by which amounts are rounded: to the fils, half a fils away from zero. For a charge
 * that is up; a discount or a credit is rounded like the charge that it takes back. Each line and
 * its VAT are rounded on their own, and every total is a sum of lines. Decision 0083.
 *
 * Returns `amount` × `part` / `whole`. All are whole numbers; `whole` is not 0. It computes without
 * floating point, so that no half is lost however large the numbers are.
 */
export function roundedShare(amount: number, part: number, whole: number): number {
  const product = BigInt(amount) * BigInt(part);
  const divisor = BigInt(whole);
  const isNegative = product < 0n !== divisor < 0n;
  const [size, by] = [product < 0n ? -product : product, divisor < 0n ? -divisor : divisor];
  const rounded = Number((2n * size + by) / (2n * by));
  return isNegative && rounded !== 0 ? -rounded : rounded;
}

/** Units are counted to this part of one: 2.5 hours, 1.125 tonnes. */
const unitParts = 1_000_000;

/** The amount of `units` at `unitAmount` fils each, by the same rule. `units` may be a decimal. */
export function roundedProduct(unitAmount: number, units: number): number {
  return roundedShare(unitAmount, Math.round(units * unitParts), unitParts);
}

/** Whether the VAT of a line, or its amount for several units, was rounded. */
export function isRounded(line: {
  amount: number;
  vatRate: number;
  units?: number | undefined;
  unitAmount?: number | undefined;
  percentage?: { of: number; rate: number; isLimited: boolean } | undefined;
}): boolean {
  const { percentage } = line;
  if (percentage && !percentage.isLimited && (percentage.of * percentage.rate) % 10_000 !== 0)
    return true;
  const parts = (line.unitAmount ?? 0) * Math.round((line.units ?? 0) * unitParts);
  return (line.amount * line.vatRate) % 10_000 !== 0 || parts % unitParts !== 0;
}
