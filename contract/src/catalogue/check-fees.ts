import {
  checkCondition,
  createReachability,
  type FormProblemCode,
  type Report,
} from '../forms/check-conditions.ts';
import type { FormField, ServiceForm } from '../forms/forms.ts';
import { isPercentageComplete, maximumLineFils, type FeeRule } from './fees.ts';

/** Problems of fees; each is a translation key under `problems`. */
export const feeProblemCodes = [
  'feeTwice',
  'feeTooLarge',
  'feePerUnknown',
  'feePerKind',
  'feePerUnbounded',
  'feePercentageUnusable',
  'feePercentageUnknown',
  'feePercentageKind',
  'feePercentageUnbounded',
  'feeFinesUnusable',
  'feeUnreachable',
] as const;

/**
 * A problem of a fee, or of the condition of one. `place` is the path in the list of fees, such as
 * `0.when`; `params` fill the text of `code`; `message` is for the log and for engineers.
 */
export interface FeeProblem {
  code: (typeof feeProblemCodes)[number] | FormProblemCode;
  place: string;
  params: Record<string, string | number>;
  message: string;
}

type Add = (
  code: FeeProblem['code'],
  keyword: string,
  params?: FeeProblem['params'],
  message?: string,
) => void;

const largestCount = (field: FormField) =>
  field.kind === 'number' ? field.maximum : (field.maxItems ?? field.oneOf?.length ?? 50);

function checkUnits({ per = '', amount }: FeeRule, field: FormField | undefined, add: Add): void {
  const params = { name: per };
  if (!field) return add('feePerUnknown', 'per', params);
  if (!['number', 'group', 'choices'].includes(field.kind)) return add('feePerKind', 'per', params);
  const largest = largestCount(field);
  // Without limits an applicant could owe any amount.
  if (largest === undefined || (field.kind === 'number' && (field.minimum ?? -1) < 0))
    return add('feePerUnbounded', 'per', params);
  if (amount * largest > maximumLineFils) add('feeTooLarge', 'amount');
}

function checkPercentage(
  { percentOf = '', rate = 0, maximum }: FeeRule,
  field: FormField | undefined,
  add: Add,
): void {
  const params = { name: percentOf };
  if (!field) return add('feePercentageUnknown', 'percentOf', params);
  if (field.kind !== 'money') return add('feePercentageKind', 'percentOf', params);
  // A negative or unlimited amount would make any fee.
  const largest = ((field.maximum ?? Infinity) / 10_000) * rate;
  if ((field.minimum ?? -1) < 0 || (maximum === undefined && largest > maximumLineFils))
    add('feePercentageUnbounded', 'percentOf', params);
}

/** The register says the amounts, so that nothing else can. */
const isFinesFee = ({ amount, per, percentOf, stage, refundable }: FeeRule): boolean =>
  amount === 0 && (per ?? percentOf) === undefined && stage !== 'issue' && refundable !== true;

/** The problems of the fees of a form, each with its place. */
export function listFeeProblems(form: ServiceForm, fees: readonly FeeRule[]): FeeProblem[] {
  const problems: FeeProblem[] = [];
  const fields = new Map(
    form.steps.flatMap((step) => step.fields).map((field) => [field.name, field]),
  );
  const isReachable = createReachability(form);
  for (const [index, fee] of fees.entries()) {
    const add: Add = (code, keyword, params = {}, message = code) =>
      void problems.push({
        code,
        place: `${index}.${keyword}`,
        params,
        message: `fee ${fee.name}: ${message}${params.name === undefined ? '' : ` (${params.name})`}`,
      });
    if (fees.findIndex(({ name }) => name === fee.name) < index)
      add('feeTwice', 'name', { name: fee.name });
    if (fee.amount > maximumLineFils) add('feeTooLarge', 'amount');
    const report: Report = (code, message, params) => add(code, 'when', params, message);
    checkCondition(fee.when, { seen: fields, all: new Set(fields.keys()) }, report);
    if (fee.finesOf !== undefined) {
      if (fields.get(fee.finesOf)?.kind !== 'fines' || !isFinesFee(fee))
        add('feeFinesUnusable', 'finesOf', { name: fee.finesOf });
    }
    if (!isPercentageComplete(fee)) add('feePercentageUnusable', 'percentOf');
    else if (fee.percentOf !== undefined) checkPercentage(fee, fields.get(fee.percentOf), add);
    else if (fee.per !== undefined) checkUnits(fee, fields.get(fee.per), add);
    const needed = [fee.per, fee.percentOf, fee.finesOf]
      .filter((name) => name !== undefined && fields.has(name))
      .map((field) => ({ field, answered: true }));
    if (!isReachable([...(fee.when ? [fee.when] : []), ...needed])) add('feeUnreachable', 'when');
  }
  return problems;
}
