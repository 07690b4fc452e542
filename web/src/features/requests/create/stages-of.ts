import { documentsAsked, isStepShown } from '@diwan/contract/forms/check-answers';
import type { Service } from '@diwan/contract/catalogue/services';
import { rulesApart } from '../form-fields/form-fields-documents.ts';
import type { FormStep } from '../form-fields/form-fields-form.ts';
import type { AnswerValues } from '../form-fields/form-fields-start.ts';

/**
 * One screen of the way: a step of the form, the documents, or the review. `name` stands in the
 * address as its fragment.
 */
export type Stage =
  | { kind: 'step'; name: string; step: FormStep; stepIndex: number }
  | { kind: 'documents'; name: string }
  | { kind: 'review'; name: string };

export const review: Stage = { kind: 'review', name: 'review' };
const reserved = ['documents', review.name];

/** The stages that these answers lead through. */
export function stagesOf(
  { form, attachments }: Pick<Service, 'form' | 'attachments'>,
  answers: AnswerValues = {},
): Stage[] {
  const steps = form.steps.map((step, stepIndex): Stage => ({
    kind: 'step',
    name: reserved.includes(step.name) ? `${step.name}-step` : step.name,
    step,
    stepIndex,
  }));
  const shown = steps.filter(
    (stage) => stage.kind !== 'step' || isStepShown(form, stage.step, answers),
  );
  const apart = documentsAsked(form, rulesApart(form, attachments), answers);
  return [
    ...shown,
    ...(apart.length > 0 ? [{ kind: 'documents', name: 'documents' } as const] : []),
    review,
  ];
}
