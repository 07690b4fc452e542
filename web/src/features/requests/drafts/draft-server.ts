import type { QueryClient } from '@tanstack/react-query';
import {
  getDraft,
  getDrafts,
  getPrefill,
  saveDraft,
  type PrefillOrigin,
  type SavedDraft,
} from '@diwan/contract/requests/drafts';
import { send } from '../../../lib/api/send.ts';
import type { ServerDraft } from './draft-saver.ts';
import type { Draft } from './draft.ts';

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

const readDraft = ({
  draftId,
  revision,
  answers,
  explanations,
  documents,
  passed,
  savedAt,
}: SavedDraft): ServerDraft => ({
  draftId,
  revision,
  content: { answers, explanations, documents, passed },
  savedAt,
});

/** What a draft is for: a service, or a returned request of it in the version that was seen. */
export interface DraftAbout {
  serviceId: number;
  mends?: { requestId: number; version: number };
}

/** The draft as the server has it. Errors are the caller's to show. */
export async function loadDraft({
  serviceId,
  mends,
}: DraftAbout): Promise<
  { draft: ServerDraft; formChanges: SavedDraft['formChanges'] } | undefined
> {
  const { draft } = await send(getDraft, {
    query: { serviceId, requestId: mends?.requestId },
    skipErrorHandling: true,
  });
  return draft && { draft: readDraft(draft), formChanges: draft.formChanges };
}

/** Without an answer there are none: the form is asked in full. */
export async function loadSuggestions(serviceId: number): Promise<Suggestions> {
  return send(getPrefill, { query: { serviceId }, skipErrorHandling: true }).catch(() => ({
    fields: [],
    isAgreed: false,
    hasEarlier: false,
  }));
}

/** Fills in what nobody has answered yet. */
export function withSuggestions(draft: Draft, fields: readonly Suggestion[]): Draft {
  const isOpen = (name: string) =>
    draft.answers[name] === undefined || draft.answers[name] === '' || draft.answers[name] === null;
  return {
    ...draft,
    answers: {
      ...draft.answers,
      ...Object.fromEntries(
        fields.filter(({ name }) => isOpen(name)).map(({ name, value }) => [name, value]),
      ),
    },
  };
}

/** A browser sends no more than this once its page is being left. */
const mostWhenLeaving = 60_000;

export async function saveOnServer(
  client: QueryClient,
  { serviceId, mends }: DraftAbout,
  {
    draftId,
    revision,
    content,
    isLeaving,
  }: { draftId: string; revision: number; content: Draft; isLeaving: boolean },
): Promise<{ revision: number; savedAt: string }> {
  const body = {
    draftId,
    serviceId,
    ...mends,
    revision,
    answers: content.answers,
    explanations: content.explanations,
    attachmentIds: content.documents.map((each) => each.attachmentId),
    passed: content.passed,
  };
  const keepalive = isLeaving && JSON.stringify(body).length < mostWhenLeaving / 3;
  const saved = await send(saveDraft, { body, keepalive, skipErrorHandling: true });
  void client.invalidateQueries({ queryKey: [getDrafts.name] });
  return saved;
}
