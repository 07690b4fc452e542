import { refusalText } from '#platform/core/locale-texts.ts';
import { ValidationRefusal } from '#platform/core/refusals.ts';
import type { Transaction } from '#platform/database/database.ts';
import { cleanText } from '@diwan/contract/forms/answer-values';
import type { Answers } from '@diwan/contract/forms/forms';
import {
  findAnswer,
  isSameAnswer,
  findTargetTitle,
  markKey,
  type MarkExplanation,
  type ReturnMark,
} from '@diwan/contract/requests/return-marks';
import type { ValidationIssue } from '@diwan/contract/wire/errors';
import { languages, type Language, type LocalizedText } from '@diwan/contract/wire/languages';
import type { AttachmentRow } from '../model/request-documents.store.ts';
import type { RequestForm, RequestRow } from '../model/requests.store.ts';
import {
  findLatestStep,
  type StoredMark,
  type StoredCorrection,
} from '../record/request-history.store.ts';

/** A message as it was typed; languages may be missing or blank. */
export type MessageInput = { [Language in keyof LocalizedText]?: string | undefined };

/**
 * A typed message in every language; where one was not written, it is the text of the applicant's
 * language. Null when nothing was typed, undefined when the applicant's language is missing.
 */
export function readMessage(
  typed: MessageInput,
  applicantLanguage: Language,
): LocalizedText | null | undefined {
  const texts = languages.map(
    (language) => [language, cleanText(typed[language] ?? '', true)] as const,
  );
  if (texts.every(([, text]) => text === '')) return null;
  const own = texts.find(([language]) => language === applicantLanguage)?.[1];
  return own
    ? (Object.fromEntries(
        texts.map(([language, text]) => [language, text || own]),
      ) as LocalizedText)
    : undefined;
}

/** A mark as staff send it, with its message by language. */
type MarkInput = Pick<ReturnMark, 'field' | 'attachmentId' | 'reasonId'> & {
  message: MessageInput;
};

/** The request that is marked, its documents, and the active reasons. */
interface MarkableRequest {
  row: RequestForm & Pick<RequestRow, 'answers'>;
  documents: readonly AttachmentRow[];
  reasons: ReadonlyMap<number, LocalizedText>;
  applicantLanguage: Language;
}

const fieldEndings = { 'ar-EG': 'Ar', 'en-US': 'En', 'ur-PK': 'Ur' } as const;

// `path` is the field of the mark in the body, such as `marks.0`.
function readText(
  typed: MarkInput,
  path: string,
  { reasons, applicantLanguage }: MarkableRequest,
): { message: LocalizedText } | { issues: ValidationIssue[] } {
  const reason = typed.reasonId === undefined ? undefined : reasons.get(typed.reasonId);
  if (typed.reasonId !== undefined && !reason)
    return { issues: [{ field: `${path}.reasonId`, code: 'reasonUnknown' }] };
  const message = readMessage(typed.message, applicantLanguage) ?? undefined;
  const isBlank = Object.values(typed.message).every((text) => !text?.trim());
  if (reason && isBlank) return { message: reason };
  const field = `${path}.message${fieldEndings[applicantLanguage]}`;
  return message ? { message } : { issues: [{ field, code: 'required' }] };
}

function readMark(
  typed: MarkInput,
  path: string,
  markable: MarkableRequest,
): StoredMark | ValidationIssue[] {
  const { field, attachmentId, reasonId } = typed;
  const { row, documents } = markable;
  const title = findTargetTitle(row.form, row.attachment_rules, row.answers, field);
  if (!title) return [{ field: `${path}.field`, code: 'unknownField' }];
  const isKnownDocument =
    attachmentId === undefined ||
    documents.some((each) => each.id === attachmentId && `attachments.${each.name}` === field);
  if (!isKnownDocument) return [{ field: `${path}.attachmentId`, code: 'attachmentUnknown' }];
  const read = readText(typed, path, markable);
  if ('issues' in read) return read.issues;
  return {
    field,
    ...(attachmentId === undefined ? {} : { attachmentId }),
    ...(reasonId === undefined ? {} : { reasonId }),
    title,
    message: read.message,
  };
}

/** The marks of a return as the history stores them. Throws a ValidationRefusal of every issue. */
export function readMarks(typed: readonly MarkInput[], markable: MarkableRequest): StoredMark[] {
  const read = typed.map((each, index) => readMark(each, `marks.${index}`, markable));
  const issues = read.flatMap((each) => (Array.isArray(each) ? each : []));
  const keys = typed.map(markKey);
  keys.forEach((key, index) => {
    if (keys.indexOf(key) < index)
      issues.push({ field: `marks.${index}.field`, code: 'markTwice' });
  });
  if (issues.length > 0) throw new ValidationRefusal(issues);
  return read.filter((each): each is StoredMark => !Array.isArray(each));
}

/**
 * The marks of a return, and a mark for each other document that was found infected after it was
 * sent. The content of such a document is deleted, so that the applicant has to send another one.
 */
export function addInfectedDocuments(
  marks: readonly StoredMark[],
  { row, documents }: Pick<MarkableRequest, 'row' | 'documents'>,
): StoredMark[] {
  const message = Object.fromEntries(
    languages.map((language) => [language, refusalText('AttachmentInfected', language)]),
  ) as LocalizedText;
  const isMarked = (id: string, field: string) =>
    marks.some((mark) => mark.field === field && (mark.attachmentId ?? id) === id);
  const added = documents.flatMap(({ id, name, scan_state: state }) => {
    const field = `attachments.${name}`;
    if (state !== 'infected' || isMarked(id, field)) return [];
    const title = findTargetTitle(row.form, row.attachment_rules, row.answers, field);
    return title ? [{ field, attachmentId: id, title, message }] : [];
  });
  return [...marks, ...added];
}

/** The message to the applicant: the message of the return, then a line for each mark. */
export function appendMarks(
  message: LocalizedText | null,
  marks: readonly StoredMark[],
): LocalizedText | null {
  if (marks.length === 0) return message;
  const texts = languages.map((language) => {
    const lines = marks.map(
      (mark) => `- ${mark.title[language]}: ${mark.message[language].replaceAll('\n', ' ')}`,
    );
    return [language, [...(message ? [message[language]] : []), ...lines].join('\n')];
  });
  return Object.fromEntries(texts) as LocalizedText;
}

/** The marks of the last return; empty once the request was sent again. */
export async function findOpenMarks(
  transaction: Transaction,
  requestId: number,
): Promise<readonly StoredMark[]> {
  const latest = await findLatestStep(transaction, requestId);
  return latest?.action === 'return' ? latest.marks : [];
}

/** The content of a request before and after an update. */
interface Update {
  before: Answers;
  after: Answers;
  /** The documents before the update. */
  documents: readonly AttachmentRow[];
  /** The documents after the update. */
  sent: readonly Pick<AttachmentRow, 'id' | 'name'>[];
}

function compareDocuments({ documents, sent }: Update): StoredCorrection['documents'] {
  const removed = documents.filter((each) => !sent.some(({ id }) => id === each.id));
  const added = sent.filter((each) => !documents.some(({ id }) => id === each.id));
  const idsOf = (rows: Update['sent'], name: string) =>
    rows.filter((each) => each.name === name).map(({ id }) => id);
  return [...new Set([...removed, ...added].map(({ name }) => name))].map((name) => ({
    name,
    removed: idsOf(removed, name),
    added: idsOf(added, name),
  }));
}

function isCorrected(
  mark: StoredMark,
  { before, after, sent }: Update,
  documents: StoredCorrection['documents'],
): boolean {
  if (mark.attachmentId !== undefined) return !sent.some(({ id }) => id === mark.attachmentId);
  const [kind, name] = mark.field.split('.');
  if (kind === 'attachments') return documents.some((each) => each.name === name);
  return !isSameAnswer(findAnswer(before, mark.field), findAnswer(after, mark.field));
}

/**
 * The changes of an update, and its answer to each mark. `issues` lists the marks that were neither
 * corrected nor explained.
 */
export function compareWithMarks(
  marks: readonly StoredMark[],
  update: Update,
  explanations: readonly MarkExplanation[],
): { corrected: StoredCorrection; issues: ValidationIssue[] } {
  const { before, after } = update;
  const changedNames = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isSameAnswer(before[name], after[name]),
  );
  const pickChanged = (answers: Answers): Answers =>
    Object.fromEntries(
      changedNames.flatMap((name) => (answers[name] === undefined ? [] : [[name, answers[name]]])),
    );
  const documents = compareDocuments(update);
  const answered = marks.map((mark) => {
    const typed = explanations.find((each) => markKey(each) === markKey(mark))?.text ?? '';
    return {
      ...mark,
      isChanged: isCorrected(mark, update, documents),
      explanation: cleanText(typed, true),
    };
  });
  const issues = answered
    .filter(({ isChanged, explanation }) => !isChanged && explanation === '')
    .map(({ field }): ValidationIssue => ({ field, code: 'markNotCorrected' }));
  return {
    corrected: {
      before: pickChanged(before),
      after: pickChanged(after),
      documents,
      marks: answered,
    },
    issues,
  };
}
