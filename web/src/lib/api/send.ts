import { repeatsOf, type Call, type ReplyOf } from '@diwan/contract/wire/call';
import { showToast } from '../browser/toasts.ts';
import { currentLanguage } from '../i18n/language.ts';
import { t } from '../i18n/translate.ts';
import { ApiError, isUnanswered, outcomeError } from './api-error.ts';
import { callHeaders } from './call-headers.ts';
import {
  endAfter,
  fetchCall,
  networkError,
  readReply,
  resolveAddress,
  type InputOfCall,
  type SendOptions,
  type UntypedInput,
} from './fetch-call.ts';
import { pause } from './retry.ts';
import { exchangeTokenOnce, getFreshToken } from './token-refresh.ts';

/** Refreshes a refused token once: the clock of the browser may be behind that of the server. */
async function sendWithToken(
  call: Call,
  input: UntypedInput,
  options: SendOptions & { key?: string },
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
  options: SendOptions & { key?: string },
): Promise<unknown> {
  const response = await sendWithToken(call, input, options);
  return readReply(response, options.skipErrorHandling);
}

/** The seconds between the attempts of a call with a key. Tests have none. */
export const repeatPauses: { seconds: readonly number[] } = { seconds: [1, 2, 4, 8, 15] };
const longestAttemptMs = 60_000;

/** The keys of acts whose end is unknown, by what was sent: the same, sent again, is a repeat. */
const openKeys = new Map<string, string>();

/**
 * Sends a call that changes something with a key, and again with that key while no answer comes. The
 * server does it once and answers each with the first answer. Decision 0161.
 */
async function sendWithKey(
  call: Call,
  input: UntypedInput,
  options: SendOptions,
): Promise<unknown> {
  const act = JSON.stringify([call.name, input]);
  const key = openKeys.get(act) ?? crypto.randomUUID();
  const signal = options.signal ?? new AbortController().signal;
  // What this browser could not send was not done.
  if (globalThis.navigator?.onLine === false && !openKeys.has(act))
    return sendForReply(call, input, options);
  openKeys.set(act, key);
  for (let attempt = 0; ; attempt += 1) {
    try {
      const reply = await endAfter(longestAttemptMs, signal, (either) =>
        sendForReply(call, input, { ...options, signal: either, key }),
      );
      openKeys.delete(act);
      return reply;
    } catch (error) {
      if (signal.aborted) throw error;
      if (!isUnanswered(error)) {
        openKeys.delete(act);
        throw error;
      }
      const seconds = repeatPauses.seconds[attempt];
      if (seconds === undefined) throw outcomeError(options.skipErrorHandling);
      showToast(t('tryingAgain', { ns: 'errors' }));
      await pause(Math.min(error.retryAfter ?? seconds, 15), signal);
    }
  }
}

/** Sends a call that answers with JSON. Source: specification §7. Throws `ApiError`. */
export async function send<C extends Call>(
  call: C,
  input: InputOfCall<C> & SendOptions,
): Promise<ReplyOf<C>> {
  const { signal, skipErrorHandling, keepalive, content, ...rest } = input;
  const options = { signal, skipErrorHandling, keepalive, content };
  const sent = repeatsOf(call) === 'byKey' && !keepalive ? sendWithKey : sendForReply;
  return (await sent(call, rest as UntypedInput, options)) as ReplyOf<C>;
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
