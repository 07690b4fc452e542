import { useEffect, useState } from 'react';
import { removeItem, loadItem, storeItem } from '../../../../lib/browser/storage.ts';
import { useSession } from '../../../../lib/api/session.ts';
import { emptyDrafts, type ActionDraft, type DraftChange } from './action-draft.ts';
import { dialogActions, type DialogAction } from '../../data/request-actions.data.ts';

type Drafts = Record<DialogAction, ActionDraft>;

function loadDrafts(key: string): Drafts {
  try {
    // JSON has no NaN: an amount that was not a number is stored as null.
    const stored = JSON.parse(
      loadItem('session', key) ?? '{}',
      (_name, value: unknown) => value ?? undefined,
    ) as Partial<Drafts> | undefined;
    return Object.fromEntries(
      dialogActions.map((action) => [action, { ...emptyDrafts[action], ...stored?.[action] }]),
    ) as Drafts;
  } catch {
    return emptyDrafts;
  }
}

/** The drafts of one request's dialogs. They stay after a dialog is closed or the page reloaded. */
export function useActionDrafts(requestId: number) {
  const key = `action-drafts.${useSession()?.ssid ?? ''}.${requestId}`;
  const [drafts, setDrafts] = useState(() => loadDrafts(key));
  useEffect(() => {
    if (JSON.stringify(drafts) === JSON.stringify(emptyDrafts)) removeItem('session', key);
    else storeItem('session', key, JSON.stringify(drafts));
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
