import { useEffect, useLayoutEffect } from 'react';
import { useIsLoading, useRouterState } from './router-provider.tsx';
import { saveScroll, storeScroll } from './scroll-positions.ts';

function findTarget(hash: string): HTMLElement | null {
  try {
    return hash === '' ? null : document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    // Not an encoded text.
    return null;
  }
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
    else if (scroll !== undefined || !keepsScroll) window.scrollTo(0, scroll ?? 0);
  }, [location, scroll, keepsScroll]);
  return null;
}
