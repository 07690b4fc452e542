import { ownTokenKey, readToken } from '../api/session.ts';
import { loadItem, pushOwnerKey, removeItem } from '../browser/storage.ts';
import { hasUnsavedDrafts, removeLocalKeys, removeSessionKeys } from './kept-of-person.ts';
import { discardOpenWork, saveOpenWork } from './open-work.ts';
import { keepSessionAtHome, signOut } from './sign-out.ts';

/** The tokens of this tab; they stay. */
const tokensOfTab = (): string[] =>
  [readToken(), loadItem('session', ownTokenKey)].filter((token) => token !== null);

/** Ends the messages in this browser, for which the session is needed. */
async function endOwnPush(token: string): Promise<void> {
  if (loadItem('local', pushOwnerKey) === null) return;
  removeItem('local', pushOwnerKey);
  await (await import('../api/web-push.ts')).endPush(token);
}

/** Another tab saves a second after the last letter that is typed there. */
const otherTabsMs = 2500;
const stepMs = 100;

async function areDraftsSaved(): Promise<boolean> {
  for (let waited = 0; hasUnsavedDrafts(tokensOfTab()); waited += stepMs) {
    if (waited >= otherTabsMs) return false;
    await new Promise((resolve) => setTimeout(resolve, stepMs));
  }
  return true;
}

/**
 * Saves what the user has typed, before they sign out. False where the server does not have all of
 * it: in this page, another tab, or left on this device by an earlier visit.
 */
export async function saveBeforeSignOut(): Promise<boolean> {
  return (await saveOpenWork()) && areDraftsSaved();
}

/**
 * Leaves the page and signs out because the user asks for it. The home page, which is shown first,
 * leaves the session to this function: it would spare other tabs.
 */
export async function leaveAndSignOut(
  leave: () => Promise<unknown>,
  { discardsDrafts = false } = {},
): Promise<void> {
  if (discardsDrafts) discardOpenWork();
  await keepSessionAtHome(leave);
  signOutByUser({ discardsDrafts });
}

/**
 * Signs out because the user asks for it, and removes all that this browser keeps of them, and its
 * messages. A session that expires leaves it, so that the user can continue. Drafts that the server
 * does not have stay, unless the user discards them.
 */
export function signOutByUser({ discardsDrafts = false } = {}): void {
  const tokens = tokensOfTab();
  removeLocalKeys(tokens, discardsDrafts);
  removeSessionKeys(tokens);
  signOut(endOwnPush);
}
