import { createHmac, randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Keys } from '#platform/auth/secrets.ts';
import { callerNetwork } from '#platform/core/caller-network.ts';
import { readCookie, writeCookie, type HttpOnlyCookie } from '#platform/core/cookies.ts';
import { Refusal } from '#platform/core/refusals.ts';
import { isSameSecret } from '#platform/core/same-secret.ts';
import type { Database } from '#platform/database/database.ts';
import type { FailureRules } from '#platform/http/limits/failure-limit.ts';
import { browserStorage } from '@diwan/contract/portal/browser-storage';
import {
  adjustHourlyCount,
  countAttempt,
  clearAttempts,
  uncountAttempt,
  getWaitSeconds,
} from './login-throttle.store.ts';

/**
 * Marks a browser that has signed in before, so that guesses of others do not make it wait.
 * Decision 0010.
 */
export const deviceCookie: HttpOnlyCookie = {
  name: browserStorage.device.name,
  path: '/',
  seconds: browserStorage.device.lasts,
};

// An account with more attempts an hour is under attack. Then unknown browsers have one free
// attempt and long waits.
const attackPerHour = 100;
// Six attempts count as made: the first attempt of an unknown browser is free, the next one waits
// 64 seconds, then 128, and so on.
const freeTriesUnderAttack = -5;

/** The origin of an attempt: network address, browser, and the token of the device cookie. */
export interface Origin {
  address: string;
  agent?: string | undefined;
  device?: string | undefined;
}

/**
 * Verifies a password or a code; returns `undefined` for a wrong one. An error that is not a refusal, and
 * ServerBusy, leave the attempt uncounted.
 */
type Verify<T> = () => Promise<T | undefined>;

/**
 * The attempts of one key in this process: queries that count an attempt, attempts that are being
 * verified, the number of successes, and the number of callers.
 */
interface KeyState {
  counting: Set<Promise<unknown>>;
  verifying: Set<Promise<unknown>>;
  successes: number;
  callers: number;
}

// The database or another part failed, so that nobody knows whether the password was correct.
const isUnverified = (error: unknown) =>
  !(error instanceof Refusal) || error.refusal === 'ServerBusy';

/** Limits the guesses of the password of one account. Decision 0010. */
export interface LoginThrottle {
  /**
   * Counts an attempt and verifies it. Throws TooManyRequests. A correct password resets the count.
   */
  tryPassword<T>(username: string, origin: Origin, verify: Verify<T>): Promise<T | undefined>;
  /** The same for the current password of a caller who is signed in. */
  tryCurrentPassword<T>(userId: string, verify: Verify<T>): Promise<T | undefined>;
  /**
   * The same for a code of the second factor, by a caller who knows the password. There is one
   * count for all unknown browsers, and one for each known browser.
   */
  tryCode<T>(
    user: { id: string; username: string },
    device: string | undefined,
    verify: Verify<T>,
  ): Promise<T | undefined>;
  /**
   * Returns the value of the device cookie, which identifies a known browser. Its attempts are
   * counted separately.
   */
  createDeviceToken(username: string): string;
  /** Whether the value of the device cookie is that of a browser which is known for the account. */
  isKnownDevice(username: string, device: string | undefined): boolean;
}

const signWith = (key: string, parts: readonly string[]) =>
  createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');

/** The first of `keys` hashes the usernames in the stored keys; `free` attempts come before the first wait. */
export function openLoginThrottle(database: Database, keys: Keys, free: number): LoginThrottle {
  const sign = (...parts: string[]) => signWith(keys()[0] ?? '', parts);

  function findDevice(username: string, device: string | undefined): string | undefined {
    const [id, seal = ''] = (device ?? '').split('.');
    const parts = ['device', username, id ?? ''];
    // guard: signature of a known browser
    if (!keys().some((key) => isSameSecret(signWith(key, parts), seal))) return undefined;
    return id || undefined;
  }

  const states = new Map<string, KeyState>();

  // Corrections of counts that the database has not taken yet, because it failed.
  const corrections = new Set<() => Promise<unknown>>();

  async function applyCorrections(): Promise<void> {
    for (const correct of corrections) {
      corrections.delete(correct);
      try {
        await correct();
      } catch {
        corrections.add(correct);
        return;
      }
    }
  }

  async function correctCount(correct: () => Promise<unknown>): Promise<void> {
    corrections.add(correct);
    await applyCorrections();
  }

  // Returns the number of the attempt.
  async function count(key: string, state: KeyState, freeTries: number): Promise<number> {
    for (let hasWaited = false; ;) {
      const { successes } = state;
      const asked = countAttempt(database, key, freeTries);
      state.counting.add(asked);
      const number = await asked.finally(() => state.counting.delete(asked));
      // guard: wait after wrong passwords => true
      if (number !== false) return number;
      // Parallel sign-ins of one person are not guesses: an attempt over the limit waits for those
      // before it, which may succeed, or have succeeded while it was counted.
      if (state.verifying.size > 0) await Promise.race(state.verifying).catch(() => undefined);
      else if (state.successes !== successes) continue;
      // Another attempt may be counted whose result has not arrived. Waits once, so that a flood
      // costs at most two queries for each caller.
      else if (!hasWaited && state.counting.size > 0) {
        hasWaited = true;
        await Promise.allSettled(state.counting);
      } else
        throw new Refusal('TooManyRequests', { retryAfter: await getWaitSeconds(database, key) });
    }
  }

  async function attempt<T>(
    key: string,
    freeTries: number,
    verify: Verify<T>,
  ): Promise<T | undefined> {
    const state = states.get(key) ?? {
      counting: new Set<Promise<unknown>>(),
      verifying: new Set<Promise<unknown>>(),
      successes: 0,
      callers: 0,
    };
    states.set(key, state);
    state.callers += 1;
    try {
      const number = await count(key, state, freeTries);
      const verifying = verify()
        .then(async (found) => {
          if (found === undefined) return undefined;
          await clearAttempts(database, key);
          state.successes += 1;
          return found;
        })
        .catch(async (error: unknown) => {
          if (isUnverified(error)) await correctCount(() => uncountAttempt(database, key, number));
          throw error;
        })
        .finally(() => state.verifying.delete(verifying));
      state.verifying.add(verifying);
      return await verifying;
    } finally {
      state.callers -= 1;
      if (state.callers === 0) states.delete(key);
    }
  }

  return {
    async tryPassword(username, { address, device }, verify) {
      const known = findDevice(username, device);
      const all = sign('account', username);
      const key = known
        ? sign('tries of a device', username, known)
        : sign('tries of a network', username, callerNetwork(address));
      await applyCorrections();
      const isAttacked = !known && (await adjustHourlyCount(database, all, 1)) > attackPerHour;
      const uncountHourly = () => adjustHourlyCount(database, all, -1);
      try {
        const found = await attempt(key, isAttacked ? freeTriesUnderAttack : free, verify);
        if (found !== undefined && !known) await correctCount(uncountHourly);
        return found;
      } catch (error) {
        if (!known && isUnverified(error)) await correctCount(uncountHourly);
        throw error;
      }
    },
    tryCurrentPassword: (userId, verify) => attempt(sign('old password', userId), free, verify),
    tryCode: ({ id, username }, device, verify) =>
      attempt(sign('second factor', id, findDevice(username, device) ?? ''), free, verify),
    isKnownDevice: (username, device) => findDevice(username, device) !== undefined,
    createDeviceToken(username) {
      const id = randomBytes(16).toString('base64url');
      return `${id}.${sign('device', username, id)}`;
    },
  };
}

/**
 * The header `set-cookie` after a sign-in. The browser of a shared computer is not marked, and forgets a
 * mark that it has: it would say who signed in there. Decision 0135.
 */
export const writeDeviceCookie = (
  device: string,
  { isSharedComputer }: { isSharedComputer?: boolean | undefined },
  isSecure: boolean,
): string =>
  isSharedComputer
    ? writeCookie({ ...deviceCookie, seconds: 0 }, '', isSecure)
    : writeCookie(deviceCookie, device, isSecure);

/**
 * Recognises the browser of a call that names its account by `username`. Its wrong passwords are
 * limited by its own waits, so that those of others in its network do not stop it.
 */
export function knownDevice(
  throttle: Pick<LoginThrottle, 'isKnownDevice'>,
  isSecure: boolean,
): NonNullable<FailureRules<unknown>['knownDevice']> {
  const deviceOf = (request: FastifyRequest) => readCookie(request, deviceCookie, isSecure);
  return {
    mayBeKnown: (request) => deviceOf(request) !== undefined,
    isKnown(request) {
      const { username } = (request.body ?? {}) as { username?: unknown };
      return (
        typeof username === 'string' &&
        throttle.isKnownDevice(username.trim().toLowerCase(), deviceOf(request))
      );
    },
  };
}
