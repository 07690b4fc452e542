import { useEffect, useEffectEvent } from 'react';

declare global {
  interface Window {
    /** Missing in Safari and Firefox. */
    CloseWatcher?: new () => EventTarget & { destroy(): void };
  }
}

/**
 * While it is active, the Back gesture of a phone calls `onClose` and stays on the page. Browsers
 * without `CloseWatcher` go back a page, as before.
 */
export function useCloseWatcher(isActive: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!isActive || !window.CloseWatcher) return undefined;
    const watcher = new window.CloseWatcher();
    watcher.addEventListener('close', () => close());
    return () => watcher.destroy();
  }, [isActive]);
}
