import { useEffect, useState } from 'react';
import { goToLogin } from '#lib/api/handle-error.ts';
import { queryClient } from '#lib/api/query-client.ts';
import { send } from '#lib/api/send.ts';
import { useSession } from '#lib/api/session.ts';
import { useCall } from '#lib/api/use-call.ts';
import { DocumentSaver } from '#lib/documents/document-saver.ts';
import { openDeviceCopies } from '#lib/documents/document-storage.ts';
import type { SavedDocument } from '#lib/documents/saved-document.ts';
import { useEditedDocument } from '#lib/documents/use-edited-document.ts';
import { wholeDocument } from '#lib/documents/whole-document.ts';
import type { Workflow } from '@diwan/contract/requests/workflow';
import {
  getWorkflowDraft,
  saveWorkflowDraft,
  type StoredWorkflowDraft,
  type WorkflowDraft,
} from '@diwan/contract/requests/workflows';

/** The stored draft of a scope, read once: later the editor holds the newer one. */
export const useStoredDraft = (serviceId: number | undefined) =>
  useCall(getWorkflowDraft, {
    query: { ServiceId: serviceId },
    staleTime: Number.POSITIVE_INFINITY,
    skipErrorHandling: true,
  });

/** The draft on the server, else the active workflow. */
interface SavedWorkflow extends SavedDocument<WorkflowDraft> {
  by: string | undefined;
}

const isWorkflow = (value: unknown): value is WorkflowDraft =>
  typeof value === 'object' && value !== null && 'statuses' in value && 'transitions' in value;

const scopeOf = (serviceId: number | undefined) => (serviceId === undefined ? {} : { serviceId });

function openWorkflow(
  ssid: string,
  active: Workflow,
  stored: StoredWorkflowDraft,
  serviceId: number | undefined,
) {
  const scope = `workflow-${serviceId ?? 'general'}`;
  const withoutDraft: WorkflowDraft = { ...active, version: active.version + 1 };
  const toSaved = (
    { version, updatedAt, by }: Omit<StoredWorkflowDraft, 'document'>,
    content: WorkflowDraft = withoutDraft,
  ): SavedWorkflow => ({
    draftId: scope,
    revision: version,
    content,
    savedAt: version > 0 ? (updatedAt ?? '') : '',
    by,
  });
  const { left, ...copies } = openDeviceCopies(scope, ssid, isWorkflow);
  const saver = new DocumentSaver(
    wholeDocument<WorkflowDraft>(),
    {
      ...copies,
      save: async ({ revision, content, isLeaving }) => {
        const body = { ...scopeOf(serviceId), version: revision, document: content };
        const saved = await send(saveWorkflowDraft, {
          body,
          keepalive: isLeaving,
          skipErrorHandling: true,
        });
        return toSaved(saved, content);
      },
      load: async () => {
        const query = { ServiceId: serviceId };
        const { document, ...saved } = await send(getWorkflowDraft, {
          query,
          skipErrorHandling: true,
        });
        return toSaved(saved, document);
      },
      onSessionEnd: goToLogin,
      blank: withoutDraft,
    },
    toSaved(stored, stored.document),
    left,
  );
  /** Deletes the draft on the server. */
  const discard = () =>
    saver.run(
      async ({ revision }) => {
        if (revision > 0)
          await send(saveWorkflowDraft, {
            body: { ...scopeOf(serviceId), version: revision },
            skipErrorHandling: true,
          });
        return toSaved({ version: 0 });
      },
      { savesFirst: false },
    );
  return { saver, discard };
}

/** The draft of a scope with undo and redo. */
export function useDraftEditor(
  active: Workflow,
  stored: StoredWorkflowDraft,
  serviceId: number | undefined,
) {
  const ssid = useSession()?.ssid ?? '';
  const [{ saver, discard }] = useState(() => openWorkflow(ssid, active, stored, serviceId));
  const { view, ...edits } = useEditedDocument(saver);
  // The next editor reads what this one has stored.
  useEffect(() => () => queryClient.removeQueries({ queryKey: [getWorkflowDraft.name] }), []);
  return {
    ...edits,
    view,
    draft: view.content,
    /** Whether there is a draft, or one that is not saved yet. */
    isStarted: view.state !== 'none',
    resolve: (document: WorkflowDraft) => saver.resolve(() => document),
    discard,
    /** The draft became the active workflow, so nothing of it is saved any more. */
    finish: () => saver.finish(),
  };
}

export type DraftEditor = ReturnType<typeof useDraftEditor>;
