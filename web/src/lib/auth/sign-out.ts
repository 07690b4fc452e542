import { logout } from '@diwan/contract/people/users';
import { fetchCall } from '../api/fetch-call.ts';
import { queryClient } from '../api/query-client.ts';
import { readToken, storeToken, takeOwnToken } from '../api/session.ts';
import { loadTabs } from '../api/token-refresh.ts';
import { removeItem, unfinishedUploadsKey } from '../browser/storage.ts';
import { clearEarlierToasts, clearToasts } from '../browser/toasts.ts';

/** Removes the token and the data of a user, so that the next user does not see it. */
export function clearSession(): void {
  storeToken(null);
  queryClient.clear();
  clearToasts();
}

/** Ends acting for an applicant by restoring the employee's session; false when there is none. */
export function resumeOwnSession(): boolean {
  const own = takeOwnToken();
  if (own === null) return false;
  removeItem('local', unfinishedUploadsKey);
  storeToken(own, { isNew: false });
  queryClient.clear();
  return true;
}

// This browser is signed out immediately and does not wait for the server. The answer is read,
// because an unread body would keep the connection open.
function endOnServer(token: string): void {
  void fetchCall(logout, {}, { skipErrorHandling: true, keepalive: true }, token)
    .then((answer) => answer.text())
    .catch(() => undefined);
}

const takeTokens = (): string[] => [readToken(), takeOwnToken()].filter((token) => token !== null);

/** Ends the sessions of this tab, on the server and in all tabs; `first` needs them still. */
export function signOut(first?: (token: string) => Promise<void>): void {
  for (const token of takeTokens()) {
    if (first)
      void first(token)
        .catch(() => undefined)
        .then(() => endOnServer(token));
    else endOnServer(token);
    void loadTabs().then((tabs) => tabs?.announceEnd(token));
  }
  clearSession();
}

let isSigningOut = false;

/** Does what shows the home page, which then leaves the session to the caller. */
export async function keepSessionAtHome(work: () => Promise<unknown>): Promise<void> {
  isSigningOut = true;
  await work().finally(() => (isSigningOut = false));
}

// Another tab that uses the session continues with what is in local storage. Drafts that the server does
// not have stay: the home page ends the session before it could ask.
async function endUnlessUsed(token: string): Promise<void> {
  const kept = await import('./kept-of-person.ts');
  kept.removeSessionKeys([token]);
  const tabs = await loadTabs();
  if (await tabs?.isUsedInOtherTab(token)) return;
  endOnServer(token);
  kept.removeLocalKeys([token], false);
}

/**
 * Signs this tab out because the home page is shown (specification §2). The session continues where
 * another tab uses it. A message that leads there, such as "You are unauthorized", stays. False when
 * nobody is signed in.
 */
export function signOutAtHome(): boolean {
  if (isSigningOut || readToken() === null) return false;
  for (const token of takeTokens()) void endUnlessUsed(token);
  storeToken(null);
  queryClient.clear();
  clearEarlierToasts();
  return true;
}
