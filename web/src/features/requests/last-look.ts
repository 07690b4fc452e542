import { useEffect, useState } from 'react';
import { recall, remember } from '../../lib/browser-memory.ts';
import { useSession } from '../../lib/session.ts';

/** When this person last left the list, so that what came since can be marked. Kept on this computer only. */
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
