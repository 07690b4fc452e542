import { useCallback, useEffect, useState } from 'react';
import { useSession } from '#lib/api/session.ts';
import { serverNow } from '#lib/browser/server-time.ts';
import { loadItem, loadJson, storeItem } from '#lib/browser/storage.ts';
import type { StoredName } from '@diwan/contract/portal/browser-storage';

const timeNow = () => new Date(serverNow()).toISOString();

/**
 * When this user last left the list, so that newer requests can be marked. Stored on this device
 * only. Undefined when `isOn` is false.
 */
export function useListLastViewed(isOn: boolean): string | undefined {
  const ssid = useSession()?.ssid ?? '';
  const key = `requests-seen-at.${ssid}` as const;
  const [lastViewedAt] = useState(() => loadItem('local', key) ?? timeNow());
  useEffect(() => {
    if (!isOn) return;
    const store = () => storeItem('local', key, timeNow());
    window.addEventListener('pagehide', store);
    return () => {
      store();
      window.removeEventListener('pagehide', store);
    };
  }, [isOn, key]);
  return isOn ? lastViewedAt : undefined;
}

/** The time of a request's last change that the user has seen, by request id. */
type SeenUpdates = Record<string, string>;
const maximumStored = 400;

function loadSeenUpdates(key: StoredName<'local'>): SeenUpdates {
  const stored = loadJson('local', key);
  return typeof stored === 'object' ? (stored as SeenUpdates) : {};
}

/** Which change of each request this user has seen last. Stored on this device only. */
export function useSeenUpdates() {
  const ssid = useSession()?.ssid ?? '';
  const key = `requests-looked.${ssid}` as const;
  const [seenUpdates] = useState(() => loadSeenUpdates(key));
  return {
    /** Undefined for a request that the user never opened. */
    findSeenUpdate: (requestId: number): string | undefined => seenUpdates[requestId],
    storeSeenUpdate: useCallback(
      (requestId: number, updatedAt: string) => {
        const { [requestId]: _old, ...others } = loadSeenUpdates(key);
        const entries = [
          ...Object.entries(others)
            .toSorted(([, one], [, other]) => one.localeCompare(other))
            .slice(1 - maximumStored),
          [String(requestId), updatedAt],
        ];
        storeItem('local', key, JSON.stringify(Object.fromEntries(entries)));
      },
      [key],
    ),
  };
}
