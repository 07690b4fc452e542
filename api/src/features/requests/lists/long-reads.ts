import { availableParallelism } from 'node:os';
import { createLimiter, refuseWhenQueueFull, serverBusy } from '#platform/core/limiter.ts';

/** Runs a read that may take long, for a user. Throws ServerBusy when too many wait. */
type LongReads = <Result>(userId: string, read: () => Promise<Result>) => Promise<Result>;

/**
 * Long reads: at most `atOnce` run, and at most `perUser` of one user run or wait. Calls that are
 * answered in a few milliseconds do not wait for them.
 */
export function createLongReads(
  atOnce: number,
  perUser: number,
  maximumWaiting: number,
): LongReads {
  const limit = createLimiter(atOnce);
  const countByUser = new Map<string, number>();
  return async (userId, read) => {
    const count = countByUser.get(userId) ?? 0;
    if (count >= perUser) throw serverBusy();
    refuseWhenQueueFull(limit, maximumWaiting);
    countByUser.set(userId, count + 1);
    try {
      return await limit(read);
    } finally {
      const left = (countByUser.get(userId) ?? 1) - 1;
      if (left === 0) countByUser.delete(userId);
      else countByUser.set(userId, left);
    }
  };
}

/** The long reads of lists of requests. One of two processors stays free for other calls. */
export const longReads = createLongReads(
  Math.max(1, Math.floor(availableParallelism() / 2)),
  4,
  32,
);
