import { useEffect, useState } from 'react';

/** Resolves when the page is loaded and the browser is idle. */
export async function onIdle(): Promise<void> {
  if (document.readyState !== 'complete')
    await new Promise((resolve) => window.addEventListener('load', resolve, { once: true }));
  // Safari has no idle callback.
  await new Promise<void>((resolve) =>
    'requestIdleCallback' in window
      ? window.requestIdleCallback(() => resolve())
      : setTimeout(resolve, 500),
  );
}

/** Resolves when the page is visible: a tab may be opened in the background. */
export const onVisible = (): Promise<unknown> =>
  new Promise<unknown>((resolve) => {
    if (document.visibilityState === 'visible') resolve(null);
    else document.addEventListener('visibilitychange', resolve, { once: true });
  });

/** Resolves when an element is about to scroll into view. */
export function onNearViewport(element: Element | null): Promise<void> {
  return new Promise((resolve) => {
    if (!element) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        resolve();
      },
      { rootMargin: '240px' },
    );
    observer.observe(element);
  });
}

/** How often the user has pressed or typed. Safari before 26 counts no events: at most 1. */
export function countInteractions(): number {
  const counts = (performance as Partial<Performance>).eventCounts;
  return typeof counts?.get === 'function'
    ? ['pointerdown', 'keydown', 'input'].reduce((sum, name) => sum + (counts.get(name) ?? 0), 0)
    : Number(navigator.userActivation?.hasBeenActive === true);
}

const interactions = ['pointermove', 'pointerdown', 'keydown', 'scroll'] as const;

/** Resolves when the user has moved the pointer, pressed, typed or scrolled. */
export function onFirstInteraction(): Promise<void> {
  return new Promise((resolve) => {
    const listener = () => {
      for (const name of interactions) window.removeEventListener(name, listener, true);
      resolve();
    };
    if (countInteractions() > 0 || window.scrollY > 0) return resolve();
    for (const name of interactions)
      window.addEventListener(name, listener, { capture: true, passive: true });
  });
}

let isPointerDown = false;
let isWatchingPointer = false;

/** Starts to watch the pointer. Must run before the first call of `afterPointerUp`. */
export function watchPointer(): void {
  if (isWatchingPointer) return;
  isWatchingPointer = true;
  const setDown = (isDown: boolean) => () => {
    isPointerDown = isDown;
  };
  window.addEventListener('pointerdown', setDown(true), true);
  for (const end of ['pointerup', 'pointercancel', 'dragend'])
    window.addEventListener(end, setDown(false), true);
}

const retryMs = 150;

// An open list closes when the page moves.
const canMovePage = () =>
  !isPointerDown && document.activeElement?.getAttribute('aria-expanded') !== 'true';

/**
 * Runs work that moves the page once no pointer is down and no list is open: a press misses a
 * button that moves. Never runs it synchronously, so that the current tap ends first.
 */
export function afterPointerUp(work: () => void, waitMs = 0): void {
  window.setTimeout(() => (canMovePage() ? work() : afterPointerUp(work, retryMs)), waitMs);
}

/**
 * False for half a second after the content has changed. Until then the second click of a double
 * click would press the element that has just appeared there.
 */
export function useDebouncedInteractivity(content: string): boolean {
  const [settled, setSettled] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setSettled(content), 500);
    return () => clearTimeout(timer);
  }, [content]);
  return settled === content;
}

/** Asks before the tab closes while `isUnsaved`: what is not saved would be lost. */
export function useLeaveWarning(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isUnsaved]);
}
