import { storedLanguages } from '@diwan/contract/wire/languages';
import { configuration } from '../browser/configuration.ts';
import { storedLanguage } from '../i18n/stored-language.ts';
import { readToken, type Session } from './session.ts';

/** By address and token. */
const prefetched = new Map<string, Promise<Response>>();
const keyOf = (address: string, token: string | null): string => `${token} ${address}`;

/**
 * Sends a call of the first page while the code of the page still loads, with what every call has
 * (specification §7). `fetchCall` uses the answer once.
 */
function sendEarly(path: string, query: Record<string, string>, token: string | null): void {
  const language = storedLanguage();
  const search = new URLSearchParams({ ...query, ln: storedLanguages[language] });
  const address = `${configuration().apiBaseUrl}${path}?${search}`;
  const answer = fetch(address, {
    headers: {
      'Accept-Language': language,
      'X-Content-Type-Options': 'nosniff',
      'Content-Type': 'application/json',
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
    },
    credentials: 'include',
  });
  answer.catch(() => undefined);
  prefetched.set(keyOf(address, token), answer);
}

/** For replies that are the same for everybody, and only while nobody is signed in. */
export function prefetch(path: string, query: Record<string, string>): void {
  if (readToken() === null) sendEarly(path, query, null);
}

/** For replies to this user. */
export function prefetchFor({ token }: Session, path: string, query: Record<string, string>): void {
  sendEarly(path, query, token);
}

/** Removes and returns the answer of a prefetched call; undefined when the call must be sent. */
export function takePrefetched(
  method: string,
  address: string,
  token: string | null,
): Promise<Response> | undefined {
  const key = keyOf(address, token);
  const answer = method === 'GET' ? prefetched.get(key) : undefined;
  prefetched.delete(key);
  return answer;
}
