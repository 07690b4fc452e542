import type { UploadedDocument } from '#features/requests/documents/uploaded-documents.ts';
import { noMessages, type Messages } from '#ui/forms/message-fields.tsx';
import { staffActions, type StaffAction } from '@diwan/contract/requests/actions';
import type { DraftMark } from '../marks/draft-marks.ts';
import { noCharges, type TypedCharges } from './charges.ts';

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
  /** By the name of the agency's rule: whether its document proves the right to the discount. */
  discounts: Readonly<Record<string, 'grant' | 'refuse'>>;
  /** YYYY-MM-DD, or as typed. */
  holdUntil: string;
  /** The applicant is not notified. */
  isSilent: boolean;
}

/** The changed fields, or a function of the draft at that time. */
export type DraftChange = Partial<ActionDraft> | ((before: ActionDraft) => Partial<ActionDraft>);

const emptyDraft: ActionDraft = {
  reasons: [],
  messages: noMessages,
  providerNumber: '',
  results: [],
  marks: [],
  charges: noCharges,
  discounts: {},
  holdUntil: '',
  isSilent: false,
};

/** The drafts of all actions of a request. */
export type ActionDrafts = Record<StaffAction, ActionDraft>;

/** The drafts of all actions, by what is known of each. */
export const toDrafts = (known: Partial<ActionDrafts> = {}): ActionDrafts =>
  Object.fromEntries(
    staffActions.map((action) => [action, { ...emptyDraft, ...known[action] }]),
  ) as ActionDrafts;

export const emptyDrafts = toDrafts();
