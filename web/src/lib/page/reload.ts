import { loadItem, storeItem } from '../browser/storage.ts';

const reasonKey = 'reloadedFor';

export function reload(): void {
  window.location.reload();
}

/** Reloads once for a reason, so that a lasting error causes no loop. False when it did before. */
export function reloadOnce(reason: string): boolean {
  if (loadItem('session', reasonKey) === reason) return false;
  storeItem('session', reasonKey, reason);
  // Without storage the second time could not be detected.
  if (loadItem('session', reasonKey) !== reason) return false;
  reload();
  return true;
}
