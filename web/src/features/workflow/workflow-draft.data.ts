import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { ApiError } from '#lib/api/api-error.ts';
import { queryClient } from '#lib/api/query-client.ts';
import { send } from '#lib/api/send.ts';
import { useCall } from '#lib/api/use-call.ts';
import { editReducer } from '#lib/browser/edit-history.ts';
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

type SaveState = 'unchanged' | 'unsaved' | 'saving' | 'saved' | 'failed' | 'conflict';

const debounceMs = 800;
const retryMs = 5000;

const scopeOf = (serviceId: number | undefined) => (serviceId === undefined ? {} : { serviceId });

const readNewer = (serviceId: number | undefined) =>
  send(getWorkflowDraft, { query: { ServiceId: serviceId }, skipErrorHandling: true }).catch(
    () => undefined,
  );

/**
 * A draft with undo and redo, stored on the server shortly after each change. Only one call runs at
 * a time. When another admin has stored a newer one, nothing is stored until the user chooses.
 */
export function useDraftEditor(
  active: Workflow,
  stored: StoredWorkflowDraft,
  serviceId: number | undefined,
) {
  const [history, dispatch] = useReducer(editReducer<WorkflowDraft>, {
    past: [],
    present: stored.document ?? { ...active, version: active.version + 1 },
    future: [],
    key: undefined,
  });
  const { present } = history;
  const version = useRef(stored.version);
  const [saved, setSaved] = useState<WorkflowDraft | undefined>(present);
  const [isStored, setIsStored] = useState(stored.document !== undefined);
  const [phase, setPhase] = useState<'idle' | 'saving' | 'failed' | 'conflict'>('idle');
  const [theirs, setTheirs] = useState<StoredWorkflowDraft>();

  const save = useCallback(
    async (document: WorkflowDraft) => {
      setPhase('saving');
      try {
        const reply = await send(saveWorkflowDraft, {
          body: { ...scopeOf(serviceId), version: version.current, document },
          skipErrorHandling: true,
        });
        version.current = reply.version;
        setSaved(document);
        setIsStored(true);
        setPhase('idle');
      } catch (error) {
        const isConflict = error instanceof ApiError && error.name === 'RecordHasChanged';
        const newer = isConflict ? await readNewer(serviceId) : undefined;
        setTheirs(newer);
        setPhase(newer ? 'conflict' : 'failed');
      }
    },
    [serviceId],
  );

  // One call at a time: what changes meanwhile is stored when it has ended.
  const isUnsaved = present !== saved;
  useEffect(() => {
    if (!isUnsaved || phase === 'saving' || phase === 'conflict') return undefined;
    const timer = setTimeout(() => void save(present), phase === 'failed' ? retryMs : debounceMs);
    return () => clearTimeout(timer);
  }, [present, isUnsaved, phase, save]);

  useEffect(() => {
    if (!isUnsaved) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isUnsaved]);

  // The next editor reads what this one has stored.
  useEffect(() => () => queryClient.removeQueries({ queryKey: [getWorkflowDraft.name] }), []);

  /** Continues after a conflict. What is replaced can be undone. */
  const resolve = (choice: 'mine' | 'theirs') => {
    if (!theirs) return;
    version.current = theirs.version;
    setTheirs(undefined);
    setPhase('idle');
    if (choice === 'mine') return setSaved(undefined);
    const document = theirs.document ?? active;
    setIsStored(theirs.document !== undefined);
    setSaved(document);
    dispatch({ type: 'change', document });
  };

  /** Deletes the stored draft; the active workflow is shown again. */
  const discard = async () => {
    if (version.current > 0)
      await send(saveWorkflowDraft, { body: { ...scopeOf(serviceId), version: version.current } });
    version.current = 0;
    const document = { ...active, version: active.version + 1 };
    setSaved(document);
    setIsStored(false);
    dispatch({ type: 'change', document });
  };

  const settled: SaveState = isStored ? 'saved' : 'unchanged';
  const state: SaveState = phase === 'idle' ? (isUnsaved ? 'unsaved' : settled) : phase;
  return {
    draft: present,
    state,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    theirs,
    change: (document: WorkflowDraft, key?: string) =>
      dispatch({ type: 'change', document, ...(key === undefined ? {} : { key }) }),
    undo: () => dispatch({ type: 'undo' }),
    redo: () => dispatch({ type: 'redo' }),
    retry: () => void save(present),
    resolve,
    discard,
  };
}

export type DraftEditor = ReturnType<typeof useDraftEditor>;
