import type { BodyInputOf } from '@diwan/contract/wire/call';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import type { returnRequest } from '@diwan/contract/requests/requests';
import { markKey } from '@diwan/contract/requests/return-marks';
import { noCharges, type TypedCharges } from './charges.ts';
import type { DialogAction } from '../data/request-actions.data.ts';
import type { UploadedDocument } from '../drafts/draft.ts';

export const messageNames = ['messageAr', 'messageEn', 'messageUr'] as const;
export type Messages = Record<(typeof messageNames)[number], string>;

/** What a return asks to be mended, as it is written: the words of a reason, or own ones. */
export interface DraftMark {
  field: string;
  attachmentId?: string;
  /** Empty for own words. */
  reasonId: string;
  hasOwnWords: boolean;
  messages: Messages;
}

/**
 * What was typed into a dialog; it outlives the dialog, so that closing it by mistake loses
 * nothing.
 */
export interface ActionDraft {
  reasons: string[];
  messages: Messages;
  providerNumber: string;
  results: UploadedDocument[];
  marks: DraftMark[];
  charges: TypedCharges;
  /** The applicant is not to be told. */
  isSilent: boolean;
}

/** What changes, or how it follows from what is there by then. */
export type DraftChange = Partial<ActionDraft> | ((before: ActionDraft) => Partial<ActionDraft>);

const noMessages: Messages = { messageAr: '', messageEn: '', messageUr: '' };
const empty: ActionDraft = {
  reasons: [],
  messages: noMessages,
  providerNumber: '',
  results: [],
  marks: [],
  charges: noCharges,
  isSilent: false,
};

export const emptyDrafts: Record<DialogAction, ActionDraft> = {
  submitted: empty,
  return: empty,
  reject: empty,
  approve: empty,
  accept: empty,
};

/**
 * Messages that are missing: each blank one where a message is needed or another language has one.
 */
export function missingMessages(messages: Messages, isNeeded: boolean): (keyof Messages)[] {
  const blank = messageNames.filter((name) => messages[name].trim() === '');
  return isNeeded || blank.length < messageNames.length ? blank : [];
}

export function newMark(target: Pick<DraftMark, 'field' | 'attachmentId'>): DraftMark {
  return {
    field: target.field,
    ...(target.attachmentId === undefined ? {} : { attachmentId: target.attachmentId }),
    reasonId: '',
    hasOwnWords: true,
    messages: noMessages,
  };
}

/** The words of a reason, to go on from. */
export function messagesOf(text: LocalizedText): Messages {
  return { messageAr: text['ar-EG'], messageEn: text['en-US'], messageUr: text['ur-PK'] };
}

/** Marks that say nothing yet, by their keys, each with the languages that it lacks. */
export function missingMarkWords(marks: readonly DraftMark[]): Map<string, (keyof Messages)[]> {
  const found = marks.map(
    (mark) =>
      [markKey(mark), mark.hasOwnWords ? missingMessages(mark.messages, true) : []] as const,
  );
  return new Map(
    found.filter(([, missing]) => missing.length > 0).map(([key, missing]) => [key, [...missing]]),
  );
}

/** Marks as they are sent. */
export function marksToSend(
  marks: readonly DraftMark[],
): NonNullable<BodyInputOf<typeof returnRequest>['marks']> {
  return marks.map(({ field, attachmentId, reasonId, hasOwnWords, messages }) => ({
    field,
    ...(attachmentId === undefined ? {} : { attachmentId }),
    ...(reasonId === '' ? {} : { reasonId: Number(reasonId) }),
    ...(hasOwnWords ? messages : {}),
  }));
}
