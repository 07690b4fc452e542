import type { Service } from '@diwan/contract/catalogue/services';
import {
  checkStep,
  isFieldShown,
  isStepShown,
  listRequiredDocuments,
} from '@diwan/contract/forms/check-answers';
import { missingDocuments } from '../documents/uploaded-documents.ts';
import type { Suggestion } from '../drafts/draft-server.ts';
import type { Draft } from '../drafts/draft.ts';
import { rulesApart } from '../form-fields/form-documents.ts';
import type { AnswerValues } from '../form-fields/initial-values.ts';
import type { FormStep } from '../form-fields/use-answers-form.ts';
import { reviewFragment } from './stage-fragments.ts';

/**
 * One screen of the form: a step, the documents, or the review. `name` is the fragment of the
 * address.
 */
export type Stage =
  | { kind: 'step'; name: string; step: FormStep; stepIndex: number }
  | { kind: 'documents'; name: string }
  | { kind: 'review'; name: string };

const review: Stage = { kind: 'review', name: reviewFragment };
const reserved = ['documents', review.name];

/** The stages for these answers. */
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
  const apart = listRequiredDocuments(form, rulesApart(form, attachments), answers);
  return [
    ...shown,
    ...(apart.length > 0 ? [{ kind: 'documents', name: 'documents' } as const] : []),
    review,
  ];
}

/** A stage is done when the user has completed it and its content is still valid. */
export function isStageDone(
  service: Pick<Service, 'form' | 'attachments'>,
  stage: Stage,
  draft: Draft,
  today: string,
): boolean {
  if (stage.kind === 'review' || !draft.passed.includes(stage.name)) return false;
  const { form, attachments } = service;
  if (stage.kind === 'documents')
    return missingDocuments(rulesApart(form, attachments), draft.documents).length === 0;
  const places = new Set(stage.step.fields.flatMap((field) => field.attachment ?? []));
  const here = listRequiredDocuments(form, attachments, draft.answers, today)
    .map(({ rule }) => rule)
    .filter((rule) => places.has(rule.name));
  return (
    checkStep(form, stage.stepIndex, draft.answers, today).length === 0 &&
    missingDocuments(here, draft.documents).length === 0
  );
}

/**
 * The steps at the beginning whose every answer comes from the account or from UAE PASS. Nobody is
 * asked for them; they stand in the list of steps and on the review page.
 */
export function knownStages(
  service: Pick<Service, 'form' | 'attachments'>,
  { answers }: Draft,
  suggestions: readonly Suggestion[],
  today: string,
): Stage[] {
  const known = new Set(
    suggestions.filter(({ origin }) => origin !== 'earlierRequest').map(({ name }) => name),
  );
  const stages = stagesOf(service, answers);
  const first = stages.findIndex(
    (stage) =>
      stage.kind !== 'step' ||
      stage.step.fields
        .filter((field) => isFieldShown(service.form, field, answers))
        .some(({ name }) => !known.has(name)) ||
      checkStep(service.form, stage.stepIndex, answers, today).length > 0,
  );
  return stages.slice(0, first);
}

/** The requested stage, or the first one that must be completed before it. */
export function reachableStage(
  service: Pick<Service, 'form' | 'attachments'>,
  requested: string,
  draft: Draft,
  today: string,
): Stage {
  const stages = stagesOf(service, draft.answers);
  const first = stages.findIndex((stage) => !isStageDone(service, stage, draft, today));
  const wanted = stages.findIndex((stage) => stage.name === requested);
  return stages[wanted < 0 ? first : Math.min(wanted, first)] ?? review;
}
