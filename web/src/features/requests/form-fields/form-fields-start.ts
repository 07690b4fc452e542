import { isFieldShown } from '@diwan/contract/forms/check-answers';
import type { FormField, ServiceForm } from '@diwan/contract/forms/forms';

/** What was typed so far, judged or not. */
export type AnswerValues = Record<string, unknown>;

const isObject = (value: unknown): value is AnswerValues =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** Nobody fills in more by hand, and a page must stay quick. */
const mostItems = 50;

function fitting(field: FormField, value: unknown): unknown {
  if (field.kind === 'address') return isObject(value) ? value : undefined;
  if (field.kind === 'group')
    return Array.isArray(value)
      ? value
          .filter(isObject)
          .slice(0, mostItems)
          .map((item) => onlyFitting(field.fields ?? [], item))
      : undefined;
  return isObject(value) || (Array.isArray(value) && field.kind !== 'choices') ? undefined : value;
}

function onlyFitting(fields: readonly FormField[], values: AnswerValues): AnswerValues {
  const byName = new Map(fields.map((field) => [field.name, field]));
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const field = byName.get(name);
      if (!field) return [[name, value]];
      const kept = fitting(field, value);
      return kept === undefined || kept === null ? [] : [[name, kept]];
    }),
  );
}

/**
 * What the fields begin with: answers of an older form that no longer fit the kind of their field
 * are left out, and a group that must have items begins with them.
 * `stepIndex` names the step that is shown; without it all are.
 */
export function startOf(
  form: ServiceForm,
  stepIndex: number | undefined,
  answers: AnswerValues,
): AnswerValues {
  const fields = form.steps.flatMap((step) => step.fields);
  const kept = onlyFitting(fields, answers);
  const shown = (
    stepIndex === undefined ? form.steps : form.steps.slice(stepIndex, stepIndex + 1)
  ).flatMap((step) => step.fields);
  for (const field of shown) {
    const least = Math.max(field.minItems ?? 0, field.required ? 1 : 0);
    if (
      field.kind !== 'group' ||
      kept[field.name] !== undefined ||
      least === 0 ||
      !field.required ||
      !isFieldShown(form, field, kept)
    )
      continue;
    kept[field.name] = Array.from({ length: least }, () => ({}));
  }
  return kept;
}
