import { z } from 'zod';

/** An amount in whole fils; one dirham is 100 fils. */
export const fils = z.int().min(0);

/**
 * The largest amount that one charge may add: a hundred million dirhams. The sums of a request stay
 * far below the largest safe integer.
 */
export const chargedFils = fils.max(10_000_000_000);

/**
 * VAT on an amount at a rate in basis points, rounded to the fils as a tax invoice shows it.
 * Browser and server both use it.
 */
export function vatOn(amount: number, vatRate: number): number {
  return Math.round((amount * vatRate) / 10_000);
}

/**
 * The VAT within the part `gross` of a line, in proportion and rounded to the fils. The VAT of the
 * part from `a` to `b` is the difference of two results, so that parts add up to the line.
 */
export function vatWithin(gross: number, line: { amount: number; vat: number }): number {
  const whole = line.amount + line.vat;
  return whole === 0 ? 0 : Math.round((gross * line.vat) / whole);
}

/**
 * One line of a cost: `amount` is without VAT, `vat` is the VAT on it, `vatRate` is in basis points
 * (500 is 5 %). All money is in fils. `refundable`: the line is refunded when the request is
 * rejected.
 */
export const feeLine = z.object({
  name: z.string(),
  title: z.string(),
  amount: fils,
  vatRate: z.int().min(0),
  vat: fils,
  refundable: z.boolean().optional(),
  /** Of a fee per unit: how many units, and the amount for one. */
  units: z.number().optional(),
  unitAmount: fils.optional(),
});

/** A cost by lines. The two misspelt names are the specification's (§3). All money is in fils. */
export const quote = z.object({
  lines: z.array(feeLine),
  totalAdminstrativeFees: fils,
  totalAdminstrativeFeesVatValue: fils,
  total: fils,
  currency: z.literal('AED'),
});
export type Quote = z.infer<typeof quote>;
