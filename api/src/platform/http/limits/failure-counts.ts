import { LRUCache } from 'lru-cache';
import { Refusal } from '#platform/core/refusals.ts';

const windowMs = 60_000;

/** The calls of one key in one minute: those that failed, and those that are not answered yet. */
interface Minute {
  since: number;
  failed: number;
  open: number;
}

/** A call that was let in. It counts as a failure unless it is released. */
export interface CountedCall {
  /** Takes the call off the count, once. */
  release(): void;
  /** Counts the call as a failure, once. */
  fail(): void;
}

/**
 * Counts the failed calls of networks and persons in this process. A call counts from its beginning,
 * so that parallel calls are no more than those one after the other.
 */
export class FailureCounts {
  #counts = new LRUCache<string, Minute>({ max: 5000 });

  /**
   * Lets a call of a key in. Throws TooManyRequests with the seconds until the minute ends, or with
   * one second where open calls alone reach the limit.
   */
  begin(key: string, maximum: number): CountedCall {
    const now = Date.now();
    const known = this.#counts.get(key);
    const minute =
      known && known.since + windowMs > now ? known : { since: now, failed: 0, open: 0 };
    this.#counts.set(key, minute);
    // guard: failed calls of a network in a minute (failure-counts, sign-in-limits)
    if (minute.failed + minute.open >= maximum)
      throw new Refusal('TooManyRequests', {
        retryAfter: minute.failed < maximum ? 1 : Math.ceil((minute.since + windowMs - now) / 1000),
      });
    minute.open += 1;
    let isOpen = true;
    const end = (failed: number) => {
      if (!isOpen) return;
      isOpen = false;
      minute.open -= 1;
      minute.failed += failed;
    };
    return { release: () => end(0), fail: () => end(1) };
  }
}
