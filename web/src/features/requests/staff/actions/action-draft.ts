import type { BodyInputOf } from '@diwan/contract/wire/call';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import type { returnRequest } from '@diwan/contract/requests/request-actions';
import { markKey } from '@diwan/contract/requests/return-marks';
import { findMissingMessages, type Messages } from '../../../../ui/forms/message-fields.tsx';
import { noCharges, type TypedCharges } from './charges.ts';
import type { DialogAction } from '../../data/request-actions.data.ts';
import type { MarkTarget } from '../../record/mark-flag.tsx';
import type { UploadedDocument } from '../../documents/uploaded-documents.ts';

/**
 * A mark in a return that is being written: a prepared reason, or a text of its own. Stored in the
 * browser, so the field names stay.
 */
export interface DraftMark extends MarkTarget {
  /** Empty without a prepared reason. */
  reasonId: string;
  /** Whether `messages` are sent instead of the text of the reason. */
  hasOwnWords: boolean;
  messages: Messages;
}

/**
 * The input of an action's dialog. It stays after the dialog is closed, so that closing it by
 * mistake loses nothing. Stored in the browser, so the field names stay.
 */
export interface ActionDraft {
  reasons: string[];
  messages: Messages;
  providerNumber: string;
  results: UploadedDocument[];
  marks: DraftMark[];
  charges: TypedCharges;
  /** The applicant is not notified. */
  isSilent: boolean;
}

/** The changed fields, or a function of the draft at that time. */
export type DraftChange = Partial<ActionDraft> | ((before: ActionDraft) => Partial<ActionDraft>);

const noMessages: Messages = { messageAr: '', messageEn: '', messageUr: '' };
const emptyDraft: ActionDraft = {
  reasons: [],
  messages: noMessages,
  providerNumber: '',
  results: [],
  marks: [],
  charges: noCharges,
  isSilent: false,
};

export const emptyDrafts: Record<DialogAction, ActionDraft> = {
  submitted: emptyDraft,
  return: emptyDraft,
  reject: emptyDraft,
  approve: emptyDraft,
  accept: emptyDraft,
};

export function createMark(target: MarkTarget): DraftMark {
  return {
    field: target.field,
    ...(target.attachmentId === undefined ? {} : { attachmentId: target.attachmentId }),
    reasonId: '',
    hasOwnWords: true,
    messages: noMessages,
  };
}

/** Adds a mark for the target, or removes the one that it has. */
export function toggleMark(marks: readonly DraftMark[], target: MarkTarget): DraftMark[] {
  const others = marks.filter((mark) => markKey(mark) !== markKey(target));
  return others.length < marks.length ? others : [...others, createMark(target)];
}

/** The text of a prepared reason as a message that can be changed. */
export function toMessages(text: LocalizedText): Messages {
  return { messageAr: text['ar-EG'], messageEn: text['en-US'], messageUr: text['ur-PK'] };
}

/** The marks without a complete text: the missing languages by the mark's key. */
export function findMissingMarkTexts(marks: readonly DraftMark[]): Map<string, (keyof Messages)[]> {
  const found = marks.map(
    (mark) =>
      [markKey(mark), mark.hasOwnWords ? findMissingMessages(mark.messages, true) : []] as const,
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
