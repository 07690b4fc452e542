import { useEffect, useState } from 'react';
import { forget, recall, remember } from '../../../lib/browser/browser-memory.ts';
import { useSession } from '../../../lib/api/session.ts';
import { emptyDrafts, type ActionDraft, type DraftChange } from './action-draft.ts';
import { dialogActions, type DialogAction } from '../data/request-actions.data.ts';

type Drafts = Record<DialogAction, ActionDraft>;

function read(key: string): Drafts {
  try {
    // What was no number yet is kept as null.
    const kept = JSON.parse(
      recall('session', key) ?? '{}',
      (_name, value: unknown) => value ?? undefined,
    ) as Partial<Drafts> | undefined;
    return Object.fromEntries(
      dialogActions.map((action) => [action, { ...emptyDrafts[action], ...kept?.[action] }]),
    ) as Drafts;
  } catch {
    return emptyDrafts;
  }
}

/** What was typed into the dialogs of one request: it outlives them, and a reload of the page. */
export function useActionDrafts(requestId: number) {
  const key = `action-drafts.${useSession()?.ssid ?? ''}.${requestId}`;
  const [drafts, setDrafts] = useState(() => read(key));
  useEffect(() => {
    if (JSON.stringify(drafts) === JSON.stringify(emptyDrafts)) forget('session', key);
    else remember('session', key, JSON.stringify(drafts));
  }, [drafts, key]);
  return {
    drafts,
    change: (action: DialogAction, changed: DraftChange) =>
      setDrafts((all) => ({
        ...all,
        [action]: {
          ...all[action],
          ...(typeof changed === 'function' ? changed(all[action]) : changed),
        },
      })),
    clear: () => setDrafts(emptyDrafts),
  };
}
