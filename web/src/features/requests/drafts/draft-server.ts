import type { QueryClient } from '@tanstack/react-query';
import { send } from '#lib/api/send.ts';
import type { SavedDocument } from '#lib/documents/saved-document.ts';
import {
  getDraft,
  getDrafts,
  getPrefill,
  saveDraft,
  type PrefillOrigin,
  type SavedDraft,
} from '@diwan/contract/requests/drafts';
import type { BodyInputOf, EveryField } from '@diwan/contract/wire/call';
import type { Draft } from './draft.ts';

/** A suggested answer and its source. */
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

export type ServerDraft = SavedDocument<Draft>;

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

/** The subject of a draft: a service, or a version of a returned request. */
export interface DraftSubject {
  serviceId: number;
  correction?: { requestId: number; version: number };
}

/** Loads the draft from the server. The caller handles errors. */
export async function loadDraft({
  serviceId,
  correction,
}: DraftSubject): Promise<
  { draft: ServerDraft; formChanges: SavedDraft['formChanges'] } | undefined
> {
  const { draft } = await send(getDraft, {
    query: { serviceId, requestId: correction?.requestId },
    skipErrorHandling: true,
  });
  return draft && { draft: readDraft(draft), formChanges: draft.formChanges };
}

/** Returns no suggestions on errors, so the form is empty. */
export async function loadSuggestions(serviceId: number): Promise<Suggestions> {
  return send(getPrefill, { query: { serviceId }, skipErrorHandling: true }).catch(() => ({
    fields: [],
    isAgreed: false,
    hasEarlier: false,
  }));
}

/** Fills in suggestions for unanswered fields. */
export function withSuggestions(draft: Draft, fields: readonly Suggestion[]): Draft {
  const isUnanswered = (name: string) =>
    draft.answers[name] === undefined || draft.answers[name] === '' || draft.answers[name] === null;
  return {
    ...draft,
    answers: {
      ...draft.answers,
      ...Object.fromEntries(
        fields.filter(({ name }) => isUnanswered(name)).map(({ name, value }) => [name, value]),
      ),
    },
  };
}

type SaveBody = BodyInputOf<typeof saveDraft>;

// Every field, so that the compiler names a new part of a draft.
const contentOf = ({
  answers,
  explanations,
  documents,
  passed,
}: Draft): EveryField<
  Omit<SaveBody, 'draftId' | 'serviceId' | 'requestId' | 'version' | 'revision'>
> => ({
  answers,
  explanations,
  attachmentIds: documents.map((each) => each.attachmentId),
  passed,
});

export async function saveDraftOnServer(
  client: QueryClient,
  { serviceId, correction }: DraftSubject,
  {
    draftId,
    revision,
    content,
    isLeaving,
  }: { draftId: string; revision: number; content: Draft; isLeaving: boolean },
): Promise<ServerDraft> {
  const body = {
    draftId,
    serviceId,
    ...correction,
    revision,
    ...contentOf(content),
  };
  const { revision: newRevision, savedAt } = await send(saveDraft, {
    body,
    keepalive: isLeaving,
    skipErrorHandling: true,
  });
  void client.invalidateQueries({ queryKey: [getDrafts.name] });
  return { draftId, revision: newRevision, content, savedAt };
}
