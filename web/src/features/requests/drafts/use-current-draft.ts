import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { ApiError } from '#lib/api/api-error.ts';
import { goToLogin } from '#lib/api/handle-error.ts';
import { useStore } from '#lib/browser/create-store.ts';
import { DocumentSaver } from '#lib/documents/document-saver.ts';
import { openDeviceCopies, removeStoredDocument } from '#lib/documents/document-storage.ts';
import type { DocumentView } from '#lib/documents/saved-document.ts';
import type { SavedDraft } from '@diwan/contract/requests/drafts';
import { isSameDraft, mergeDrafts, type DraftConflict } from './draft-merge.ts';
import {
  loadDraft,
  saveDraftOnServer,
  type DraftSubject,
  type ServerDraft,
  type Suggestions,
} from './draft-server.ts';
import { findStoredDrafts, correctionScope, wasBeingSent } from './draft-storage.ts';
import { isDraft, type Draft } from './draft.ts';

export type DraftView = DocumentView<Draft, DraftConflict, ServerDraft>;

/** The draft that is open in this window. */
export interface CurrentDraft {
  saver: DocumentSaver<Draft, DraftConflict, ServerDraft>;
  /** The content with which it was opened. */
  opened: Draft;
  suggestions: Suggestions;
  formChanges: SavedDraft['formChanges'];
}

const draftKind = { isSame: isSameDraft, merge: mergeDrafts };

/** The initial content of a new draft; `blank` is the content without suggestions. */
interface InitialDraft {
  blank: Draft;
  content: Draft;
  suggestions: Suggestions;
}

async function openDraft(
  client: QueryClient,
  subject: DraftSubject,
  ssid: string,
  createInitial: () => Promise<InitialDraft>,
): Promise<CurrentDraft> {
  const scope = subject.correction
    ? correctionScope(subject.correction.requestId, subject.correction.version)
    : subject.serviceId;
  // If the server is unreachable, the stored draft is used; both are merged later.
  const [found, { blank, content, suggestions }] = await Promise.all([
    loadDraft(subject).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 401) throw error;
      return null;
    }),
    createInitial(),
  ]);
  const copies = openDeviceCopies(scope, ssid, isDraft);
  // Corrections to an earlier version are obsolete.
  if (subject.correction) {
    const current = findStoredDrafts(scope, ssid);
    for (const { key } of findStoredDrafts(correctionScope(subject.correction.requestId), ssid))
      if (current.every((one) => one.key !== key)) removeStoredDocument(key);
  }
  const last = copies.left.at(-1);
  const start =
    found?.draft ??
    (last
      ? { draftId: last.draftId, revision: last.revision, content: last.base, savedAt: '' }
      : { draftId: crypto.randomUUID(), revision: 0, content, savedAt: '' });
  const saver = new DocumentSaver(
    draftKind,
    {
      save: (draft) => saveDraftOnServer(client, subject, draft),
      load: async () => (await loadDraft(subject))?.draft,
      store: copies.store,
      clear: copies.clear,
      drop: copies.drop,
      onSessionEnd: goToLogin,
      blank,
    },
    start,
    copies.left,
  );
  // Only sending removes a draft that nobody discards: the reply was lost by a reload.
  if (found === undefined && copies.left.length === 0 && wasBeingSent(scope, ssid))
    saver.markSent();
  return {
    saver,
    opened: saver.store.get().content,
    suggestions,
    formChanges: found?.formChanges ?? [],
  };
}

/** Loads the user's draft; changes are stored from then on. */
export function useCurrentDraft(
  subject: DraftSubject,
  ssid: string,
  createInitial: () => Promise<InitialDraft>,
): CurrentDraft | undefined {
  const client = useQueryClient();
  const [open, setOpen] = useState<CurrentDraft>();
  const createInitialNow = useEffectEvent(createInitial);
  const { serviceId } = subject;
  const { requestId, version } = subject.correction ?? {};
  useEffect(() => {
    let isUnmounted = false;
    let close: (() => void) | undefined;
    const correction =
      requestId === undefined || version === undefined
        ? {}
        : { correction: { requestId, version } };
    openDraft(client, { serviceId, ...correction }, ssid, () => createInitialNow()).then(
      (draft) => {
        if (isUnmounted) return;
        close = draft.saver.openOnPage();
        setOpen(draft);
      },
      () => {
        if (!isUnmounted) goToLogin();
      },
    );
    return () => {
      isUnmounted = true;
      close?.();
    };
  }, [client, serviceId, requestId, version, ssid]);
  return open;
}

export function useDraftView({ saver }: CurrentDraft): DraftView {
  return useStore(saver.store);
}
