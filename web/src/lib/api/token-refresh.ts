import { refreshToken } from '@diwan/contract/people/users';
import { ApiError } from './api-error.ts';
import { fetchCall, readReply } from './fetch-call.ts';
import { currentSession, decodeToken, isExpired, readToken, storeToken } from './session.ts';

/**
 * The tabs of this browser, which visitors of the home page do not load; undefined without a
 * connection.
 */
export const loadTabs = () => import('./session-tabs.ts').catch(() => undefined);

let refreshing: Promise<string | null> | null = null;

const isRefused = (error: unknown) =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;

async function exchange(old: string): Promise<string | null> {
  if (readToken() !== old) return readToken();
  try {
    const response = await fetchCall(
      refreshToken,
      { body: { token: old } },
      { skipErrorHandling: true },
      null,
    );
    const token = await readReply(response, true);
    if (typeof token !== 'string' || !decodeToken(token))
      throw new ApiError(500, 'InternalServerError', '');
    storeToken(token);
    // The tabs of a session have the same token, each in its own storage.
    (await loadTabs())?.announceToken(old, token);
    return token;
  } catch (error) {
    if (!isRefused(error)) throw error;
    return null;
  }
}

const lockExtensionMs = 100;

/** Exchanges the token under a lock of all tabs, held until the other tabs have the new token. */
function exchangeInLock(old: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    navigator.locks
      .request('refresh-token', () =>
        exchange(old)
          .then(resolve, reject)
          .then(() => new Promise((later) => setTimeout(later, lockExtensionMs))),
      )
      .catch(reject);
  });
}

/**
 * Exchanges a token for a new one, once at a time, in all tabs. Null when the server refuses; the
 * refused token stays, so that the page is as it was while the login page opens. Source:
 * specification §4.
 */
export function exchangeTokenOnce(old: string): Promise<string | null> {
  refreshing ??= ('locks' in navigator ? exchangeInLock(old) : exchange(old)).finally(() => {
    refreshing = null;
  });
  return refreshing;
}

/** As `exchangeTokenOnce`, and ends the session of this tab when the server refuses. */
export async function refreshTokenOnce(old: string): Promise<string | null> {
  const token = await exchangeTokenOnce(old);
  if (token === null && readToken() === old) storeToken(null);
  return token;
}

/** The token to send, refreshed first when it has expired; null when nobody is signed in. */
export async function getFreshToken(): Promise<string | null> {
  const session = currentSession();
  if (!session) return null;
  // Other tabs may ask for the session from now on.
  void loadTabs().then((tabs) => tabs?.listenToTabs());
  return isExpired(session) ? refreshTokenOnce(session.token) : session.token;
}
