import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useReducer, useRef, useState } from 'react';
import { ApiError } from '#lib/api/api-error.ts';
import { send } from '#lib/api/send.ts';
import { useCall } from '#lib/api/use-call.ts';
import { editReducer } from '#lib/browser/edit-history.ts';
import { loadJson, removeItem, storeItem } from '#lib/browser/storage.ts';
import * as calls from '@diwan/contract/catalogue/service-designs';
import type { ServiceDesign } from '@diwan/contract/catalogue/service-designs';
import type { DraftDocument } from '@diwan/contract/catalogue/service-document';

/** A service in its designer. The editor holds what is newer than this. */
export const useServiceDesign = (serviceId: number) =>
  useCall(calls.getServiceDesign, { query: { serviceId }, staleTime: 0 });

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

/**
 * `device`: the server does not answer, the draft is kept in this browser and sent again; `refused`:
 * the server cannot store the document, `problem` says why; `conflict`: somebody else has saved.
 */
type SaveState = 'saved' | 'unsaved' | 'saving' | 'device' | 'refused' | 'conflict';

const debounceMs = 800;
const retryMs = 5000;
const maximumDays = 90;

interface KeptDraft {
  version: number;
  at: string;
  document: DraftDocument;
}

const keyOf = (serviceId: number) => `service-draft:${serviceId}`;

/** What an earlier visit could not save, from the storage of this browser. */
function readKept(serviceId: number): KeptDraft | undefined {
  const kept = loadJson('local', keyOf(serviceId)) as Partial<KeptDraft> | undefined;
  if (typeof kept?.version !== 'number' || typeof kept.at !== 'string' || !kept.document?.form)
    return undefined;
  return Date.now() - Date.parse(kept.at) < maximumDays * 86_400_000
    ? (kept as KeptDraft)
    : undefined;
}

const readDesign = (serviceId: number) =>
  send(calls.getServiceDesign, { query: { serviceId }, skipErrorHandling: true });

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

type Action = (at: { serviceId: number; version: number }) => Promise<unknown>;

/**
 * The draft of a service with undo and redo, saved shortly after each change, one call at a time.
 * What cannot be saved stays in this browser.
 */
export function useDesignEditor(serviceId: number, loaded: ServiceDesign) {
  const client = useQueryClient();
  const [kept] = useState(() => readKept(serviceId));
  const isNewer = kept !== undefined && !isSame(kept.document, loaded.document);
  const [history, dispatch] = useReducer(editReducer<DraftDocument>, {
    past: isNewer ? [loaded.document] : [],
    present: isNewer ? kept.document : loaded.document,
    future: [],
    key: undefined,
  });
  const { present } = history;
  const [design, setDesign] = useState(loaded);
  const [saved, setSaved] = useState(loaded.document);
  const version = useRef(loaded.version);
  const [phase, setPhase] = useState<'idle' | 'saving' | 'device' | 'refused' | 'conflict'>(
    isNewer && kept.version !== loaded.version ? 'conflict' : 'idle',
  );
  const [theirs, setTheirs] = useState<ServiceDesign | undefined>(loaded);
  const [problem, setProblem] = useState<ApiError>();
  const [pending, setPending] = useState('');
  const newest = useRef(loaded);
  const saving = useRef<Promise<unknown>>(Promise.resolve());
  const latest = useRef(present);
  useEffect(() => {
    latest.current = present;
  }, [present]);

  const adopt = useCallback(
    (reply: ServiceDesign, document: DraftDocument) => {
      version.current = reply.version;
      newest.current = reply;
      setDesign(reply);
      setSaved(document);
      for (const call of [calls.getServiceDesigns, calls.compareServiceVersions])
        void client.invalidateQueries({ queryKey: [call.name] });
    },
    [client],
  );

  const fail = useCallback(
    async (error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      if (error.name === 'RecordHasChanged') {
        const newer = await readDesign(serviceId).catch(() => undefined);
        setTheirs(newer);
        setPhase(newer ? 'conflict' : 'device');
      } else if (error.status >= 400 && error.status < 500 && error.status !== 429) {
        setProblem(error);
        setPhase('refused');
      } else setPhase('device');
    },
    [serviceId],
  );

  const sendDraft = useCallback(
    async (document: DraftDocument): Promise<boolean> => {
      setPhase('saving');
      setProblem(undefined);
      const body = { serviceId, version: version.current, document: JSON.stringify(document) };
      try {
        adopt(await send(calls.saveServiceDraft, { body, skipErrorHandling: true }), document);
        removeItem('local', keyOf(serviceId));
        setPhase('idle');
        return true;
      } catch (error) {
        await fail(error);
        return false;
      }
    },
    [serviceId, adopt, fail],
  );

  /** Resolves to whether the document is on the server. Saves after the one that is running. */
  const save = useCallback(
    (document: DraftDocument): Promise<boolean> => {
      const next = saving.current.then(() => sendDraft(document));
      saving.current = next.catch(() => undefined);
      return next;
    },
    [sendDraft],
  );

  const isUnsaved = present !== saved;
  const keep = useEffectEvent(() => {
    const at = new Date().toISOString();
    if (isUnsaved)
      storeItem(
        'local',
        keyOf(serviceId),
        JSON.stringify({ version: version.current, at, document: latest.current }),
      );
  });
  useEffect(() => {
    if (!isUnsaved || phase === 'saving') return undefined;
    if (phase !== 'idle') keep();
    // A document that was refused is sent again when it has changed.
    if (phase === 'conflict' || phase === 'refused') return undefined;
    const wait = phase === 'device' ? retryMs : debounceMs;
    const timer = setTimeout(() => void save(present), wait);
    return () => clearTimeout(timer);
  }, [present, isUnsaved, phase, save]);

  useEffect(() => {
    const leave = () => keep();
    window.addEventListener('pagehide', leave);
    return () => window.removeEventListener('pagehide', leave);
  }, []);
  // A page that is left before the pause in typing saves at once.
  const leavePage = useEffectEvent(() => {
    keep();
    if (isUnsaved && (phase === 'idle' || phase === 'device')) void save(latest.current);
  });
  useEffect(() => () => leavePage(), []);
  const retry = useEffectEvent(() => {
    if (isUnsaved && phase === 'device') void save(present);
  });
  useEffect(() => {
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, []);

  const change = useCallback((document: DraftDocument, key?: string) => {
    setPhase((before) => (before === 'refused' ? 'idle' : before));
    dispatch({ type: 'change', document, ...(key === undefined ? {} : { key }) });
  }, []);

  /** Continues after a conflict; what is replaced can be undone. */
  const resolve = (choice: 'mine' | 'theirs') => {
    if (!theirs) return;
    version.current = theirs.version;
    newest.current = theirs;
    setDesign(theirs);
    setPhase('idle');
    if (choice === 'mine') return setSaved(theirs.document);
    dispatch({ type: 'change', document: theirs.document });
    setSaved(theirs.document);
    removeItem('local', keyOf(serviceId));
  };

  /** Runs an action on the saved draft, and shows what the service is then. */
  const run = async (name: string, action: Action): Promise<boolean> => {
    setPending(name);
    setProblem(undefined);
    try {
      if (isUnsaved && name !== 'discard' && !(await save(present))) return false;
      await action({ serviceId, version: version.current });
      removeItem('local', keyOf(serviceId));
      const reply = await readDesign(serviceId);
      if (!isSame(reply.document, present)) {
        dispatch({ type: 'change', document: reply.document });
        adopt(reply, reply.document);
      } else adopt(reply, present);
      await client.invalidateQueries({ queryKey: [calls.getServiceVersions.name] });
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblem(error);
      return false;
    } finally {
      setPending('');
    }
  };

  /** The problems of the draft as it is now; undefined where it could not be saved. */
  const check = async (): Promise<ServiceDesign['problems'] | undefined> => {
    setPending('check');
    try {
      const isOnServer = !isUnsaved || (await save(present));
      return isOnServer ? newest.current.problems : undefined;
    } finally {
      setPending('');
    }
  };

  const options = { skipErrorHandling: true };
  /** Takes over a document that was typed as JSON, once the server has read it. */
  const applyJson = (document: string) =>
    run('json', (target) =>
      send(calls.saveServiceDraft, { body: { ...target, document }, ...options }),
    );
  const state: SaveState = phase === 'idle' ? (isUnsaved ? 'unsaved' : 'saved') : phase;
  const actions = {
    publish: (at?: string) =>
      run('publish', (target) =>
        send(calls.publishService, { body: at ? { ...target, at } : target, ...options }),
      ),
    cancel: () => run('cancel', (body) => send(calls.cancelPublication, { body, ...options })),
    discard: () => run('discard', (body) => send(calls.discardServiceDraft, { body, ...options })),
    update: () => run('update', (body) => send(calls.updateServiceDraft, { body, ...options })),
    restoreVersion: (number: number) =>
      run(`version ${number}`, () =>
        send(calls.restoreServiceVersion, { body: { serviceId, number }, ...options }),
      ),
    offerAgain: () =>
      run('offer', () => send(calls.restoreService, { body: { serviceId }, ...options })),
  };
  return {
    document: present,
    design,
    state,
    /** Whether the draft is newer than what an earlier visit could save. */
    wasKept: isNewer,
    theirs,
    problem,
    pending,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    change,
    undo: () => dispatch({ type: 'undo' }),
    redo: () => dispatch({ type: 'redo' }),
    retry: () => void save(present),
    resolve,
    check,
    applyJson,
    ...actions,
  };
}

export type DesignEditor = ReturnType<typeof useDesignEditor>;
