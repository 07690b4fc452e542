import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { SavedDraft } from '@diwan/contract/drafts';
import type { Service } from '@diwan/contract/services';
import { goToLogin } from '../../../lib/handle-error.ts';
import { SendError } from '../../../lib/send-error.ts';
import type { Session } from '../../../lib/session.ts';
import { findOnDevice, forgetOnDevice, forgetTakenOver, keepOnDevice, newDeviceKey } from './draft-device.ts';
import { DraftSaver, type DraftView } from './draft-saver.ts';
import { loadDraft, loadSuggestions, newDraft, saveOnServer, type Suggestions } from './draft-server.ts';

/** A draft that is open in this window. */
export interface OpenDraft {
  saver: DraftSaver;
  suggestions: Suggestions;
  formChanges: SavedDraft['formChanges'];
  /** The page is left: whatever comes back no longer moves it. */
  detach: () => void;
}

async function openDraft(client: QueryClient, serviceId: number, ssid: string): Promise<OpenDraft> {
  // Without an answer one goes on with what is here; both sides meet when the server can be reached.
  const [found, suggestions] = await Promise.all([loadDraft(serviceId).catch((error: unknown) => {
    if (error instanceof SendError && error.status === 401) throw error;
    return undefined;
  }), loadSuggestions(serviceId)]);
  const left = findOnDevice(serviceId, ssid);
  const last = left.at(-1)?.kept;
  const start = found?.draft ?? (last ? { draftId: last.draftId, revision: last.revision, content: last.base, savedAt: '' } : newDraft(suggestions.fields));
  const key = newDeviceKey(serviceId, ssid);
  let isHere = true;
  const saver = new DraftSaver({
    save: (draft) => saveOnServer(client, serviceId, draft),
    load: async () => (await loadDraft(serviceId))?.draft,
    keep: (kept) => keepOnDevice(key, kept),
    forget: () => {
      forgetOnDevice(key);
      for (const one of left) forgetTakenOver(one.key, one.kept.at);
    },
    onSessionEnd: () => { if (isHere) goToLogin(); },
  }, start);
  saver.takeOver(left.map(({ kept }) => kept));
  return { saver, suggestions, formChanges: found?.formChanges ?? [], detach: () => { isHere = false; } };
}

/** The person's draft for a service, once it is known; what is typed is kept from then on. */
export function useOpenDraft(service: Service, session: Session): OpenDraft | undefined {
  const client = useQueryClient();
  const [open, setOpen] = useState<OpenDraft>();
  const { id } = service;
  const { ssid } = session;
  useEffect(() => {
    let isLeft = false;
    let opened: OpenDraft | undefined;
    openDraft(client, id, ssid).then((draft) => {
      if (isLeft) return;
      opened = draft;
      setOpen(draft);
    }, () => { if (!isLeft) goToLogin(); });
    const leave = () => { if (document.visibilityState === 'hidden') opened?.saver.flush(true); };
    const goAway = () => opened?.saver.flush(true);
    const comeBack = () => opened?.saver.flush();
    document.addEventListener('visibilitychange', leave);
    window.addEventListener('pagehide', goAway);
    window.addEventListener('online', comeBack);
    return () => {
      isLeft = true;
      opened?.saver.flush();
      opened?.detach();
      document.removeEventListener('visibilitychange', leave);
      window.removeEventListener('pagehide', goAway);
      window.removeEventListener('online', comeBack);
    };
  }, [client, id, ssid]);
  return open;
}

export function useDraftView({ saver }: OpenDraft): DraftView {
  return useSyncExternalStore(saver.subscribe, saver.current);
}
