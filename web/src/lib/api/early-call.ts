import { storedLanguages } from '@diwan/contract/wire/languages';
import { recall } from '../browser/browser-memory.ts';
import { configuration } from '../browser/configuration.ts';
import { storedLanguage } from '../i18n/stored-language.ts';

const early = new Map<string, Promise<Response>>();

/**
 * Asks for what the first page will ask for, while its code is still on the way: one round trip
 * less before anything is seen. Only what is the same for
 * everybody, and only while nobody is signed in, so that it carries what every call carries
 * (specification §7) without a token. Used once.
 */
export function askEarly(path: string, query: Record<string, string>): void {
  if (recall('session', 'token') !== null) return;
  const language = storedLanguage();
  const address = `${configuration().apiBaseUrl}${path}?${new URLSearchParams({ ...query, ln: storedLanguages[language] })}`;
  const answer = fetch(address, {
    headers: {
      'Accept-Language': language,
      'X-Content-Type-Options': 'nosniff',
      'Content-Type': 'application/json',
    },
    credentials: 'include',
  });
  answer.catch(() => undefined);
  early.set(address, answer);
}

/** The answer to a call that was made early; undefined when it must be made. */
export function takeEarly(
  method: string,
  address: string,
  token: string | null,
): Promise<Response> | undefined {
  const answer = method === 'GET' && token === null ? early.get(address) : undefined;
  early.delete(address);
  return answer;
}
