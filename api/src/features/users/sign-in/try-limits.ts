import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { callerNetwork } from '../../../platform/core/caller-network.ts';
import type { Database } from '../../../platform/database/database.ts';
import { Refusal } from '../../../platform/core/refusals.ts';
import { countOnly, countTry, forgetTries, readWait } from './try-limits.store.ts';

// Above this many tries an hour from anywhere an account is under attack, and strangers get one
// free try and long waits.
const attackPerHour = 100;
// As if six tries had been made: a stranger's first is free, and their next one waits for 64
// seconds, then 128, and so on.
const freeWhileAttacked = -5;

/** Where a try comes from: an address, and what the browser keeps since it last signed in here. */
export interface Origin {
  address: string;
  agent?: string | undefined;
  device?: string | undefined;
}

/** Looks at a password; `undefined` when it was wrong. */
type Judge<T> = () => Promise<T | undefined>;

/**
 * What one process is judging under one count: who is being counted, tries under way, how many were
 * right, and how many callers stand there.
 */
interface Door {
  asking: Set<Promise<unknown>>;
  judged: Set<Promise<unknown>>;
  right: number;
  inside: number;
}

/** Limits of guessing one account's password. See docs/decisions/0010. */
export interface TryLimits {
  /**
   * Counts a try and lets it be judged, or refuses with `TooManyRequests`. A right password clears
   * the count.
   */
  tryPassword<T>(username: string, origin: Origin, judge: Judge<T>): Promise<T | undefined>;
  /** The same for the old password of somebody who is signed in. */
  tryOldPassword<T>(userId: string, judge: Judge<T>): Promise<T | undefined>;
  /**
   * The same for a code of the second factor, by whoever knows the password already: one count for
   * all strangers wherever they are, another for each known browser.
   */
  tryCode<T>(
    user: { id: string; username: string },
    device: string | undefined,
    judge: Judge<T>,
  ): Promise<T | undefined>;
  /**
   * What a browser keeps after a sign-in: from then on its tries are counted apart from those of
   * strangers.
   */
  deviceOf(username: string): string;
}

/**
 * `secret` makes keys that tell nothing of the names typed; `free` tries come before the first
 * wait.
 */
export function openTryLimits(database: Database, secret: string, free: number): TryLimits {
  const mark = (...parts: string[]) =>
    createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url');

  function findDevice(username: string, device: string | undefined): string | undefined {
    const [id, seal] = (device ?? '').split('.');
    const right = Buffer.from(mark('device', username, id ?? ''));
    const given = Buffer.from(seal ?? '');
    return id && given.length === right.length && timingSafeEqual(given, right) ? id : undefined;
  }

  const doors = new Map<string, Door>();

  async function count(key: string, door: Door, freeTries: number): Promise<void> {
    for (let hasWaited = false; ;) {
      const { right } = door;
      const asked = countTry(database, key, freeTries);
      door.asking.add(asked);
      if (await asked.finally(() => door.asking.delete(asked))) return;
      // Several sign-ins of one person at once are no guessing: who comes too many waits for those
      // before, which may be right, or were while the count was asked for.
      if (door.judged.size > 0) await Promise.race(door.judged).catch(() => undefined);
      else if (door.right !== right) continue;
      // Somebody may be counted already whose answer has not come back yet; once, so that a flood
      // costs two questions a caller and no more.
      else if (!hasWaited && door.asking.size > 0) {
        hasWaited = true;
        await Promise.allSettled(door.asking);
      } else throw new Refusal('TooManyRequests', { retryAfter: await readWait(database, key) });
    }
  }

  async function judgeOne<T>(
    key: string,
    freeTries: number,
    judge: Judge<T>,
  ): Promise<T | undefined> {
    const door = doors.get(key) ?? {
      asking: new Set<Promise<unknown>>(),
      judged: new Set<Promise<unknown>>(),
      right: 0,
      inside: 0,
    };
    doors.set(key, door);
    door.inside += 1;
    try {
      await count(key, door, freeTries);
      const judged = judge()
        .then(async (found) => {
          if (found === undefined) return undefined;
          await forgetTries(database, key);
          door.right += 1;
          return found;
        })
        .finally(() => door.judged.delete(judged));
      door.judged.add(judged);
      return await judged;
    } finally {
      door.inside -= 1;
      if (door.inside === 0) doors.delete(key);
    }
  }

  return {
    async tryPassword(username, { address, device }, judge) {
      const known = findDevice(username, device);
      const all = mark('account', username);
      const key = known
        ? mark('tries of a device', username, known)
        : mark('tries of a network', username, callerNetwork(address));
      const isAttacked = !known && (await countOnly(database, all, 1)) > attackPerHour;
      const found = await judgeOne(key, isAttacked ? freeWhileAttacked : free, judge);
      if (found !== undefined && !known) await countOnly(database, all, -1);
      return found;
    },
    tryOldPassword: (userId, judge) => judgeOne(mark('old password', userId), free, judge),
    tryCode: ({ id, username }, device, judge) =>
      judgeOne(mark('second factor', id, findDevice(username, device) ?? ''), free, judge),
    deviceOf(username) {
      const id = randomBytes(16).toString('base64url');
      return `${id}.${mark('device', username, id)}`;
    },
  };
}
