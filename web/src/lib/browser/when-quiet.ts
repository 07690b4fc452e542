/**
 * When the page is complete and the browser has nothing to do: what only decorates it may begin.
 */
export async function whenQuiet(): Promise<void> {
  if (document.readyState !== 'complete')
    await new Promise((resolve) => window.addEventListener('load', resolve, { once: true }));
  // Safari has no idle callback.
  await new Promise<void>((resolve) =>
    'requestIdleCallback' in window
      ? window.requestIdleCallback(() => resolve())
      : setTimeout(resolve, 500),
  );
}

/** When it is about to be seen. */
export function whenNear(element: Element | null): Promise<void> {
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

/** Safari before 26 counts no events and tells only whether something has been pressed. */
export function hasActed(): boolean {
  const counts = (performance as Partial<Performance>).eventCounts;
  return typeof counts?.get === 'function'
    ? ['pointerdown', 'keydown', 'input'].some((name) => (counts.get(name) ?? 0) > 0)
    : navigator.userActivation?.hasBeenActive === true;
}

const signs = ['pointermove', 'pointerdown', 'keydown', 'scroll'] as const;

/** When somebody is there: has moved, pressed, typed or scrolled. */
export function whenSomebodyIsThere(): Promise<void> {
  return new Promise((resolve) => {
    const seen = () => {
      for (const sign of signs) window.removeEventListener(sign, seen, true);
      resolve();
    };
    if (hasActed() || window.scrollY > 0) return resolve();
    for (const sign of signs) window.addEventListener(sign, seen, { capture: true, passive: true });
  });
}
