import type { MarkTarget } from '#features/requests/record/mark-controls.tsx';
import { findMissingMessages, noMessages, type Messages } from '#ui/forms/message-fields.tsx';
import type { ReasonSubject } from '@diwan/contract/requests/rejection-reasons';
import type { returnRequest } from '@diwan/contract/requests/request-actions';
import { markKey } from '@diwan/contract/requests/return-marks';
import type { BodyInputOf } from '@diwan/contract/wire/call';
import type { Language } from '@diwan/contract/wire/languages';

/**
 * A mark in a return that is being written: a prepared reason, or its own text. Stored in the
 * browser, so the field names stay.
 */
export interface DraftMark extends MarkTarget {
  /** Empty without a prepared reason. */
  reasonId: string;
  /** Whether `messages` are sent instead of the text of the reason. */
  hasOwnWords: boolean;
  messages: Messages;
}

/** Instead of the id of a prepared reason: a text of one's own. */
export const ownWords = 'own';

/**
 * The prepared reasons that fit what is marked, an answer or a document; the one that its mark has
 * already stays among them.
 */
export function reasonsForMark<Reason extends { id: number; about?: ReasonSubject }>(
  reasons: readonly Reason[] = [],
  target: MarkTarget,
  reasonId = '',
): Reason[] {
  const subject: ReasonSubject = target.field.startsWith('attachments.') ? 'document' : 'answer';
  return reasons.filter(
    ({ id, about }) => about === undefined || about === subject || String(id) === reasonId,
  );
}

/** Marks the target with a prepared reason or `ownWords`; texts that were typed before stay. */
export function setMark(
  marks: readonly DraftMark[],
  target: MarkTarget,
  reasonId: string,
): DraftMark[] {
  const isOwn = reasonId === ownWords;
  const at = marks.findIndex((mark) => markKey(mark) === markKey(target));
  const mark: DraftMark = {
    field: target.field,
    ...(target.attachmentId === undefined ? {} : { attachmentId: target.attachmentId }),
    reasonId: isOwn ? '' : reasonId,
    hasOwnWords: isOwn,
    messages: marks[at]?.messages ?? noMessages,
  };
  return at < 0 ? [...marks, mark] : marks.with(at, mark);
}

export function removeMark(marks: readonly DraftMark[], target: MarkTarget): DraftMark[] {
  return marks.filter((mark) => markKey(mark) !== markKey(target));
}

/** The marks without a text for their reader: the missing languages by the mark's key. */
export function findMissingMarkTexts(
  marks: readonly DraftMark[],
  reader?: Language,
): Map<string, (keyof Messages)[]> {
  const found = marks.map(
    (mark) =>
      [
        markKey(mark),
        mark.hasOwnWords ? findMissingMessages(mark.messages, true, reader) : [],
      ] as const,
  );
  return new Map(
    found.filter(([, missing]) => missing.length > 0).map(([key, missing]) => [key, [...missing]]),
  );
}

/** Marks in the form of the call. */
export function toMarksBody(
  marks: readonly DraftMark[],
): NonNullable<BodyInputOf<typeof returnRequest>['marks']> {
  return marks.map(({ field, attachmentId, reasonId, hasOwnWords, messages }) => ({
    field,
    ...(attachmentId === undefined ? {} : { attachmentId }),
    ...(reasonId === '' ? {} : { reasonId: Number(reasonId) }),
    ...(hasOwnWords ? messages : {}),
  }));
}
