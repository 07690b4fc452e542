import { refreshToken } from '@diwan/contract/users';
import { currentSession, isExpired, readToken, storeToken } from './session.ts';
import { SendError } from './send-error.ts';
import { transmit } from './transmit.ts';

let refreshing: Promise<string | null> | null = null;

async function exchange(old: string): Promise<string | null> {
  if (readToken() !== old) return readToken();
  try {
    const response = await transmit(refreshToken, { body: { token: old } }, { skipErrorHandling: true }, null);
    const token = (await response.json()) as string;
    storeToken(token);
    return token;
  } catch (error) {
    if (error instanceof SendError && error.status >= 400 && error.status < 500 && error.status !== 429) {
      storeToken(null);
      return null;
    }
    throw error;
  }
}

/** Exchanges the token, one at a time, in other tabs too. Source: specification §4. */
export function renewToken(old: string): Promise<string | null> {
  refreshing ??= Promise.resolve('locks' in navigator ? navigator.locks.request('refresh-token', () => exchange(old)) : exchange(old)).finally(() => {
    refreshing = null;
  });
  return refreshing;
}

/** The token to send, renewed first when it has expired; null when nobody is signed in. */
export async function freshToken(): Promise<string | null> {
  const session = currentSession();
  if (!session) return null;
  return isExpired(session) ? renewToken(session.token) : session.token;
}
