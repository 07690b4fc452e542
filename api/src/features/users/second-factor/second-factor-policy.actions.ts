import { announceAccessChange } from '#platform/auth/access-changes.ts';
import { recordAudit } from '#platform/auth/audit.store.ts';
import type { Caller, CallerNames } from '#platform/auth/caller.ts';
import {
  readSecondFactorRoles,
  writeSecondFactorRoles,
} from '#platform/auth/second-factor-policy.store.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { AppContext } from '#platform/http/context.ts';
import type { FactorRole, SecondFactorPolicy } from '@diwan/contract/people/second-factor';
import { defaultLanguage } from '@diwan/contract/wire/languages';
import { notifyOwner } from '../notifications/security-notifications.ts';
import type { SecondFactorVault } from './second-factor-codes.ts';
import { countByRole, deleteFactor, replaceSealed, selectSealed } from './second-factor.store.ts';

export async function readPolicy({
  database,
  config,
}: Pick<AppContext, 'database' | 'config'>): Promise<SecondFactorPolicy> {
  const [roles, standing] = await Promise.all([
    readSecondFactorRoles(database, config),
    countByRole(database),
  ]);
  return { roles, standing };
}

/**
 * Changes the roles that require a second factor. From the next call on, users of these roles
 * without one can only set one up.
 */
export async function changePolicy(
  context: Pick<AppContext, 'database' | 'config'>,
  caller: Caller,
  roles: readonly FactorRole[],
  address: string,
): Promise<SecondFactorPolicy> {
  await inTransaction(context.database, async (transaction) => {
    const before = await readSecondFactorRoles(transaction, context.config);
    await writeSecondFactorRoles(transaction, [...new Set(roles)]);
    await recordAudit(transaction, {
      kind: 'secondFactorPolicyChanged',
      userId: caller.userId,
      sessionId: caller.sessionId,
      address,
      before,
      after: await readSecondFactorRoles(transaction, context.config),
    });
  });
  return readPolicy(context);
}

/**
 * Removes the second factor of a user who lost the app and the recovery codes. Ends their sessions,
 * because another person may have found the phone.
 */
export async function resetFactor(
  context: Pick<AppContext, 'database' | 'sessions' | 'publicUrl' | 'outbox'>,
  caller: Caller,
  userId: string,
  address: string,
): Promise<void> {
  const { database, outbox } = context;
  // A stolen session of an admin must not remove the admin's own second factor.
  // guard: own second factor of an admin (second-factor)
  if (userId === caller.userId) throw new Refusal('YouAreUnauthorized');
  await inTransaction(database, (transaction) =>
    deleteFactorOf(context, transaction, { userId, address, by: caller }),
  );
  outbox.wake();
  await announceAccessChange(database, userId);
}

/**
 * Removes the second factor of a user, ends their sessions and notifies them, in one transaction.
 * `by` names who did it. Throws NotFound where there is none.
 */
export async function deleteFactorOf(
  context: Pick<AppContext, 'sessions' | 'publicUrl'>,
  transaction: Transaction,
  { userId, address, by }: { userId: string; address?: string; by: CallerNames },
): Promise<void> {
  if (!(await deleteFactor(transaction, userId))) throw new Refusal('NotFound');
  await recordAudit(transaction, { kind: 'secondFactorReset', userId, address, by });
  await context.sessions.endOthers(transaction, userId, {
    exceptSessionId: null,
    address,
    reason: 'secondFactorReset',
  });
  await notifyOwner(context, transaction, {
    userId,
    event: 'secondFactorReset',
    language: defaultLanguage,
  });
}

/** Encrypts all secrets again with the newest key, while users sign in. Returns how many. */
export async function sealFactorsAgain(
  database: Database,
  vault: SecondFactorVault,
): Promise<number> {
  let count = 0;
  for (const { user_id: userId, ...sealed } of await selectSealed(database))
    for (const column of ['secret', 'pending_secret'] as const) {
      const before = sealed[column];
      const secret = before === null ? undefined : vault.open(userId, before);
      if (before === null || secret === undefined) continue;
      await replaceSealed(database, column, userId, [before, vault.seal(userId, secret)]);
      count += 1;
    }
  return count;
}
