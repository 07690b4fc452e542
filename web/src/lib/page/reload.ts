import { removeItem, loadItem, storeItem } from '../browser/storage.ts';

const reloadKey = 'reloading';
const reasonKey = 'reloadedFor';

/** Reloads the page for the portal. It is no new visit: the user stays signed in, at home too. */
export function reload(): void {
  storeItem('session', reloadKey, 'yes');
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

/** Whether `reload` loaded this page; true once. */
export function takeReload(): boolean {
  const isOwn = loadItem('session', reloadKey) !== null;
  removeItem('session', reloadKey);
  return isOwn;
}
