import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

function focusHeading(heading: HTMLElement): void {
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/**
 * Moves focus to the new page's heading, so that a screen reader hears where it is. A heading that
 * is not there yet is waited for.
 */
export function useFocusOnNavigation(): void {
  const { pathname } = useLocation();
  const previous = useRef(pathname);
  useEffect(() => {
    if (previous.current === pathname) return;
    previous.current = pathname;
    const found = document.querySelector<HTMLElement>('main h1');
    if (found) return focusHeading(found);
    const before = document.activeElement;
    const observer = new MutationObserver(() => {
      const heading = document.querySelector<HTMLElement>('main h1');
      if (!heading) return;
      observer.disconnect();
      // Somebody who has begun to type is left alone.
      if (document.activeElement === before || document.activeElement === document.body)
        focusHeading(heading);
    });
    observer.observe(document.body, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [pathname]);
}
