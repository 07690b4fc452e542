import { storedLanguages } from '@diwan/contract/wire/languages';
import { configuration } from '../browser/configuration.ts';
import { storedLanguage } from '../i18n/stored-language.ts';
import { callHeaders } from './call-headers.ts';
import { readToken } from './session.ts';

/** By address. */
const prefetched = new Map<string, Promise<Response>>();

/**
 * Sends a call of the first page while the code of the page still loads, with what every call has
 * (specification §7). `fetchCall` uses the answer once. For replies that are the same for everybody,
 * and only while nobody is signed in.
 */
export function prefetch(path: string, query: Readonly<Record<string, string>>): void {
  if (readToken() !== null) return;
  const language = storedLanguage();
  const search = new URLSearchParams({ ...query, ln: storedLanguages[language] });
  const address = `${configuration().apiBaseUrl}${path}?${search}`;
  const answer = fetch(address, {
    headers: callHeaders(language, null),
    credentials: 'include',
  });
  answer.catch(() => undefined);
  prefetched.set(address, answer);
}

/** Removes and returns the answer of a prefetched call; undefined when the call must be sent. */
export function takePrefetched(
  method: string,
  address: string,
  token: string | null,
): Promise<Response> | undefined {
  const answer = method === 'GET' && token === null ? prefetched.get(address) : undefined;
  prefetched.delete(address);
  return answer;
}
