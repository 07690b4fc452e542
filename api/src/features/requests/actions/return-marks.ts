import type { Answers } from '@diwan/contract/forms/forms';
import { cleanText } from '@diwan/contract/forms/answer-values';
import type { ValidationIssue } from '@diwan/contract/wire/errors';
import { languages, type Language, type LocalizedText } from '@diwan/contract/wire/languages';
import { answerAt, isSameAnswer, titleOfTarget } from '@diwan/contract/requests/mark-targets';
import type { HistoryEntry } from '@diwan/contract/requests/requests';
import {
  markKey,
  type MarkExplanation,
  type ReturnMark,
  type ShownMark,
} from '@diwan/contract/requests/return-marks';
import type { Transaction } from '../../../platform/database/database.ts';
import type { KeptMark, KeptMended } from '../../../platform/database/database-types.ts';
import { ValidationRefusal } from '../../../platform/core/refusals.ts';
import { refusalText } from '../../../platform/core/texts.ts';
import type { AttachmentRow } from '../../attachments/attachments.actions.ts';
import { findLatestStep, type HistoryRow, type RequestRow } from '../model/requests.store.ts';

/** A mark as staff send it, its words by language. */
export type TypedMark = Pick<ReturnMark, 'field' | 'attachmentId' | 'reasonId'> & {
  message: { [Language in keyof LocalizedText]?: string | undefined };
};

/** What marks are judged by: the request and its documents, and the reasons that can be chosen. */
export interface Marked {
  row: Pick<RequestRow, 'form' | 'attachment_rules' | 'answers'>;
  documents: readonly AttachmentRow[];
  reasons: ReadonlyMap<number, LocalizedText>;
}

const endings = { 'ar-EG': 'Ar', 'en-US': 'En', 'ur-PK': 'Ur' } as const;

function readWords(
  typed: TypedMark,
  place: string,
  reasons: Marked['reasons'],
): { message: LocalizedText } | { issues: ValidationIssue[] } {
  if (typed.reasonId !== undefined && !reasons.has(typed.reasonId))
    return { issues: [{ field: `${place}.reasonId`, code: 'reasonUnknown' }] };
  const own = languages.map(
    (language) => [language, cleanText(typed.message[language] ?? '', true)] as const,
  );
  const reason = typed.reasonId === undefined ? undefined : reasons.get(typed.reasonId);
  if (reason && own.every(([, text]) => text === '')) return { message: reason };
  const issues = own.flatMap(([language, text]): ValidationIssue[] =>
    text === '' ? [{ field: `${place}.message${endings[language]}`, code: 'required' }] : [],
  );
  return issues.length > 0 ? { issues } : { message: Object.fromEntries(own) as LocalizedText };
}

function readMark(
  typed: TypedMark,
  place: string,
  { row, documents, reasons }: Marked,
): KeptMark | ValidationIssue[] {
  const { field, attachmentId, reasonId } = typed;
  const title = titleOfTarget(row.form, row.attachment_rules, row.answers, field);
  if (!title) return [{ field: `${place}.field`, code: 'unknownField' }];
  const isThere =
    attachmentId === undefined ||
    documents.some((each) => each.id === attachmentId && `attachments.${each.name}` === field);
  if (!isThere) return [{ field: `${place}.attachmentId`, code: 'attachmentUnknown' }];
  const words = readWords(typed, place, reasons);
  return 'issues' in words
    ? words.issues
    : {
        field,
        ...(attachmentId === undefined ? {} : { attachmentId }),
        ...(reasonId === undefined ? {} : { reasonId }),
        title,
        message: words.message,
      };
}

/**
 * The marks of a return as the history keeps them. Throws a ValidationRefusal that names every one
 * that cannot be.
 */
export function readMarks(typed: readonly TypedMark[], marked: Marked): KeptMark[] {
  const read = typed.map((each, index) => readMark(each, `marks.${index}`, marked));
  const issues = read.flatMap((each) => (Array.isArray(each) ? each : []));
  const keys = typed.map(markKey);
  keys.forEach((key, index) => {
    if (keys.indexOf(key) < index)
      issues.push({ field: `marks.${index}.field`, code: 'markTwice' });
  });
  if (issues.length > 0) throw new ValidationRefusal(issues);
  return read.filter((each): each is KeptMark => !Array.isArray(each));
}

/**
 * The marks of a return and, whatever staff marked, each document that was found harmful after it
 * was sent: its content is gone, so another one is asked for.
 */
export function withInfected(marks: readonly KeptMark[], { row, documents }: Marked): KeptMark[] {
  const message = Object.fromEntries(
    languages.map((language) => [language, refusalText('AttachmentInfected', language)]),
  ) as LocalizedText;
  const infected = documents.filter(
    ({ id, name, scan_state: state }) =>
      state === 'infected' &&
      !marks.some(
        (mark) => mark.field === `attachments.${name}` && (mark.attachmentId ?? id) === id,
      ),
  );
  return [
    ...marks,
    ...infected.flatMap(({ id, name }) => {
      const field = `attachments.${name}`;
      const title = titleOfTarget(row.form, row.attachment_rules, row.answers, field);
      return title ? [{ field, attachmentId: id, title, message }] : [];
    }),
  ];
}

/**
 * The words of a return as a message tells them: the one for the whole, then each mark in a line.
 */
export function withMarks(
  message: LocalizedText | null,
  marks: readonly KeptMark[],
): LocalizedText | null {
  if (marks.length === 0) return message;
  const told = languages.map((language) => [
    language,
    [
      ...(message ? [message[language]] : []),
      ...marks.map(
        (mark) => `- ${mark.title[language]}: ${mark.message[language].replaceAll('\n', ' ')}`,
      ),
    ].join('\n'),
  ]);
  return Object.fromEntries(told) as LocalizedText;
}

/** What the last return marked, until the request is sent again. */
export async function findOpenMarks(
  transaction: Transaction,
  requestId: number,
): Promise<readonly KeptMark[]> {
  const latest = await findLatestStep(transaction, requestId);
  return latest?.action === 'return' ? latest.marks : [];
}

/** An update beside what was there before it. */
export interface Update {
  before: Answers;
  after: Answers;
  /** The documents with the request before, and the ids and rules of those with it after. */
  documents: readonly AttachmentRow[];
  sent: readonly Pick<AttachmentRow, 'id' | 'name'>[];
}

function documentChanges({ documents, sent }: Update): KeptMended['documents'] {
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

function isMended(mark: KeptMark, update: Update, documents: KeptMended['documents']): boolean {
  if (mark.attachmentId !== undefined)
    return !update.sent.some(({ id }) => id === mark.attachmentId);
  const [kind, name] = mark.field.split('.');
  if (kind === 'attachments') return documents.some((each) => each.name === name);
  return !isSameAnswer(answerAt(update.before, mark.field), answerAt(update.after, mark.field));
}

/**
 * What an update changed and how it answered each mark; `issues` name the marks that it left
 * without a word.
 */
export function judgeUpdate(
  marks: readonly KeptMark[],
  update: Update,
  explanations: readonly MarkExplanation[],
): { mended: KeptMended; issues: ValidationIssue[] } {
  const names = [...new Set([...Object.keys(update.before), ...Object.keys(update.after)])].filter(
    (name) => !isSameAnswer(update.before[name], update.after[name]),
  );
  const only = (answers: Answers): Answers =>
    Object.fromEntries(
      names.flatMap((name) => (answers[name] === undefined ? [] : [[name, answers[name]]])),
    );
  const documents = documentChanges(update);
  const answered = marks.map((mark) => {
    const typed = explanations.find((each) => markKey(each) === markKey(mark))?.text ?? '';
    return {
      ...mark,
      isChanged: isMended(mark, update, documents),
      explanation: cleanText(typed, true),
    };
  });
  const issues = answered
    .filter(({ isChanged, explanation }) => !isChanged && explanation === '')
    .map(({ field }): ValidationIssue => ({ field, code: 'markNotMended' }));
  return {
    mended: { before: only(update.before), after: only(update.after), documents, marks: answered },
    issues,
  };
}

/** The marks of a line of the history, and what became of them, in the caller's language. */
export function describeMarks(
  entry: Pick<HistoryRow, 'marks' | 'mended'>,
  language: Language,
): Pick<HistoryEntry, 'marks' | 'mended'> {
  const show = ({ field, attachmentId, title, message }: KeptMark): ShownMark => ({
    field,
    ...(attachmentId === undefined ? {} : { attachmentId }),
    title: title[language],
    message: message[language],
  });
  if (!entry.mended) return { marks: entry.marks.map(show) };
  const { marks, ...changes } = entry.mended;
  return {
    marks: [],
    mended: {
      ...changes,
      marks: marks.map((mark) => ({
        ...show(mark),
        isChanged: mark.isChanged,
        explanation: mark.explanation,
      })),
    },
  };
}
