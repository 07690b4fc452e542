import { z } from 'zod';
import { condition, type Condition } from '../forms/form-conditions.ts';
import { localizedText, type LocalizedText } from '../wire/languages.ts';
import { chargedFils, vatOn, type Quote } from '../wire/money.ts';

/** The largest amount of one line of a quote, in fils. */
export const maximumLineFils = 10_000_000_000;

/**
 * One fee of a service: `amount` in fils without VAT, `vatRate` in basis points. With `when` it is
 * charged only while the condition holds for the answers. With `per` it is charged once for each
 * unit: `per` names a number field (its value), a group (its items) or a choice of several (the
 * chosen ones). `refundable`: it is paid back when the request is rejected.
 */
export const feeRule = z.strictObject({
  name: z.string().min(1).max(60),
  title: localizedText,
  amount: chargedFils,
  vatRate: z.int().min(0).max(10_000),
  refundable: z.boolean().optional(),
  when: condition.optional(),
  per: z.string().optional(),
});
export type FeeRule = z.infer<typeof feeRule>;

/** A quote with the titles of its lines in every language, as a request stores it. */
export type LocalizedQuote = Omit<Quote, 'lines'> & {
  lines: (Omit<Quote['lines'][number], 'title'> & { title: LocalizedText })[];
};

/** What fees read from the answers to a form: `readFormAnswers` of `forms/check-answers.ts`. */
export interface FeeAnswers {
  holds(condition: Condition): boolean;
  /** The valid value of a shown field, else undefined. */
  valueOf(field: string): unknown;
}

/** Whether the fee depends on the answers. */
export const isVariableFee = ({ when, per }: FeeRule): boolean =>
  when !== undefined || per !== undefined;

function countUnits(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return typeof value === 'number' && value > 0 ? value : 0;
}

function lineOf(
  { name, title, amount: unitAmount, vatRate, refundable }: FeeRule,
  units: number | undefined,
) {
  // Half a fils is rounded up. No line exceeds the largest amount of a charge.
  const amount = Math.min(Math.round(unitAmount * (units ?? 1)), maximumLineFils);
  return {
    name,
    title,
    amount,
    vatRate,
    vat: vatOn(amount, vatRate),
    ...(refundable === undefined ? {} : { refundable }),
    ...(units === undefined ? {} : { units, unitAmount }),
  };
}

/**
 * The quote for the fees of a service, in whole fils: the amount of a line is `amount` times its
 * units, rounded to the fils; VAT is computed and rounded on each line, as on a tax invoice, and the
 * total is the sum of the lines. A fee whose condition is not met, or of no unit, has no line.
 * Without answers only the fees that everybody pays are quoted. Browser and server both use it.
 */
export function quoteFees(fees: readonly FeeRule[], answers?: FeeAnswers): LocalizedQuote {
  const lines = fees.flatMap((fee) => {
    if (isVariableFee(fee) && !answers) return [];
    if (fee.when && !answers?.holds(fee.when)) return [];
    if (fee.per === undefined) return [lineOf(fee, undefined)];
    const units = countUnits(answers?.valueOf(fee.per));
    return units > 0 ? [lineOf(fee, units)] : [];
  });
  const totalAdminstrativeFees = lines.reduce((sum, line) => sum + line.amount, 0);
  const totalAdminstrativeFeesVatValue = lines.reduce((sum, line) => sum + line.vat, 0);
  return {
    lines,
    totalAdminstrativeFees,
    totalAdminstrativeFeesVatValue,
    total: totalAdminstrativeFees + totalAdminstrativeFeesVatValue,
    currency: 'AED',
  };
}
