import type { Service } from '@diwan/contract/services';
import type { FormStep } from './form-fields-form.ts';

/** One screen of the way: a step of the form, the documents, or the review. `name` stands in the address as its fragment. */
export type Stage = { kind: 'step'; name: string; step: FormStep; stepIndex: number } | { kind: 'documents'; name: string } | { kind: 'review'; name: string };

export const review: Stage = { kind: 'review', name: 'review' };
const reserved = ['documents', review.name];

export function stagesOf(service: Pick<Service, 'form' | 'attachments'>): Stage[] {
  const steps = service.form.steps.map((step, stepIndex): Stage => ({ kind: 'step', name: reserved.includes(step.name) ? `${step.name}-step` : step.name, step, stepIndex }));
  return [...steps, ...(service.attachments.length > 0 ? [{ kind: 'documents', name: 'documents' } as const] : []), review];
}
