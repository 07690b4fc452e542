import { logout } from '@diwan/contract/users';
import { queryClient } from './query-client.ts';
import { readToken, storeToken } from './session.ts';
import { transmit } from './transmit.ts';

/** What one person saw must not be shown to the next one. */
export function forgetSession(): void {
  storeToken(null);
  queryClient.clear();
}

export function signOut(): void {
  const token = readToken();
  // The server is told, but nobody waits for it: this browser is signed out at once.
  if (token !== null) void transmit(logout, {}, { skipErrorHandling: true }, token).catch(() => undefined);
  forgetSession();
}
