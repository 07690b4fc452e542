import { refreshToken } from '@diwan/contract/people/users';
import { currentSession, decodeToken, isExpired, readToken, storeToken } from './session.ts';
import { SendError } from './send-error.ts';
import { readReply, transmit } from './transmit.ts';

let refreshing: Promise<string | null> | null = null;

let tabs: BroadcastChannel | undefined;

// A tab that was opened from another one holds the same token, in a storage of its own: whoever
// exchanges it tells the others.
function listenToTabs(): void {
  if (tabs || !('BroadcastChannel' in window)) return;
  tabs = new BroadcastChannel('token');
  tabs.onmessage = ({ data: [old, token] }: MessageEvent<[string, string]>) => {
    if (readToken() === old) storeToken(token);
  };
}

async function exchange(old: string): Promise<string | null> {
  if (readToken() !== old) return readToken();
  try {
    const response = await transmit(
      refreshToken,
      { body: { token: old } },
      { skipErrorHandling: true },
      null,
    );
    const token = await readReply(response, true);
    if (typeof token !== 'string' || !decodeToken(token))
      throw new SendError(500, 'InternalServerError', '');
    storeToken(token);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target: it stays within the origin
    tabs?.postMessage([old, token]);
    return token;
  } catch (error) {
    if (
      error instanceof SendError &&
      error.status >= 400 &&
      error.status < 500 &&
      error.status !== 429
    ) {
      storeToken(null);
      return null;
    }
    throw error;
  }
}

// The lock is kept for a moment longer, in which the other tabs hear of the new token.
function exchangeInTurn(old: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    navigator.locks
      .request('refresh-token', () =>
        exchange(old)
          .then(resolve, reject)
          .then(() => new Promise((later) => setTimeout(later, 100))),
      )
      .catch(reject);
  });
}

/** Exchanges the token, one at a time, in other tabs too. Source: specification §4. */
export function renewToken(old: string): Promise<string | null> {
  refreshing ??= ('locks' in navigator ? exchangeInTurn(old) : exchange(old)).finally(() => {
    refreshing = null;
  });
  return refreshing;
}

/** The token to send, renewed first when it has expired; null when nobody is signed in. */
export async function freshToken(): Promise<string | null> {
  const session = currentSession();
  if (!session) return null;
  listenToTabs();
  return isExpired(session) ? renewToken(session.token) : session.token;
}
