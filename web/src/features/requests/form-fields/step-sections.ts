import type { FormField, FormSection } from '@diwan/contract/forms/forms';
import type { FormStep } from './use-answers-form.ts';

/** Groups consecutive fields of the same section. */
export function sectionsOfStep(
  step: FormStep,
): { section: FormSection | undefined; fields: FormField[] }[] {
  const parts: { section: FormSection | undefined; fields: FormField[] }[] = [];
  for (const field of step.fields) {
    const section = step.sections?.find((each) => each.name === field.section);
    const last = parts.at(-1);
    if (last && last.section === section) last.fields.push(field);
    else parts.push({ section, fields: [field] });
  }
  return parts;
}
