import { Refusal } from './refusals.ts';

/** Limits how many pieces of work run at the same time. Further work waits in order of arrival. */
interface Limiter {
  <Result>(work: () => Promise<Result>): Promise<Result>;
  /** How many pieces of work wait for their turn. */
  queueLength(): number;
}

/**
 * A limiter that runs at most `count` pieces of work at the same time. Rejects with the error of
 * the work.
 */
export function createLimiter(count: number): Limiter {
  const queue: (() => void)[] = [];
  let running = 0;
  const limit = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running >= count) await new Promise<void>((resolve) => queue.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
  return Object.assign(limit, { queueLength: () => queue.length });
}

/** Most queues are empty again after this time. */
export const retryAfterSeconds = 3;

/** The refusal of work that can be accepted again in a few seconds. */
export const serverBusy = (): Refusal =>
  new Refusal('ServerBusy', { retryAfter: retryAfterSeconds });

/**
 * Throws ServerBusy when `maximumLength` pieces of work wait already. A proxy or the browser would
 * close the connection before the work begins.
 */
export function refuseWhenQueueFull(limiter: Limiter, maximumLength: number): void {
  if (limiter.queueLength() >= maximumLength) throw serverBusy();
}
