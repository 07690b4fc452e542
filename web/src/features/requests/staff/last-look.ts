import { useCallback, useEffect, useState } from 'react';
import { recall, recallJson, remember } from '../../../lib/browser/browser-memory.ts';
import { useSession } from '../../../lib/api/session.ts';

/**
 * When this person last left the list, so that what came since can be marked. Kept on this computer
 * only.
 */
export function useLastLook(isOn: boolean): string | undefined {
  const person = useSession()?.ssid ?? '';
  const key = `requests-seen-at.${person}`;
  const [lastLook] = useState(() => recall('local', key) ?? new Date().toISOString());
  useEffect(() => {
    if (!isOn) return;
    const keep = () => remember('local', key, new Date().toISOString());
    window.addEventListener('pagehide', keep);
    return () => {
      keep();
      window.removeEventListener('pagehide', keep);
    };
  }, [isOn, key]);
  return isOn ? lastLook : undefined;
}

type Looks = Record<string, string>;
const mostLooks = 400;

function readLooks(key: string): Looks {
  const kept = recallJson('local', key);
  return typeof kept === 'object' ? (kept as Looks) : {};
}

/**
 * How this person last saw each request: the moment of its last change then. Kept on this computer
 * only.
 */
export function useLooks() {
  const person = useSession()?.ssid ?? '';
  const key = `requests-looked.${person}`;
  const [looks] = useState(() => readLooks(key));
  return {
    /** Undefined for a request that was never opened. */
    lookAt: (requestId: number): string | undefined => looks[requestId],
    keep: useCallback(
      (requestId: number, updatedAt: string) => {
        const { [requestId]: _old, ...others } = readLooks(key);
        const entries = [
          ...Object.entries(others)
            .toSorted(([, one], [, other]) => one.localeCompare(other))
            .slice(1 - mostLooks),
          [String(requestId), updatedAt],
        ];
        remember('local', key, JSON.stringify(Object.fromEntries(entries)));
      },
      [key],
    ),
  };
}
