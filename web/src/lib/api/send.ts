import type { Call, ReplyOf } from '@diwan/contract/wire/call';
import { currentLanguage } from '../i18n/language.ts';
import { ApiError, connectionError } from './api-error.ts';
import { callHeaders } from './call-headers.ts';
import {
  fetchCall,
  networkError,
  readReply,
  resolveAddress,
  type InputOfCall,
  type FetchOptions,
  type SendOptions,
  type UntypedInput,
} from './fetch-call.ts';
import { exchangeTokenOnce, getFreshToken } from './token-refresh.ts';

/** Refreshes a refused token once: the clock of the browser may be behind that of the server. */
async function sendWithToken(
  call: Call,
  input: UntypedInput,
  options: FetchOptions,
): Promise<Response> {
  const token = await getFreshToken();
  try {
    return await fetchCall(call, input, options, token);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401 || token === null) throw error;
    const refreshed = await exchangeTokenOnce(token);
    if (refreshed === null) throw error;
    return fetchCall(call, input, options, refreshed);
  }
}

async function sendForReply(
  call: Call,
  input: UntypedInput,
  options: FetchOptions,
): Promise<unknown> {
  const response = await sendWithToken(call, input, options);
  return readReply(response, options.skipErrorHandling);
}

/** Sends a call that answers with JSON. Source: specification §7. Throws `ApiError`. */
export async function send<C extends Call>(
  call: C,
  input: InputOfCall<C> & SendOptions,
): Promise<ReplyOf<C>> {
  const { signal, skipErrorHandling, keepalive, content, ...rest } = input;
  const options = { signal, skipErrorHandling, keepalive, content };
  const once = (sent: FetchOptions = options) => sendForReply(call, rest as UntypedInput, sent);
  // Other calls repeat by key, or continue: `repeatsOf`.
  const isOnce = call.method === 'GET' || (call.repeats && call.repeats !== 'continues');
  if (isOnce || keepalive) return (await once()) as ReplyOf<C>;
  // Not a part of the first page. Without it nothing is sent.
  const { sendWithKey } = await import('./retry.ts').catch(() => {
    throw connectionError(skipErrorHandling);
  });
  const act = JSON.stringify([call.name, rest]);
  return (await sendWithKey(act, once, options)) as ReplyOf<C>;
}

/** Sends a call that answers with a file. Throws `ApiError`. */
export async function sendForFile<C extends Call>(
  call: C,
  input: InputOfCall<C> & SendOptions,
): Promise<Blob> {
  const { signal, skipErrorHandling, ...rest } = input;
  const response = await sendWithToken(call, rest as UntypedInput, { signal, skipErrorHandling });
  return response.blob().catch((error: unknown) => {
    throw networkError(error, skipErrorHandling);
  });
}

/**
 * Whether an address exists, by a HEAD call without error handling. Source: specification §7. False
 * without a connection.
 */
export async function urlExists(url: string): Promise<boolean> {
  try {
    const { href, isOurs } = resolveAddress(url);
    const own = isOurs
      ? {
          headers: callHeaders(currentLanguage(), await getFreshToken(), null),
          credentials: 'include' as const,
        }
      : {};
    return (await fetch(href, { method: 'HEAD', ...own })).ok;
  } catch {
    return false;
  }
}
