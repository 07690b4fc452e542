import { logout } from '@diwan/contract/users';
import { queryClient } from './query-client.ts';
import { readToken, storeToken } from './session.ts';
import { forgetToasts } from './toasts.ts';
import { transmit } from './transmit.ts';

/** What one person saw must not be shown to the next one. */
export function forgetSession(): void {
  storeToken(null);
  queryClient.clear();
  forgetToasts();
}

export function signOut(): void {
  const token = readToken();
  // The server is told, but nobody waits for it: this browser is signed out at once. Its answer is read, or the connection would stay taken.
  if (token !== null) void transmit(logout, {}, { skipErrorHandling: true }, token).then((answer) => answer.text()).catch(() => undefined);
  forgetSession();
}
