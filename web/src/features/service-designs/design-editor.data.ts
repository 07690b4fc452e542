import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { goToLogin } from '#lib/api/handle-error.ts';
import { send } from '#lib/api/send.ts';
import { useSession } from '#lib/api/session.ts';
import { useCall } from '#lib/api/use-call.ts';
import { DocumentSaver } from '#lib/documents/document-saver.ts';
import { openDeviceCopies } from '#lib/documents/document-storage.ts';
import type { SavedDocument } from '#lib/documents/saved-document.ts';
import { useEditedDocument } from '#lib/documents/use-edited-document.ts';
import { wholeDocument } from '#lib/documents/whole-document.ts';
import * as calls from '@diwan/contract/catalogue/service-designs';
import type { ServiceDesign } from '@diwan/contract/catalogue/service-designs';
import type { DraftDocument } from '@diwan/contract/catalogue/service-document';

/** A service in its designer. The editor holds what is newer than this. */
export const useServiceDesign = (serviceId: number) =>
  useCall(calls.getServiceDesign, { query: { serviceId }, staleTime: 0 });

/**
 * How many open requests have not followed their service to its new agency: `known`, and then what the
 * server says, every two seconds until none is left.
 */
export function useRequestsLeft(serviceId: number, known: number): number {
  const [isMoving, setIsMoving] = useState(true);
  const { data, isFetchedAfterMount } = useCall(calls.getServiceDesign, {
    query: { serviceId },
    staleTime: 0,
    refetchInterval: isMoving && 2000,
  });
  if (!isFetchedAfterMount || !data) return known;
  const left = data.agencyMove?.isMoving ? data.agencyMove.openRequests : 0;
  if (isMoving && left === 0) setIsMoving(false);
  return left;
}

/** The published versions, and what the draft changes. */
export function useServiceVersions(serviceId: number, compared: { from?: number; to?: number }) {
  const query = { serviceId };
  return {
    versions: useCall(calls.getServiceVersions, { query, staleTime: 0 }),
    differences: useCall(calls.compareServiceVersions, {
      query: { ...query, ...compared },
      staleTime: 0,
      keepPrevious: true,
    }),
  };
}

/** The draft of a service on the server, with what the server says about it. */
interface SavedDesign extends SavedDocument<DraftDocument> {
  design: ServiceDesign;
}

/** `content` is the document as it was sent, which the reply may order differently. */
const toSaved = (design: ServiceDesign, content: DraftDocument = design.document): SavedDesign => ({
  draftId: String(design.serviceId),
  revision: design.version,
  content,
  savedAt: design.version > 0 ? (design.savedAt ?? '') : '',
  design,
});

const isDesign = (value: unknown): value is DraftDocument =>
  typeof value === 'object' && value !== null && 'form' in value;

const readDesign = async (serviceId: number): Promise<SavedDesign> =>
  toSaved(await send(calls.getServiceDesign, { query: { serviceId }, skipErrorHandling: true }));

function reloadLists(client: QueryClient): void {
  for (const call of [
    calls.getServiceDesigns,
    calls.getWaitingPublications,
    calls.compareServiceVersions,
  ])
    void client.invalidateQueries({ queryKey: [call.name] });
}

function openDesign(client: QueryClient, ssid: string, loaded: ServiceDesign) {
  const { serviceId } = loaded;
  const { left, ...copies } = openDeviceCopies(`service-design-${serviceId}`, ssid, isDesign);
  return new DocumentSaver(
    wholeDocument<DraftDocument>(),
    {
      ...copies,
      save: async ({ revision, content, isLeaving }) => {
        const saved = await send(calls.saveServiceDraft, {
          body: { serviceId, version: revision, document: JSON.stringify(content) },
          keepalive: isLeaving,
          skipErrorHandling: true,
        });
        reloadLists(client);
        return toSaved(saved, content);
      },
      load: () => readDesign(serviceId),
      onSessionEnd: goToLogin,
      blank: loaded.document,
    },
    toSaved(loaded),
    left,
  );
}

type Action = (at: { serviceId: number; version: number }) => Promise<unknown>;

/** The draft of a service with undo and redo, and the actions on it. */
export function useDesignEditor(serviceId: number, loaded: ServiceDesign) {
  const client = useQueryClient();
  const ssid = useSession()?.ssid ?? '';
  const [saver] = useState(() => openDesign(client, ssid, loaded));
  const { view, ...edits } = useEditedDocument(saver);
  const [pending, setPending] = useState('');

  /** Runs an action on the saved draft, and shows what the service is then. */
  const run = async (name: string, action: Action): Promise<boolean> => {
    setPending(name);
    try {
      const perform = async ({ revision }: SavedDesign) => {
        await action({ serviceId, version: revision });
        return readDesign(serviceId);
      };
      const isDone = await saver.run(perform, { savesFirst: name !== 'discard' });
      if (isDone) {
        reloadLists(client);
        await client.invalidateQueries({ queryKey: [calls.getServiceVersions.name] });
      }
      return isDone;
    } finally {
      setPending('');
    }
  };

  /** The problems of the draft as it is now; undefined where it could not be saved. */
  const check = async (): Promise<ServiceDesign['problems'] | undefined> => {
    setPending('check');
    try {
      const isOnServer = await saver.settle();
      return isOnServer ? saver.store.get().saved.design.problems : undefined;
    } finally {
      setPending('');
    }
  };

  return {
    ...edits,
    view,
    document: view.content,
    design: view.saved.design,
    problem: view.problem,
    pending,
    resolve: (document: DraftDocument) => saver.resolve(() => document),
    check,
    /** Whether a publication waits for a second person now; after an action, what it left. */
    isWaiting: () => saver.store.get().saved.design.waiting !== undefined,
    ...actionsOf(serviceId, run),
  };
}

/** What an admin does with the saved draft. Each resolves to whether it succeeded. */
function actionsOf(serviceId: number, run: (name: string, action: Action) => Promise<boolean>) {
  const options = { skipErrorHandling: true };
  return {
    /** Takes over a document that was typed as JSON, once the server has read it. */
    applyJson: (document: string) =>
      run('json', (target) =>
        send(calls.saveServiceDraft, { body: { ...target, document }, ...options }),
      ),
    publish: (at?: string) =>
      run('publish', (target) =>
        send(calls.publishService, { body: at ? { ...target, at } : target, ...options }),
      ),
    cancel: () => run('cancel', (body) => send(calls.cancelPublication, { body, ...options })),
    decide: (id: number, isConfirmed: boolean) =>
      run('decide', () =>
        send(calls.decidePublication, { body: { serviceId, id, isConfirmed }, ...options }),
      ),
    discard: () => run('discard', (body) => send(calls.discardServiceDraft, { body, ...options })),
    update: () => run('update', (body) => send(calls.updateServiceDraft, { body, ...options })),
    restoreVersion: (number: number) =>
      run(`version ${number}`, () =>
        send(calls.restoreServiceVersion, { body: { serviceId, number }, ...options }),
      ),
    offerAgain: () =>
      run('offer', () => send(calls.restoreService, { body: { serviceId }, ...options })),
  };
}

export type DesignEditor = ReturnType<typeof useDesignEditor>;
