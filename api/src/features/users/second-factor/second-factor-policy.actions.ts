import { defaultLanguage } from '@diwan/contract/wire/languages';
import type { FactorRole, SecondFactorPolicy } from '@diwan/contract/people/second-factor';
import { recordAudit } from '../../../platform/auth/audit.ts';
import type { AppContext } from '../../../platform/http/context.ts';
import { Refusal } from '../../../platform/core/refusals.ts';
import { readFactorRoles, writeFactorRoles } from '../../../platform/auth/second-factor-policy.ts';
import type { Caller } from '../../../platform/auth/session.ts';
import { countByRole, deleteFactor } from './second-factor.store.ts';
import { tellOwner } from '../notifications/tell-owner.ts';
import { getUser } from '../model/users.store.ts';

export async function readPolicy({
  database,
  config,
}: Pick<AppContext, 'database' | 'config'>): Promise<SecondFactorPolicy> {
  const [roles, standing] = await Promise.all([
    readFactorRoles(database, config),
    countByRole(database),
  ]);
  return { roles, standing };
}

/**
 * From the next call on, whoever has one of these roles and no second factor can do nothing but set
 * one up.
 */
export async function changePolicy(
  context: Pick<AppContext, 'database' | 'config'>,
  caller: Caller,
  roles: readonly FactorRole[],
  address: string,
): Promise<SecondFactorPolicy> {
  await context.database.transaction().execute(async (transaction) => {
    const before = await readFactorRoles(transaction, context.config);
    await writeFactorRoles(transaction, [...new Set(roles)]);
    await recordAudit(transaction, {
      kind: 'secondFactorPolicyChanged',
      userId: caller.userId,
      sessionId: caller.sessionId,
      address,
      before,
      after: await readFactorRoles(transaction, context.config),
    });
  });
  return readPolicy(context);
}

/**
 * For somebody who lost the app and the recovery codes. Whoever found them must not stay signed in,
 * so their sessions end.
 */
export async function resetFactor(
  context: Pick<AppContext, 'database' | 'sessions' | 'publicUrl' | 'outbox'>,
  caller: Caller,
  userId: string,
  address: string,
): Promise<void> {
  const { database, sessions, outbox } = context;
  // Whoever holds a session of an admin must not get rid of that admin's own.
  if (userId === caller.userId) throw new Refusal('YouAreUnauthorized');
  const admin = await getUser(database, caller.userId);
  await database.transaction().execute(async (transaction) => {
    if (!(await deleteFactor(transaction, userId))) throw new Refusal('NotFound');
    await recordAudit(transaction, {
      kind: 'secondFactorReset',
      userId,
      address,
      by: admin.username,
    });
    await sessions.endOthers(transaction, userId, null, address, 'secondFactorReset');
    await tellOwner(context, transaction, userId, 'secondFactorReset', defaultLanguage);
  });
  outbox.wake();
}
