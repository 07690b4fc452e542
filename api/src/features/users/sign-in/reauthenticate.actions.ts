import { verify } from '@node-rs/argon2';
import type { Caller } from '#platform/auth/caller.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Database } from '#platform/database/database.ts';
import { getUser } from '../model/users.store.ts';
import type { LoginThrottle } from './login-throttle.ts';

/**
 * Verifies the caller's password again before a change that outlives a stolen token. An account
 * without a password passes. Throws IncorrectPassword or TooManyRequests.
 */
export async function reauthenticate(
  limits: LoginThrottle,
  caller: Caller,
  hash: string | null,
  password: string | undefined,
): Promise<void> {
  if (hash === null) return;
  const isRight = await limits.tryCurrentPassword(
    caller.userId,
    async () => (await verify(hash, password ?? '')) || undefined,
  );
  // guard: password of a signed-in person (own-account, second-factor)
  if (!isRight) throw new Refusal('IncorrectPassword');
}

/** Verifies the password of a caller again for another feature. */
export type CheckPassword = (caller: Caller, password: string | undefined) => Promise<void>;

/** Returns a check that throws what `reauthenticate` throws. */
export const openPasswordCheck =
  (database: Database, limits: LoginThrottle): CheckPassword =>
  async (caller, password) => {
    const { password_hash: hash } = await getUser(database, caller.userId);
    await reauthenticate(limits, caller, hash, password);
  };
