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
export const maximumCharge = 10_000_000_000;

/** An amount that one charge may add. */
export const chargedFils = fils.max(maximumCharge);

/** The largest sum that a call names: ten billion dirhams, more than all charges of a request. */
export const maximumTotalFils = 1_000_000_000_000;
/** A sum of a request, of its refunds or of a payment, in fils. */
export const totalFils = fils.max(maximumTotalFils);

/**
 * How a fee is treated for VAT: Federal Decree-Law 8 of 2017. Only the standard rate has a rate above 0.
 * Exempt supplies are those of article 46. What the law does not see as a supply is out of scope.
 */
export const vatCategories = [
  'standard',
  'zeroRated',
  'exemptFinance',
  'exemptHousing',
  'exemptLand',
  'exemptTransport',
  'outOfScope',
] as const;
export type VatCategory = (typeof vatCategories)[number];

/** The standard rate of VAT in the UAE, in basis points. */
export const standardVatRate = 500;

/** A category that a rate of 0 does not say alone. */
export const zeroVatCategory = z.enum(
  vatCategories.filter((each) => each !== 'standard' && each !== 'outOfScope'),
);

/** The part of a fee or a line that says how it is treated for VAT; `vatRate` in basis points. */
export interface VatTreatment {
  vatRate: number;
  vatCategory?: z.infer<typeof zeroVatCategory> | undefined;
}

/** The category of a fee or a line: a rate of 0 without a category is out of scope. */
export function vatCategoryOf({ vatRate, vatCategory }: VatTreatment): VatCategory {
  return vatRate > 0 ? 'standard' : (vatCategory ?? 'outOfScope');
}

/** The rate and the category of a fee as they are stored. */
export function vatTreatmentOf(category: VatCategory): VatTreatment {
  if (category === 'standard') return { vatRate: standardVatRate };
  return category === 'outOfScope' ? { vatRate: 0 } : { vatRate: 0, vatCategory: category };
}

/** Whether a fee has a rate of the UAE, and a category only where the rate is 0. */
export const isVatTreatment = ({ vatRate, vatCategory }: VatTreatment): boolean =>
  vatRate === 0 || (vatRate === standardVatRate && vatCategory === undefined);

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
 * (500 is 5 %), `vatCategory` says why it is 0. All money is in fils. `refundable`: the line is
 * refunded when the request is rejected; `isWaived`: its fine was cancelled after it was paid, and what was
 * paid for it is refunded however the request ends. A discount is a separate line with negative amounts.
 */
export const feeLine = z.object({
  name: z.string(),
  title: z.string(),
  amount: signedFils,
  vatRate: z.int().min(0),
  vatCategory: zeroVatCategory.optional(),
  vat: signedFils,
  refundable: z.boolean().optional(),
  isWaived: z.boolean().optional(),
  /** The operator of the portal sells it, also where the agency sells its other fees. */
  isOperatorFee: z.boolean().optional(),
  /** Of a fee per unit: how many units, and the amount for one. */
  units: z.number().optional(),
  unitAmount: fils.optional(),
  /** Of a fee by percentage: `rate` basis points of the answered amount `of`; `isLimited`: the least or most. */
  percentage: z.object({ of: fils, rate: z.int().min(1), isLimited: z.boolean() }).optional(),
  /** Of a fine that a register names: the register, and the number of the fine there. */
  fine: z.object({ register: z.string(), number: z.string() }).optional(),
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
