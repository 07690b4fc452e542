import { z } from 'zod';
import { roundedShare } from './rounding.ts';

/** An amount in whole fils; one dirham is 100 fils. */
export const fils = z.int().min(0);

/** An amount in whole fils that a discount takes off where it is negative. */
const signedFils = z.int();

/**
 * The largest amount that one charge may add: a hundred million dirhams. The sums of a request stay
 * far below the largest safe integer.
 */
export const chargedFils = fils.max(10_000_000_000);

/**
 * VAT on an amount at a rate in basis points, rounded by the rule of `rounding.ts`. Browser and server
 * both use it.
 */
export function vatOn(amount: number, vatRate: number): number {
  return roundedShare(amount, vatRate, 10_000);
}

/**
 * The VAT within the part `gross` of a line, in proportion and rounded to the fils. The VAT of the
 * part from `a` to `b` is the difference of two results, so that parts add up to the line.
 */
export function vatWithin(gross: number, line: { amount: number; vat: number }): number {
  const whole = line.amount + line.vat;
  return whole === 0 ? 0 : roundedShare(gross, line.vat, whole);
}

/**
 * `granted`: by the facts on record, or by a clerk who confirmed the document; `claimed`: a clerk has
 * to confirm it; `refused`: a further line charges what it took off.
 */
export const discountStates = ['granted', 'claimed', 'refused'] as const;
/** What proves the right to a discount: a fact on record, or a document. */
export const discountProofs = ['age', 'document'] as const;

/**
 * One line of a cost: `amount` is without VAT, `vat` is the VAT on it, `vatRate` is in basis points
 * (500 is 5 %). All money is in fils. `refundable`: the line is refunded when the request is
 * rejected. A discount is a separate line with negative amounts.
 */
export const feeLine = z.object({
  name: z.string(),
  title: z.string(),
  amount: signedFils,
  vatRate: z.int().min(0),
  vat: signedFils,
  refundable: z.boolean().optional(),
  /** Of a fee per unit: how many units, and the amount for one. */
  units: z.number().optional(),
  unitAmount: fils.optional(),
  /** Of a discount: the name of the agency's rule, its proof, and the line that it reduces. */
  discount: z
    .object({
      rule: z.string(),
      of: z.string(),
      evidence: z.enum(discountProofs),
      state: z.enum(discountStates),
    })
    .optional(),
});

/**
 * A cost by lines. `afterApproval`: the fees that are charged when the request is approved; they are
 * not part of `total`. The two misspelt names are the specification's (§3). All money is in
 * fils.
 */
export const quote = z.object({
  lines: z.array(feeLine),
  totalAdminstrativeFees: fils,
  totalAdminstrativeFeesVatValue: fils,
  total: fils,
  currency: z.literal('AED'),
  afterApproval: z.object({ lines: z.array(feeLine), total: fils }).optional(),
});
export type Quote = z.infer<typeof quote>;
