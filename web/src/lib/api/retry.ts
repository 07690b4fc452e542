import { ApiError } from './api-error.ts';

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
export function pause(seconds: number, signal: AbortSignal): Promise<void> {
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
