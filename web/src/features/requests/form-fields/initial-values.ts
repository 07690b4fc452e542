import { isFieldShown } from '@diwan/contract/forms/check-answers';
import type { FormField, ServiceForm } from '@diwan/contract/forms/forms';

/** The input so far, valid or not. */
export type AnswerValues = Record<string, unknown>;

const isObject = (value: unknown): value is AnswerValues =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** More items would slow down the page. */
const maximumItems = 50;

function compatibleValue(field: FormField, value: unknown): unknown {
  if (field.kind === 'address') return isObject(value) ? value : undefined;
  if (field.kind === 'group')
    return Array.isArray(value)
      ? value
          .filter(isObject)
          .slice(0, maximumItems)
          .map((item) => keepCompatible(field.fields ?? [], item))
      : undefined;
  const isList = field.kind === 'choices' || field.kind === 'fines';
  return isObject(value) || (Array.isArray(value) && !isList) ? undefined : value;
}

function keepCompatible(fields: readonly FormField[], values: AnswerValues): AnswerValues {
  const byName = new Map(fields.map((field) => [field.name, field]));
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const field = byName.get(name);
      if (!field) return [[name, value]];
      const values = compatibleValue(field, value);
      return values === undefined || values === null ? [] : [[name, values]];
    }),
  );
}

/**
 * The initial values of a form: answers that no longer match the kind of their field are removed,
 * and groups with a minimum get empty items. `stepIndex` is the visible step; without it all steps
 * are.
 */
export function initialValuesOf(
  form: ServiceForm,
  stepIndex: number | undefined,
  answers: AnswerValues,
): AnswerValues {
  const fields = form.steps.flatMap((step) => step.fields);
  const values = keepCompatible(fields, answers);
  const shown = (
    stepIndex === undefined ? form.steps : form.steps.slice(stepIndex, stepIndex + 1)
  ).flatMap((step) => step.fields);
  for (const field of shown) {
    const least = Math.max(field.minItems ?? 0, field.required ? 1 : 0);
    if (
      field.kind !== 'group' ||
      values[field.name] !== undefined ||
      least === 0 ||
      !field.required ||
      !isFieldShown(form, field, values)
    )
      continue;
    values[field.name] = Array.from({ length: least }, () => ({}));
  }
  return values;
}
