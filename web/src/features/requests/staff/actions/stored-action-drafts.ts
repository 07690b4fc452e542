import { useEffect, useState } from 'react';
import { currentSession } from '#lib/api/session.ts';
import { removeItem, loadItem, storeItem } from '#lib/browser/storage.ts';
import type { StoredName } from '@diwan/contract/portal/browser-storage';
import type { StaffAction } from '@diwan/contract/requests/actions';
import { emptyDrafts, toDrafts, type ActionDrafts, type DraftChange } from './action-draft.ts';

const keyOf = (requestId: number): StoredName<'session'> =>
  `action-drafts.${currentSession()?.ssid ?? ''}.${requestId}`;

function storeDrafts(key: StoredName<'session'>, drafts: ActionDrafts): void {
  if (JSON.stringify(drafts) === JSON.stringify(emptyDrafts)) removeItem('session', key);
  else storeItem('session', key, JSON.stringify(drafts));
}

function loadDrafts(key: StoredName<'session'>): ActionDrafts {
  try {
    return toDrafts(
      JSON.parse(loadItem('session', key) ?? '{}') as Partial<ActionDrafts> | undefined,
    );
  } catch {
    return emptyDrafts;
  }
}

// What was typed for an action that can still be undone, by the id of its request.
const sentDrafts = new Map<number, ActionDrafts>();

/** Keeps what was sent, so that it returns when the action is undone. */
export function storeSentDrafts(requestId: number, drafts: ActionDrafts): void {
  sentDrafts.set(requestId, drafts);
}

/** Gives back what was sent; the page of the request finds it when it opens. */
export function restoreSentDrafts(requestId: number): ActionDrafts | undefined {
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
    change: (action: StaffAction, changed: DraftChange) =>
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
