import { z } from 'zod';
import { dayOfLimit } from '../wire/days.ts';

/**
 * A date limit: a day such as `2026-01-31`, or a day counted from today in Asia/Dubai: `today`,
 * `today+30`, `today-6570`.
 */
export const dateLimit = z.string().regex(/^(\d{4}-\d{2}-\d{2}|today([+-]\d{1,5})?)$/);

/**
 * When something is shown or required. Everything that one condition says must hold. `field` is
 * looked for within the same item of a group first, then in the form;
 * a field that is not shown, not answered or answered wrongly has no value, and no comparison with
 * it holds. `minimum` and `maximum` compare numbers (money in fils)
 * and the count of a group's items; `formatMinimum` and `formatMaximum` compare days. See
 * docs/service-forms.md.
 */
export const condition = z
  .strictObject({
    field: z.string().optional(),
    in: z
      .array(z.union([z.string(), z.boolean()]))
      .min(1)
      .optional(),
    equals: z.union([z.string(), z.boolean(), z.number()]).optional(),
    answered: z.boolean().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    formatMinimum: dateLimit.optional(),
    formatMaximum: dateLimit.optional(),
    get all(): z.ZodOptional<z.ZodArray<typeof condition>> {
      return z.array(condition).min(1).optional();
    },
    get any(): z.ZodOptional<z.ZodArray<typeof condition>> {
      return z.array(condition).min(1).optional();
    },
    get not(): z.ZodOptional<typeof condition> {
      return condition.optional();
    },
  })
  .meta({ id: 'Condition' });
export type Condition = z.infer<typeof condition>;

/** The words of a condition that compare the value of its `field`. */
export const comparisons = [
  'in',
  'equals',
  'answered',
  'minimum',
  'maximum',
  'formatMinimum',
  'formatMaximum',
] as const;

function compares(condition: Condition, value: unknown, today: string): boolean {
  const {
    in: allowed,
    equals,
    answered,
    minimum,
    maximum,
    formatMinimum,
    formatMaximum,
  } = condition;
  if (answered !== undefined && answered !== (value !== undefined)) return false;
  const one = (wanted: unknown) =>
    Array.isArray(value) ? value.includes(wanted) : value === wanted;
  if (allowed && !allowed.some(one)) return false;
  if (equals !== undefined && !one(equals)) return false;
  if (minimum !== undefined || maximum !== undefined) {
    const number = Array.isArray(value) ? value.length : value;
    if (
      typeof number !== 'number' ||
      number < (minimum ?? -Infinity) ||
      number > (maximum ?? Infinity)
    )
      return false;
  }
  if (formatMinimum === undefined && formatMaximum === undefined) return true;
  if (typeof value !== 'string') return false;
  return (
    (formatMinimum === undefined || value >= dayOfLimit(formatMinimum, today)) &&
    (formatMaximum === undefined || value <= dayOfLimit(formatMaximum, today))
  );
}

/**
 * Whether a condition holds. `valueOf` gives the good value of a field that is shown, else
 * undefined. `today` is YYYY-MM-DD in Asia/Dubai. Never throws.
 */
export function holds(
  condition: Condition,
  valueOf: (field: string) => unknown,
  today: string,
): boolean {
  if (condition.field !== undefined && !compares(condition, valueOf(condition.field), today))
    return false;
  if (condition.all && !condition.all.every((each) => holds(each, valueOf, today))) return false;
  if (condition.any && !condition.any.some((each) => holds(each, valueOf, today))) return false;
  return !condition.not || !holds(condition.not, valueOf, today);
}

/** Every condition within a condition, itself first. */
export function partsOf(condition: Condition): Condition[] {
  return [
    condition,
    ...[
      ...(condition.all ?? []),
      ...(condition.any ?? []),
      ...(condition.not ? [condition.not] : []),
    ].flatMap(partsOf),
  ];
}
