import { readToken } from '../api/session.ts';
import { idleMs } from '../api/user-activity.ts';
import { goTo } from '../browser/navigation.ts';
import { isSharedComputer, loadItem, removeItem, storeItem } from '../browser/storage.ts';
import { showToast } from '../browser/toasts.ts';
import { t } from '../i18n/translate.ts';
import { leaveAndSignOut, saveBeforeSignOut, signOutByUser } from './sign-out-by-user.ts';

/** After this time without a sign of the user the session of a shared computer ends. */
const maximumIdleMs = 600_000;
/** The user is warned this long before. */
const warningMs = 60_000;
const checkMs = 10_000;
/** Saving waits no longer, as without a connection. */
const saveMs = 5000;
/** An address that has not answered by then was a download, or is not coming. */
const movingMs = 60_000;
/** A reload takes no longer. */
const reloadMs = 60_000;
const leftAtKey = 'shared-computer-left-at';

/** Milliseconds since a fixed time, for the tab and its reloads. */
const now = (): number => performance.timeOrigin + performance.now();

/** The part of the Navigation API that is used; Firefox before 147 and Safari before 26 have none. */
interface NavigateEvent extends Event {
  destination: { sameDocument: boolean };
  downloadRequest: string | null;
}

const isOnSharedComputer = (): boolean => isSharedComputer() && readToken() !== null;

async function endIdleSession(): Promise<void> {
  const saved = saveBeforeSignOut().catch(() => false);
  await Promise.race([saved, new Promise((resolve) => setTimeout(resolve, saveMs))]);
  await leaveAndSignOut(() => goTo('/account/login'), { discardsDrafts: true });
  showToast(t('signedOutIdle', { ns: 'errors' }), 'info');
}

const isReload = (): boolean =>
  performance
    .getEntriesByType('navigation')
    .some((entry) => (entry as PerformanceNavigationTiming).type === 'reload');

/** A tab that was closed, or showed another site, comes back without its session. */
function endWhereLeft(isReloaded: boolean): void {
  const leftAt = Number(loadItem('session', leftAtKey) ?? Number.NaN);
  removeItem('session', leftAtKey);
  if (!isOnSharedComputer() || Number.isNaN(leftAt)) return;
  if (!isReloaded || now() - leftAt > reloadMs) signOutByUser({ discardsDrafts: true });
}

function watchLeaving(): void {
  let movingAt = -movingMs;
  const { navigation } = window as { navigation?: EventTarget };
  // The way to the payment page begins in the page; closing the tab does not.
  navigation?.addEventListener('navigate', (event) => {
    const { destination, downloadRequest } = event as NavigateEvent;
    if (!destination.sameDocument && downloadRequest === null) movingAt = performance.now();
  });
  window.addEventListener('pagehide', () => {
    const isMoving = performance.now() - movingAt < movingMs;
    if (navigation && !isMoving && isOnSharedComputer())
      storeItem('session', leftAtKey, String(now()));
  });
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) endWhereLeft(false);
  });
}

/**
 * Ends the session of a shared computer when its tab was closed or showed another site and comes back,
 * and when nobody has used it for ten minutes. Decision 0135.
 */
export function watchSharedComputer(): void {
  endWhereLeft(isReload());
  watchLeaving();
  let isEnding = false;
  const check = () => {
    if (!isOnSharedComputer() || isEnding) return;
    if (idleMs() > maximumIdleMs) {
      isEnding = true;
      void endIdleSession().finally(() => (isEnding = false));
    } else if (idleMs() > maximumIdleMs - warningMs)
      showToast(t('signedOutSoon', { ns: 'errors' }), 'info');
  };
  setInterval(check, checkMs);
  // Timers of a computer that sleeps stand still.
  document.addEventListener('visibilitychange', check);
}
