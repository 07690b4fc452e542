import { forget, recall, remember } from '../browser/browser-memory.ts';

const ownKey = 'reloading';
const reasonKey = 'reloadedFor';

/**
 * Loads the page again because the portal needs it, which is no new visit: whoever is signed in
 * stays so, at home too.
 */
export function reload(): void {
  remember('session', ownKey, 'yes');
  window.location.reload();
}

/** The same once for one reason, so that a fault that stays does not turn in circles. */
export function reloadOnce(reason: string): boolean {
  if (recall('session', reasonKey) === reason) return false;
  remember('session', reasonKey, reason);
  // Where nothing is kept it would not be known that it was the second time.
  if (recall('session', reasonKey) !== reason) return false;
  reload();
  return true;
}

/** Whether this page was loaded by `reload`; true once. */
export function takeReload(): boolean {
  const isOwn = recall('session', ownKey) !== null;
  forget('session', ownKey);
  return isOwn;
}
