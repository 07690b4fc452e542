import { SendError } from '../api/send-error.ts';

const waits = [1, 2, 4, 8, 15, 30];
// A server that fails each time will not be better for the hundredth; a network, and one that says
// it is busy, may take as long as they take.
const mostFailures = 5;

interface Tries {
  signal: AbortSignal;
  /** Hears whether it waits for the network or the server. */
  onWaiting: (isWaiting: boolean) => void;
}

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

/**
 * Does it again after longer and longer waits while the network is away, at once when it comes
 * back; what the server refuses is refused.
 */
export async function keepTrying<Result>(
  work: () => Promise<Result>,
  { signal, onWaiting }: Tries,
): Promise<Result> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      const status = error instanceof SendError ? error.status : undefined;
      const isBusy = error instanceof SendError && error.name === 'ServerBusy';
      const mayPass =
        status === 0 ||
        isBusy ||
        (failures < mostFailures && (status === 429 || (status !== undefined && status >= 500)));
      if (signal.aborted || !mayPass) throw error;
      onWaiting(true);
      await pause(
        (error as SendError).retryAfter ?? waits[Math.min(failures, waits.length - 1)] ?? 30,
        signal,
      );
      onWaiting(false);
    }
  }
}
