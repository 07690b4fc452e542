import { logout } from '@diwan/contract/people/users';
import { unfinishedUploadsKey, removeItem } from '../browser/storage.ts';
import { queryClient } from '../api/query-client.ts';
import { readToken, storeToken, takeOwnToken } from '../api/session.ts';
import { clearToasts } from '../browser/toasts.ts';
import { fetchCall } from '../api/fetch-call.ts';

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
  storeToken(own);
  queryClient.clear();
  return true;
}

export function signOut(): void {
  // This browser is signed out at once and does not wait for the server. The answer is read, because
  // an unread body would keep the connection open.
  for (const token of [readToken(), takeOwnToken()])
    if (token !== null)
      void fetchCall(logout, {}, { skipErrorHandling: true }, token)
        .then((answer) => answer.text())
        .catch(() => undefined);
  clearSession();
}

/**
 * Signs out because the user asks for it, and removes the names of unfinished uploads from this
 * browser. A session that expires leaves them, so that the uploads can continue.
 */
export function signOutByUser(): void {
  removeItem('local', unfinishedUploadsKey);
  signOut();
}
