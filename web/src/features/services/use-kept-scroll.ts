import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { recallJson, remember } from '../../lib/browser/browser-memory.ts';

const storageKey = 'services.scroll';

interface Kept {
  key: string;
  top: number;
}

function readKept(): Kept | undefined {
  const kept = recallJson('session', storageKey) as Partial<Kept> | undefined;
  return typeof kept?.key === 'string' && typeof kept.top === 'number' ? (kept as Kept) : undefined;
}

// A reload brings the place back before the list is there, and a short page has no such place: so
// it is gone to once more. Somebody who
// has moved since is left alone.
const atStart = readKept();

/** Keeps where a list was scrolled to over a reload and over a visit to another site. */
export function useKeptScroll(isReady: boolean): void {
  const { key } = useLocation();
  const isDone = useRef(false);
  useEffect(() => {
    const keep = () =>
      remember('session', storageKey, JSON.stringify({ key, top: window.scrollY }));
    window.addEventListener('pagehide', keep);
    return () => window.removeEventListener('pagehide', keep);
  }, [key]);
  useEffect(() => {
    if (!isReady || isDone.current) return;
    isDone.current = true;
    if (atStart?.key === key && window.scrollY < atStart.top) window.scrollTo(0, atStart.top);
  }, [isReady, key]);
}
