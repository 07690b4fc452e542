import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import type { SavedDraft } from '@diwan/contract/requests/drafts';
import { goToLogin } from '../../../lib/api/handle-error.ts';
import { SendError } from '../../../lib/api/send-error.ts';
import {
  findOnDevice,
  forgetOnDevice,
  forgetTakenOver,
  keepOnDevice,
  mendPlace,
  newDeviceKey,
} from './draft-device.ts';
import { DraftSaver, type DraftView } from './draft-saver.ts';
import { loadDraft, saveOnServer, type DraftAbout, type Suggestions } from './draft-server.ts';
import type { Draft } from './draft.ts';

/** A draft that is open in this window. */
export interface OpenDraft {
  saver: DraftSaver;
  suggestions: Suggestions;
  formChanges: SavedDraft['formChanges'];
  /** The page is left: whatever comes back no longer moves it. */
  detach: () => void;
}

/** What a draft begins with where there is none yet, and what there was before that. */
export interface DraftBeginning {
  blank: Draft;
  content: Draft;
  suggestions: Suggestions;
}

async function openDraft(
  client: QueryClient,
  about: DraftAbout,
  ssid: string,
  begin: () => Promise<DraftBeginning>,
): Promise<OpenDraft> {
  const place = about.mends
    ? mendPlace(about.mends.requestId, about.mends.version)
    : about.serviceId;
  // Without an answer one goes on with what is here; both sides meet when the server can be
  // reached.
  const [found, { blank, content, suggestions }] = await Promise.all([
    loadDraft(about).catch((error: unknown) => {
      if (error instanceof SendError && error.status === 401) throw error;
      return undefined;
    }),
    begin(),
  ]);
  const left = findOnDevice(place, ssid);
  // What was begun on an earlier return is no use to anybody.
  if (about.mends)
    for (const { key } of findOnDevice(mendPlace(about.mends.requestId), ssid))
      if (left.every((one) => one.key !== key)) forgetOnDevice(key);
  const last = left.at(-1)?.kept;
  const start =
    found?.draft ??
    (last
      ? { draftId: last.draftId, revision: last.revision, content: last.base, savedAt: '' }
      : { draftId: crypto.randomUUID(), revision: 0, content, savedAt: '' });
  const key = newDeviceKey(place, ssid);
  let isHere = true;
  const saver = new DraftSaver(
    {
      save: (draft) => saveOnServer(client, about, draft),
      load: async () => (await loadDraft(about))?.draft,
      keep: (kept) => keepOnDevice(key, kept),
      forget: () => {
        forgetOnDevice(key);
        for (const one of left) forgetTakenOver(one.key, one.kept.at);
      },
      onSessionEnd: () => {
        if (isHere) goToLogin();
      },
    },
    start,
    blank,
  );
  saver.takeOver(left.map(({ kept }) => kept));
  return {
    saver,
    suggestions,
    formChanges: found?.formChanges ?? [],
    detach: () => {
      isHere = false;
    },
  };
}

/** The person's draft, once it is known; what is typed is kept from then on. */
export function useOpenDraft(
  about: DraftAbout,
  ssid: string,
  begin: () => Promise<DraftBeginning>,
): OpenDraft | undefined {
  const client = useQueryClient();
  const [open, setOpen] = useState<OpenDraft>();
  const beginNow = useEffectEvent(begin);
  const { serviceId } = about;
  const { requestId, version } = about.mends ?? {};
  useEffect(() => {
    let isLeft = false;
    let opened: OpenDraft | undefined;
    const mends =
      requestId === undefined || version === undefined ? {} : { mends: { requestId, version } };
    openDraft(client, { serviceId, ...mends }, ssid, () => beginNow()).then(
      (draft) => {
        if (isLeft) return;
        opened = draft;
        setOpen(draft);
      },
      () => {
        if (!isLeft) goToLogin();
      },
    );
    const leave = () => {
      if (document.visibilityState === 'hidden') opened?.saver.flush(true);
    };
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
  }, [client, serviceId, requestId, version, ssid]);
  return open;
}

export function useDraftView({ saver }: OpenDraft): DraftView {
  return useSyncExternalStore(saver.subscribe, saver.current);
}
