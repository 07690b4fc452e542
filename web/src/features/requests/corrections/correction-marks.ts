import { isFieldShown } from '@diwan/contract/forms/check-answers';
import type { Answers, ServiceForm } from '@diwan/contract/forms/forms';
import { kindsOf, listSpecialData } from '@diwan/contract/forms/special-data';
import type { RequestForUpdate, RequestRecord } from '@diwan/contract/requests/requests';
import {
  findAnswer,
  isSameAnswer,
  markKey,
  type ShownMark,
} from '@diwan/contract/requests/return-marks';
import type { UploadedDocument } from '../documents/uploaded-documents.ts';
import type { Draft } from '../drafts/draft.ts';

/** The name of the marked field of the form, or of the marked attachment rule. */
export function fieldNameOfMark(mark: Pick<ShownMark, 'field'>): string {
  return mark.field.split('.')[1] ?? '';
}

export const isOnAnswer = (mark: Pick<ShownMark, 'field'>): boolean =>
  mark.field.startsWith('answers.');

/** The documents without the marked ones, which have to be replaced. */
export function withoutMarkedDocuments(
  documents: readonly UploadedDocument[],
  marks: readonly ShownMark[],
): UploadedDocument[] {
  return documents.filter(
    (each) => !marks.some(({ attachmentId }) => attachmentId === each.attachmentId),
  );
}

/** The request as it was returned, with the current input. */
export interface CorrectionState {
  record: Pick<RequestRecord, 'answers' | 'attachments'>;
  answers: Readonly<Record<string, unknown>>;
  documents: readonly UploadedDocument[];
  explanations: Readonly<Record<string, string>>;
}

/** The documents of a rule that were uploaded during the correction. */
const newDocumentsFor = (name: string, { record, documents }: CorrectionState) =>
  documents.filter(
    (each) =>
      each.name === name &&
      !record.attachments.some(({ attachmentId }) => attachmentId === each.attachmentId),
  );

function isChanged(mark: ShownMark, state: CorrectionState): boolean {
  if (isOnAnswer(mark))
    return !isSameAnswer(
      findAnswer(state.record.answers, mark.field),
      findAnswer(state.answers, mark.field),
    );
  return newDocumentsFor(fieldNameOfMark(mark), state).length > 0;
}

/** The marks that are neither changed nor explained, by their keys. */
export function findUnresolvedMarks(marks: readonly ShownMark[], state: CorrectionState): string[] {
  return marks
    .filter((mark) => !isChanged(mark, state) && !state.explanations[markKey(mark)]?.trim())
    .map(markKey);
}

/**
 * The documents to submit: the current ones, and marked ones that the applicant explains instead of
 * replacing them.
 */
export function documentIdsToSend(marks: readonly ShownMark[], state: CorrectionState): string[] {
  const explained = marks
    .filter((mark) => mark.attachmentId !== undefined && !isChanged(mark, state))
    .flatMap(({ attachmentId }) => attachmentId ?? []);
  return [...new Set([...state.documents.map(({ attachmentId }) => attachmentId), ...explained])];
}

/** The explanations in the form of the call; empty ones are left out. */
export function toExplanationsBody(
  marks: readonly ShownMark[],
  explanations: Readonly<Record<string, string>>,
): { field: string; attachmentId?: string; text: string }[] {
  return marks.flatMap((mark) => {
    const text = explanations[markKey(mark)]?.trim();
    if (!text) return [];
    const { field, attachmentId } = mark;
    return [{ field, ...(attachmentId === undefined ? {} : { attachmentId }), text }];
  });
}

/**
 * The fields that a change made visible or invalid. The applicant has to see them even when they
 * are not marked.
 */
export function findFieldsToReview(
  form: ServiceForm,
  before: Answers,
  after: Readonly<Record<string, unknown>>,
  isInvalid: (name: string) => boolean,
): string[] {
  return form.steps
    .flatMap((step) => step.fields)
    .filter(
      (field) =>
        isFieldShown(form, field, after) &&
        (isInvalid(field.name) || !isFieldShown(form, field, before)),
    )
    .map(({ name }) => name);
}

/**
 * Whether a correction is about documents alone: only documents are marked, and the draft changes
 * no answer and explains nothing.
 */
export function isAboutDocuments(
  { openMarks, answers }: Pick<RequestForUpdate, 'openMarks' | 'answers'>,
  draft: Draft,
): boolean {
  return (
    openMarks.length > 0 &&
    !openMarks.some(isOnAnswer) &&
    isSameAnswer(draft.answers, answers) &&
    Object.values(draft.explanations).every((text) => text.trim() === '') &&
    draft.passed.length === 0
  );
}

/** The special data that the correction adds: of kinds that the request did not hold before. */
export function listNewSpecialData(
  { form, attachmentRules, answers, attachments }: RequestForUpdate,
  corrected: CorrectionState,
) {
  const list = (held: CorrectionState['answers'], documents: readonly { name: string }[]) =>
    listSpecialData(
      form,
      attachmentRules,
      held,
      documents.map(({ name }) => name),
    );
  const known = kindsOf(list(answers, attachments));
  return list(corrected.answers, corrected.documents).filter(({ kind }) => !known.includes(kind));
}
