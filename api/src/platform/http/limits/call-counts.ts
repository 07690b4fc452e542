import type { FastifyRateLimitStore } from '@fastify/rate-limit';
import { LRUCache } from 'lru-cache';

/**
 * Counts calls in this process for @fastify/rate-limit. The store of the library gives all calls of a
 * key the same object, so that calls of one turn of the event loop see the count of the last of them
 * and one too many is refused.
 */
export class CallCounts implements FastifyRateLimitStore {
  // Opened by the first call: it reserves 120 kB, and there is one for each of hundreds of routes.
  #opened: LRUCache<string, { count: number; since: number }> | undefined;

  get #counts() {
    return (this.#opened ??= new LRUCache({ max: 5000 }));
  }

  incr(
    key: string,
    report: (error: null, result: { current: number; ttl: number }) => void,
    timeWindow: number,
  ): void {
    const now = Date.now();
    const known = this.#counts.get(key);
    const isNew = !known || known.since + timeWindow <= now;
    const counted = isNew ? { count: 1, since: now } : { ...known, count: known.count + 1 };
    this.#counts.set(key, counted);
    report(null, { current: counted.count, ttl: timeWindow - (now - counted.since) });
  }

  /** Each route counts separately. */
  child(): CallCounts {
    return new CallCounts();
  }
}
