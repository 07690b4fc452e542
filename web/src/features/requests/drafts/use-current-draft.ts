import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { ApiError } from '#lib/api/api-error.ts';
import { goToLogin } from '#lib/api/handle-error.ts';
import { useStore } from '#lib/browser/create-store.ts';
import type { SavedDraft } from '@diwan/contract/requests/drafts';
import { DraftSaver, type DraftView } from './draft-saver.ts';
import {
  loadDraft,
  saveDraftOnServer,
  type DraftSubject,
  type Suggestions,
} from './draft-server.ts';
import {
  findStoredDrafts,
  removeStoredDraft,
  removeIfUnchanged,
  storeDraft,
  correctionScope,
  createDraftKey,
  wasBeingSent,
} from './draft-storage.ts';
import type { Draft } from './draft.ts';

/** The draft that is open in this window. */
export interface CurrentDraft {
  saver: DraftSaver;
  suggestions: Suggestions;
  formChanges: SavedDraft['formChanges'];
  /** Disconnects the draft from the page that is left. */
  detach: () => void;
}

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
  const left = findStoredDrafts(scope, ssid);
  // Corrections to an earlier version are obsolete.
  if (subject.correction)
    for (const { key } of findStoredDrafts(correctionScope(subject.correction.requestId), ssid))
      if (left.every((one) => one.key !== key)) removeStoredDraft(key);
  const last = left.at(-1)?.stored;
  const start =
    found?.draft ??
    (last
      ? { draftId: last.draftId, revision: last.revision, content: last.base, savedAt: '' }
      : { draftId: crypto.randomUUID(), revision: 0, content, savedAt: '' });
  const key = createDraftKey(scope, ssid);
  let isAttached = true;
  const saver = new DraftSaver(
    {
      save: (draft) => saveDraftOnServer(client, subject, draft),
      load: async () => (await loadDraft(subject))?.draft,
      store: (draft) => storeDraft(key, draft),
      clear: () => {
        removeStoredDraft(key);
        for (const one of left) removeIfUnchanged(one.key, one.stored.at);
      },
      onSessionEnd: () => {
        if (isAttached) goToLogin();
      },
    },
    start,
    blank,
  );
  saver.takeOver(left.map(({ stored }) => stored));
  // Only sending removes a draft that nobody discards: the reply was lost by a reload.
  if (found === undefined && left.length === 0 && wasBeingSent(scope, ssid)) saver.markSent();
  return {
    saver,
    suggestions,
    formChanges: found?.formChanges ?? [],
    detach: () => {
      isAttached = false;
    },
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
    let opened: CurrentDraft | undefined;
    const correction =
      requestId === undefined || version === undefined
        ? {}
        : { correction: { requestId, version } };
    openDraft(client, { serviceId, ...correction }, ssid, () => createInitialNow()).then(
      (draft) => {
        if (isUnmounted) return;
        opened = draft;
        setOpen(draft);
      },
      () => {
        if (!isUnmounted) goToLogin();
      },
    );
    const onVisibilityChange = () => {
      if (document.visibilityState === 'hidden') opened?.saver.flush(true);
    };
    const onPageHide = () => opened?.saver.flush(true);
    const onOnline = () => opened?.saver.flush();
    document.addEventListener('visibilitychange', onVisibilityChange);
    window.addEventListener('pagehide', onPageHide);
    window.addEventListener('online', onOnline);
    return () => {
      isUnmounted = true;
      opened?.saver.flush();
      opened?.detach();
      document.removeEventListener('visibilitychange', onVisibilityChange);
      window.removeEventListener('pagehide', onPageHide);
      window.removeEventListener('online', onOnline);
    };
  }, [client, serviceId, requestId, version, ssid]);
  return open;
}

export function useDraftView({ saver }: CurrentDraft): DraftView {
  return useStore(saver.store);
}
