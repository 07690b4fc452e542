import type { QueryClient } from '@tanstack/react-query';
import { getDraft, getDrafts, getPrefill, saveDraft, type PrefillOrigin, type SavedDraft } from '@diwan/contract/drafts';
import { send } from '../../../lib/send.ts';
import type { ServerDraft } from './draft-saver.ts';
import { emptyDraft, type Draft } from './draft.ts';

/** A suggested answer and where it comes from. */
export interface Suggestion {
  name: string;
  value?: unknown;
  origin: PrefillOrigin;
  requestNumber?: string | undefined;
}

export interface Suggestions {
  fields: readonly Suggestion[];
  isAgreed: boolean;
  hasEarlier: boolean;
}

const readDraft = ({ draftId, revision, answers, documents, passed, savedAt }: SavedDraft): ServerDraft => ({ draftId, revision, content: { answers, documents, passed }, savedAt });

/** The draft of a service as the server has it. Errors are the caller's to show. */
export async function loadDraft(serviceId: number): Promise<{ draft: ServerDraft; formChanges: SavedDraft['formChanges'] } | undefined> {
  const { draft } = await send(getDraft, { query: { serviceId }, skipErrorHandling: true });
  return draft && { draft: readDraft(draft), formChanges: draft.formChanges };
}

/** Without an answer there are none: the form is asked in full. */
export async function loadSuggestions(serviceId: number): Promise<Suggestions> {
  return send(getPrefill, { query: { serviceId }, skipErrorHandling: true }).catch(() => ({ fields: [], isAgreed: false, hasEarlier: false }));
}

/** Fills in what nobody has answered yet. */
export function withSuggestions(draft: Draft, fields: readonly Suggestion[]): Draft {
  const isOpen = (name: string) => draft.answers[name] === undefined || draft.answers[name] === '' || draft.answers[name] === null;
  return { ...draft, answers: { ...draft.answers, ...Object.fromEntries(fields.filter(({ name }) => isOpen(name)).map(({ name, value }) => [name, value])) } };
}

export function newDraft(fields: readonly Suggestion[]): ServerDraft {
  return { draftId: crypto.randomUUID(), revision: 0, content: withSuggestions(emptyDraft, fields), savedAt: '' };
}

/** A browser sends no more than this once its page is being left. */
const mostWhenLeaving = 60_000;

export async function saveOnServer(client: QueryClient, serviceId: number, { draftId, revision, content, isLeaving }: { draftId: string; revision: number; content: Draft; isLeaving: boolean }): Promise<{ revision: number; savedAt: string }> {
  const body = { draftId, serviceId, revision, answers: content.answers, attachmentIds: content.documents.map((each) => each.attachmentId), passed: content.passed };
  const keepalive = isLeaving && JSON.stringify(body).length < mostWhenLeaving / 3;
  const saved = await send(saveDraft, { body, keepalive, skipErrorHandling: true });
  void client.invalidateQueries({ queryKey: [getDrafts.name] });
  return saved;
}
