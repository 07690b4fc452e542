import type { Answers, ServiceForm } from '@diwan/contract/forms/forms';
import { isFieldShown } from '@diwan/contract/forms/check-answers';
import { answerAt, isSameAnswer } from '@diwan/contract/requests/mark-targets';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import { markKey, type ShownMark } from '@diwan/contract/requests/return-marks';
import type { UploadedDocument } from '../drafts/draft.ts';

/** What the last return asks to be mended, until the request is sent again. */
export function openMarks(record: Pick<RequestRecord, 'history'>): readonly ShownMark[] {
  const latest = record.history.at(-1);
  return latest?.action === 'return' ? latest.marks : [];
}

/** The field of the form, or the rule, that a mark lies within. */
export function nameOfMark(mark: Pick<ShownMark, 'field'>): string {
  return mark.field.split('.')[1] ?? '';
}

export const isOnAnswer = (mark: Pick<ShownMark, 'field'>): boolean =>
  mark.field.startsWith('answers.');

/** Documents that are marked one by one make room for what comes in their place. */
export function withoutMarked(
  documents: readonly UploadedDocument[],
  marks: readonly ShownMark[],
): UploadedDocument[] {
  return documents.filter(
    (each) => !marks.some(({ attachmentId }) => attachmentId === each.attachmentId),
  );
}

interface Mending {
  record: Pick<RequestRecord, 'answers' | 'attachments'>;
  answers: Readonly<Record<string, unknown>>;
  documents: readonly UploadedDocument[];
  explanations: Readonly<Record<string, string>>;
}

/** What came new for a rule. */
const arrivedFor = (name: string, { record, documents }: Mending) =>
  documents.filter(
    (each) =>
      each.name === name &&
      !record.attachments.some(({ attachmentId }) => attachmentId === each.attachmentId),
  );

function isChanged(mark: ShownMark, mending: Mending): boolean {
  if (isOnAnswer(mark))
    return !isSameAnswer(
      answerAt(mending.record.answers, mark.field),
      answerAt(mending.answers, mark.field),
    );
  return arrivedFor(nameOfMark(mark), mending).length > 0;
}

/** The marks that are neither changed nor explained, by their keys. */
export function leftMarks(marks: readonly ShownMark[], mending: Mending): string[] {
  return marks
    .filter((mark) => !isChanged(mark, mending) && !mending.explanations[markKey(mark)]?.trim())
    .map(markKey);
}

/**
 * The documents that go with the request: what is there, and marked ones that stay because the
 * person says why.
 */
export function documentsToSend(marks: readonly ShownMark[], mending: Mending): string[] {
  const kept = marks
    .filter((mark) => mark.attachmentId !== undefined && !isChanged(mark, mending))
    .flatMap(({ attachmentId }) => attachmentId ?? []);
  return [...new Set([...mending.documents.map(({ attachmentId }) => attachmentId), ...kept])];
}

/**
 * Fields that a change brought up: asked now and not before, or wrong as they are; they have to be
 * seen, marked or not.
 */
export function fieldsBroughtUp(
  form: ServiceForm,
  before: Answers,
  now: Readonly<Record<string, unknown>>,
  wrong: (name: string) => boolean,
): string[] {
  return form.steps
    .flatMap((step) => step.fields)
    .filter(
      (field) =>
        isFieldShown(form, field, now) && (wrong(field.name) || !isFieldShown(form, field, before)),
    )
    .map(({ name }) => name);
}
