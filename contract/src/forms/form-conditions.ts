import { z } from 'zod';
import { resolveDateLimit } from '../wire/days.ts';

/**
 * A date limit: a day such as `2026-01-31`, or a day relative to today in Asia/Dubai: `today`,
 * `today+30`, `today-6570`.
 */
export const dateLimit = z.string().regex(/^(\d{4}-\d{2}-\d{2}|today([+-]\d{1,5})?)$/);

/**
 * When something is shown or required. All parts of a condition must be met. `field` is searched
 * within the same item of a group first, then in the form; a field that is hidden, empty or invalid
 * has no value, and no comparison with it is met. `minimum` and `maximum` compare numbers (money in
 * fils) and the number of a group's items; `formatMinimum` and `formatMaximum` compare days. See
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

/** The keywords of a condition that compare the value of its `field`. */
export const comparisonKeywords = [
  'in',
  'equals',
  'answered',
  'minimum',
  'maximum',
  'formatMinimum',
  'formatMaximum',
] as const;

/** Whether a number, or the number of a list's items, is within limits. */
function isNumberWithin(value: unknown, minimum = -Infinity, maximum = Infinity): boolean {
  const number = Array.isArray(value) ? value.length : value;
  return typeof number === 'number' && number >= minimum && number <= maximum;
}

/** Whether a day is within the day limits of a condition, if it has any. */
function isDayMet({ formatMinimum, formatMaximum }: Condition, value: unknown, today: string) {
  if ((formatMinimum ?? formatMaximum) === undefined) return true;
  return (
    typeof value === 'string' &&
    (formatMinimum === undefined || value >= resolveDateLimit(formatMinimum, today)) &&
    (formatMaximum === undefined || value <= resolveDateLimit(formatMaximum, today))
  );
}

function isComparisonMet(condition: Condition, value: unknown, today: string): boolean {
  const { in: allowed, equals, answered, minimum, maximum } = condition;
  if (answered !== undefined && answered !== (value !== undefined)) return false;
  const one = (wanted: unknown) =>
    Array.isArray(value) ? value.includes(wanted) : value === wanted;
  if (allowed && !allowed.some(one)) return false;
  if (equals !== undefined && !one(equals)) return false;
  if ((minimum ?? maximum) !== undefined && !isNumberWithin(value, minimum, maximum)) return false;
  return isDayMet(condition, value, today);
}

/**
 * Whether a condition is met. `valueOf` returns the valid value of a shown field, else undefined.
 * `today` is YYYY-MM-DD in Asia/Dubai. Never throws.
 */
export function isConditionMet(
  condition: Condition,
  valueOf: (field: string) => unknown,
  today: string,
): boolean {
  if (condition.field !== undefined && !isComparisonMet(condition, valueOf(condition.field), today))
    return false;
  if (condition.all && !condition.all.every((each) => isConditionMet(each, valueOf, today)))
    return false;
  if (condition.any && !condition.any.some((each) => isConditionMet(each, valueOf, today)))
    return false;
  return !condition.not || !isConditionMet(condition.not, valueOf, today);
}

/** A condition and all conditions nested in it. */
export function listConditions(condition: Condition): Condition[] {
  return [
    condition,
    ...[
      ...(condition.all ?? []),
      ...(condition.any ?? []),
      ...(condition.not ? [condition.not] : []),
    ].flatMap(listConditions),
  ];
}
