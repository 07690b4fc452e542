import type { DialogAction } from './request-actions.data.ts';
import type { UploadedDocument } from './draft.ts';

export const messageNames = ['messageAr', 'messageEn', 'messageUr'] as const;
export type Messages = Record<(typeof messageNames)[number], string>;

/** What was typed into a dialog; it outlives the dialog, so that closing it by mistake loses nothing. */
export interface ActionDraft {
  reasons: string[];
  messages: Messages;
  providerNumber: string;
  results: UploadedDocument[];
}

/** What changes, or how it follows from what is there by then. */
export type DraftChange = Partial<ActionDraft> | ((before: ActionDraft) => Partial<ActionDraft>);

const empty: ActionDraft = { reasons: [], messages: { messageAr: '', messageEn: '', messageUr: '' }, providerNumber: '', results: [] };

export const emptyDrafts: Record<DialogAction, ActionDraft> = { submitted: empty, return: empty, reject: empty };

/** Messages that are missing: each blank one where a message is needed or another language has one. */
export function missingMessages(messages: Messages, isNeeded: boolean): (keyof Messages)[] {
  const blank = messageNames.filter((name) => messages[name].trim() === '');
  return isNeeded || blank.length < messageNames.length ? blank : [];
}
