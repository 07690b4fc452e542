import { callKeyHeader } from '@diwan/contract/wire/call';
import { unknownOutcome } from '@diwan/contract/wire/errors';
import { showToast } from '../browser/toasts.ts';
import { t } from '../i18n/translate.ts';
import { ApiError } from './api-error.ts';
import { endAfter, type FetchOptions } from './fetch-call.ts';

const delays = [1, 2, 4, 8, 15, 30];
// A server that fails again and again will not recover by more calls. A missing network and a busy
// server have no limit.
const maximumFailures = 5;

interface RetryOptions {
  signal: AbortSignal;
  /** Called with true while it waits for the network or the server. */
  onWaiting: (isWaiting: boolean) => void;
}

/** Waits some seconds, or continues immediately when the network is back. */
function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      window.clearTimeout(timer);
      window.removeEventListener('online', goOn);
      signal.removeEventListener('abort', fail);
    };
    const goOn = () => {
      stop();
      resolve();
    };
    const fail = () => {
      stop();
      reject(signal.reason as Error);
    };
    const timer = window.setTimeout(goOn, seconds * 1000);
    window.addEventListener('online', goOn);
    signal.addEventListener('abort', fail);
    if (signal.aborted) fail();
  });
}

function isTemporary(error: ApiError, failures: number): boolean {
  if (error.status === 0 || error.name === 'ServerBusy') return true;
  return failures < maximumFailures && (error.status === 429 || error.status >= 500);
}

/** Repeats work after temporary failures, with growing delays. Throws what the server refuses. */
export async function retry<Result>(
  work: () => Promise<Result>,
  { signal, onWaiting }: RetryOptions,
): Promise<Result> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || !(error instanceof ApiError) || !isTemporary(error, failures))
        throw error;
      onWaiting(true);
      const delay = delays[Math.min(failures, delays.length - 1)] ?? 30;
      await pause(error.retryAfter ?? delay, signal);
      onWaiting(false);
    }
  }
}

/** No answer has come to a call, or none that says whether it was done. */
const isUnanswered = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 0 || error.name === 'ServerBusy');

/** The seconds between the attempts of a call with a key. Tests have none. */
export const repeatPauses: { seconds: readonly number[] } = { seconds: [1, 2, 4, 8, 15] };
const longestAttemptMs = 60_000;

/** The keys of acts whose end is unknown, by what was sent: the same, sent again, is a repeat. */
const openKeys = new Map<string, string>();

/**
 * Sends a call that changes something with a key, and again with that key while no answer comes. The
 * server does it once and answers each with the first answer. `act` is the text of what is sent. Decision 0161.
 */
export async function sendWithKey(
  act: string,
  once: (options?: FetchOptions) => Promise<unknown>,
  options: FetchOptions,
): Promise<unknown> {
  const key = openKeys.get(act) ?? crypto.randomUUID();
  const signal = options.signal ?? new AbortController().signal;
  // What this browser could not send was not done.
  if (globalThis.navigator?.onLine === false && !openKeys.has(act)) return once();
  openKeys.set(act, key);
  for (let attempt = 0; ; attempt += 1) {
    try {
      const reply = await endAfter(longestAttemptMs, signal, (either) =>
        once({ ...options, signal: either, headers: { [callKeyHeader]: key } }),
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
      if (seconds === undefined) throw new ApiError(0, unknownOutcome, '', options);
      showToast(t('tryingAgain', { ns: 'errors' }));
      await pause(Math.min(error.retryAfter ?? seconds, 15), signal);
    }
  }
}
