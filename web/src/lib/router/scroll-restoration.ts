import { useEffect, useLayoutEffect } from 'react';
import { useIsLoading, useRouterState } from './router-provider.tsx';
import { fits, saveScroll, setFixedScroll, storeScroll } from './scroll-positions.ts';

function findTarget(hash: string): HTMLElement | null {
  try {
    return hash === '' ? null : document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    // Not an encoded text.
    return null;
  }
}

const userScrolls = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;
const fixMs = 10_000;

/**
 * Scrolls to a position and fixes it there while the page changes its height, because its data are not
 * loaded yet: at most ten seconds, and until the user acts. Returns what ends it.
 */
function fixScroll(top: number): () => void {
  if (window.scrollY !== top) window.scrollTo(0, top);
  if (top === 0) return () => undefined;
  setFixedScroll(top);
  const sizes = new ResizeObserver(() => {
    if (window.scrollY < top) window.scrollTo(0, top);
  });
  sizes.observe(document.body);
  const end = () => {
    setFixedScroll(undefined);
    sizes.disconnect();
    clearTimeout(timer);
    for (const type of userScrolls) window.removeEventListener(type, end);
  };
  const timer = setTimeout(end, fixMs);
  for (const type of userScrolls) window.addEventListener(type, end, { passive: true });
  return end;
}

/**
 * Begins each page at its top or at the fragment of the address, and goes back to where the user
 * left an entry of the history. The browser would do so before the page is rendered.
 */
export function ScrollRestoration(): null {
  const { location, scroll, keepsScroll } = useRouterState();
  const isLoading = useIsLoading();
  useEffect(() => {
    const { history } = window;
    const takeOver = () => (history.scrollRestoration = 'manual');
    const leave = () => {
      if (!isLoading) saveScroll(location.key);
      storeScroll();
      history.scrollRestoration = 'auto';
    };
    takeOver();
    window.addEventListener('pageshow', takeOver);
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pageshow', takeOver);
      window.removeEventListener('pagehide', leave);
    };
  }, [location, isLoading]);
  useLayoutEffect(() => {
    const target = scroll === undefined ? findTarget(location.hash) : null;
    if (target) target.scrollIntoView();
    else if (scroll === undefined && !keepsScroll) window.scrollTo(0, 0);
    if (scroll === undefined) return undefined;
    // The browser has scrolled a page of the server, unless it was too short.
    return fixScroll(keepsScroll && fits(scroll) ? window.scrollY : scroll);
  }, [location, scroll, keepsScroll]);
  return null;
}
