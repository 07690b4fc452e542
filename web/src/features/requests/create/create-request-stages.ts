import { checkStep, documentsAsked } from '@diwan/contract/forms/check-answers';
import type { Service } from '@diwan/contract/catalogue/services';
import { missingDocuments } from '../documents/document-uploads-check.ts';
import type { Draft } from '../drafts/draft.ts';
import { rulesApart } from '../form-fields/form-fields-documents.ts';
import { review, stagesOf, type Stage } from './stages-of.ts';

/** A stage is done when it was gone through and what it holds is still right. */
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
  const here = documentsAsked(form, attachments, draft.answers, today)
    .map(({ rule }) => rule)
    .filter((rule) => places.has(rule.name));
  return (
    checkStep(form, stage.stepIndex, draft.answers, today).length === 0 &&
    missingDocuments(here, draft.documents).length === 0
  );
}

/** The stage that an address asks for, or the first one that must be done before it. */
export function reachableStage(
  service: Pick<Service, 'form' | 'attachments'>,
  asked: string,
  draft: Draft,
  today: string,
): Stage {
  const stages = stagesOf(service, draft.answers);
  const first = stages.findIndex((stage) => !isStageDone(service, stage, draft, today));
  const wanted = stages.findIndex((stage) => stage.name === asked);
  return stages[wanted < 0 ? first : Math.min(wanted, first)] ?? review;
}
