import { verify } from '@node-rs/argon2';
import { Refusal } from '../../../platform/core/refusals.ts';
import type { Caller } from '../../../platform/auth/session.ts';
import type { TryLimits } from './try-limits.ts';

/**
 * Lets pass who says their password again, and whoever has none: a token that was stolen is not
 * enough for what outlives it. Throws IncorrectPassword or TooManyRequests.
 */
export async function proveOwnPassword(
  limits: TryLimits,
  caller: Caller,
  hash: string | null,
  password: string | undefined,
): Promise<void> {
  if (hash === null) return;
  const isRight = await limits.tryOldPassword(
    caller.userId,
    async () => (await verify(hash, password ?? '')) || undefined,
  );
  if (!isRight) throw new Refusal('IncorrectPassword');
}
