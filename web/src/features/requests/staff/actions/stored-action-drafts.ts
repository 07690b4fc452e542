import { useEffect, useState } from 'react';
import { dialogActions, type DialogAction } from '#features/requests/data/request-actions.data.ts';
import { currentSession } from '#lib/api/session.ts';
import { removeItem, loadItem, storeItem } from '#lib/browser/storage.ts';
import { emptyDrafts, type ActionDraft, type DraftChange } from './action-draft.ts';

type Drafts = Record<DialogAction, ActionDraft>;

const keyOf = (requestId: number) => `action-drafts.${currentSession()?.ssid ?? ''}.${requestId}`;

function storeDrafts(key: string, drafts: Drafts): void {
  if (JSON.stringify(drafts) === JSON.stringify(emptyDrafts)) removeItem('session', key);
  else storeItem('session', key, JSON.stringify(drafts));
}

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

// What was typed for an action that can still be undone, by the id of its request.
const sentDrafts = new Map<number, Drafts>();

/** Keeps what was sent, so that it returns when the action is undone. */
export function storeSentDrafts(requestId: number, drafts: Drafts): void {
  sentDrafts.set(requestId, drafts);
}

/** Gives back what was sent; the page of the request finds it when it opens. */
export function restoreSentDrafts(requestId: number): Drafts | undefined {
  const drafts = sentDrafts.get(requestId);
  sentDrafts.delete(requestId);
  if (drafts) storeDrafts(keyOf(requestId), drafts);
  return drafts;
}

/** The drafts of one request's dialogs. They stay after a dialog is closed or the page reloaded. */
export function useActionDrafts(requestId: number) {
  const key = keyOf(requestId);
  const [drafts, setDrafts] = useState(() => loadDrafts(key));
  useEffect(() => storeDrafts(key, drafts), [drafts, key]);
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
    replace: setDrafts,
  };
}
