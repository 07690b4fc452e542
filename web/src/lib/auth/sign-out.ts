import { logout } from '@diwan/contract/people/users';
import { begunUploads, forget } from '../browser/browser-memory.ts';
import { queryClient } from '../api/query-client.ts';
import { readToken, storeToken, takeOwnToken } from '../api/session.ts';
import { forgetToasts } from '../browser/toasts.ts';
import { transmit } from '../api/transmit.ts';

/** What one person saw must not be shown to the next one. */
export function forgetSession(): void {
  storeToken(null);
  queryClient.clear();
  forgetToasts();
}

/** Goes back from the session of somebody else to the own one; false where none waits. */
export function resumeOwn(): boolean {
  const own = takeOwnToken();
  if (own === null) return false;
  forget('local', begunUploads);
  storeToken(own);
  queryClient.clear();
  return true;
}

export function signOut(): void {
  // The server is told, but nobody waits for it: this browser is signed out at once. Its answer is
  // read, or the connection would stay taken.
  for (const token of [readToken(), takeOwnToken()])
    if (token !== null)
      void transmit(logout, {}, { skipErrorHandling: true }, token)
        .then((answer) => answer.text())
        .catch(() => undefined);
  forgetSession();
}

/**
 * As whoever chose to go means it: names of files that were on their way are nothing for the next
 * person at this browser. A session that ends by itself keeps them, so that uploads go on.
 */
export function leave(): void {
  forget('local', begunUploads);
  signOut();
}
