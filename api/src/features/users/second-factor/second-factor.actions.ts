import { announceAccessChange } from '#platform/auth/access-changes.ts';
import { recordAudit } from '#platform/auth/audit.store.ts';
import type { Caller } from '#platform/auth/caller.ts';
import { readSecondFactorRoles } from '#platform/auth/second-factor-policy.store.ts';
import { Refusal } from '#platform/core/refusals.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { AppContext } from '#platform/http/context.ts';
import type { SecondFactor } from '@diwan/contract/people/second-factor';
import type { Language } from '@diwan/contract/wire/languages';
import { getUser } from '../model/users.store.ts';
import { notifyOwner } from '../notifications/security-notifications.ts';
import type { Origin, LoginThrottle } from '../sign-in/login-throttle.ts';
import { reauthenticate } from '../sign-in/reauthenticate.actions.ts';
import {
  findStep,
  newRecoveryCodeSet,
  newTotpSecret,
  readCode,
  totpUri,
  type SecondFactorVault,
} from './second-factor-codes.ts';
import {
  confirmPending,
  countRecoveryCodes,
  deleteFactor,
  findFactor,
  findPending,
  isFreshSession,
  storePending,
  replaceRecoveryCodes,
  consumeRecoveryCode,
  consumeStep,
} from './second-factor.store.ts';

export interface SecondFactorContext extends Pick<
  AppContext,
  'database' | 'sessions' | 'config' | 'publicUrl' | 'outbox'
> {
  throttle: LoginThrottle;
  vault: SecondFactorVault;
}

interface Person {
  id: string;
  username: string;
}

/**
 * Verifies and consumes a code; a user without a second factor passes. Throws SecondFactorRequired,
 * SecondFactorWrong or TooManyRequests.
 */
export async function requireSecondFactor(
  { database, throttle: limits, vault }: SecondFactorContext,
  user: Person,
  typed: string | undefined,
  origin: Origin,
): Promise<void> {
  const sealed = (await findFactor(database, user.id))?.secret;
  if (!sealed) return;
  if (typed === undefined) throw new Refusal('SecondFactorRequired');
  const given = readCode(typed);
  const kind = await limits.tryCode(user, origin.device, async () => {
    if (given?.kind === 'recovery')
      return (await consumeRecoveryCode(database, user.id, vault.hashes(user.id, given.code)))
        ? given.kind
        : undefined;
    const secret = vault.open(user.id, sealed);
    const step = secret !== undefined && given ? findStep(secret, given.code) : undefined;
    return step !== undefined && (await consumeStep(database, user.id, sealed, step))
      ? given?.kind
      : undefined;
  });
  if (kind === 'recovery')
    await recordAudit(database, {
      kind: 'recoveryCodeUsed',
      userId: user.id,
      address: origin.address,
    });
  if (kind !== undefined) return;
  await recordAudit(database, {
    kind: 'signInFailed',
    userId: user.id,
    address: origin.address,
    reason: 'secondFactor',
  });
  throw new Refusal('SecondFactorWrong');
}

async function isRequiredOf(
  { database, config }: SecondFactorContext,
  caller: Caller,
): Promise<boolean> {
  const required = await readSecondFactorRoles(database, config);
  return required.some((role) => caller.roles.includes(role));
}

export async function readSecondFactor(
  context: SecondFactorContext,
  caller: Caller,
): Promise<SecondFactor> {
  const { database } = context;
  const [factor, recoveryCodesLeft, isRequired, user, isFresh] = await Promise.all([
    findFactor(database, caller.userId),
    countRecoveryCodes(database, caller.userId),
    isRequiredOf(context, caller),
    getUser(database, caller.userId),
    isFreshSession(database, caller.sessionId),
  ]);
  return {
    isSet: factor !== undefined,
    isRequired,
    mustSetUp: caller.restriction === 'secondFactor',
    asksPassword: user.password_hash !== null && !isFresh,
    ...(factor?.confirmed_at ? { since: factor.confirmed_at.toISOString() } : {}),
    recoveryCodesLeft,
  };
}

export async function beginFactor(
  context: SecondFactorContext,
  caller: Caller,
  proof: { password?: string | undefined; code?: string | undefined },
  origin: Origin,
): Promise<{ secret: string; uri: string }> {
  const { database, vault, publicUrl } = context;
  const user = await getUser(database, caller.userId);
  if (!(await isFreshSession(database, caller.sessionId)))
    await reauthenticate(context.throttle, caller, user.password_hash, proof.password);
  await requireSecondFactor(
    context,
    { id: caller.userId, username: user.username },
    proof.code,
    origin,
  );
  const pending = await findPending(database, caller.userId, caller.sessionId);
  const known = pending === undefined ? undefined : vault.open(caller.userId, pending);
  const secret = known ?? newTotpSecret();
  if (known === undefined)
    await storePending(
      database,
      caller.userId,
      caller.sessionId,
      vault.seal(caller.userId, secret),
    );
  const name = user.password_hash === null ? user.email || user.full_name : user.username;
  return { secret, uri: totpUri(secret, `${name}@${new URL(publicUrl).hostname}`) };
}

/** Activates the pending second factor and returns the recovery codes. */
export async function confirmFactor(
  context: SecondFactorContext,
  caller: Caller,
  typed: string,
  { address, language }: { address: string; language: Language },
): Promise<string[]> {
  const { database, sessions, vault, outbox } = context;
  const { userId, sessionId } = caller;
  const sealed = await findPending(database, userId, sessionId);
  const secret = sealed === undefined ? undefined : vault.open(userId, sealed);
  if (sealed === undefined || secret === undefined) throw new Refusal('SecondFactorNotBegun');
  const given = readCode(typed);
  const step = given?.kind === 'app' ? findStep(secret, given.code) : undefined;
  if (step === undefined) throw new Refusal('SecondFactorWrong');
  const codes = newRecoveryCodeSet();
  await inTransaction(database, async (transaction) => {
    if (!(await confirmPending(transaction, userId, sealed, step)))
      throw new Refusal('SecondFactorNotBegun');
    await replaceRecoveryCodes(
      transaction,
      userId,
      codes.map((code) => vault.hashes(userId, code)[0] ?? ''),
    );
    await recordAudit(transaction, { kind: 'secondFactorSet', userId, sessionId, address });
    // The other sessions were opened with a password alone.
    await sessions.endOthers(transaction, userId, {
      exceptSessionId: sessionId,
      address,
      reason: 'secondFactorSet',
    });
    await notifyOwner(context, transaction, { userId, event: 'secondFactorSet', language });
  });
  outbox.wake();
  await announceAccessChange(database, userId);
  return codes;
}

export async function removeFactor(
  context: SecondFactorContext,
  caller: Caller,
  proof: { password?: string | undefined; code: string },
  origin: Origin & { language: Language },
): Promise<void> {
  const { database, outbox } = context;
  // guard: second factor that the role requires
  if (await isRequiredOf(context, caller)) throw new Refusal('SecondFactorRequiredByRole');
  const user = await getUser(database, caller.userId);
  await reauthenticate(context.throttle, caller, user.password_hash, proof.password);
  await requireSecondFactor(
    context,
    { id: caller.userId, username: user.username },
    proof.code,
    origin,
  );
  await inTransaction(database, async (transaction) => {
    if (!(await deleteFactor(transaction, caller.userId))) return;
    await recordAudit(transaction, {
      kind: 'secondFactorRemoved',
      userId: caller.userId,
      sessionId: caller.sessionId,
      address: origin.address,
    });
    await notifyOwner(context, transaction, {
      userId: caller.userId,
      event: 'secondFactorRemoved',
      language: origin.language,
    });
  });
  outbox.wake();
}

export async function renewRecoveryCodes(
  context: SecondFactorContext,
  caller: Caller,
  typed: string,
  origin: Origin & { language: Language },
): Promise<string[]> {
  const { database, vault, outbox } = context;
  const { userId, sessionId } = caller;
  const user = await getUser(database, userId);
  if (!(await findFactor(database, userId))) throw new Refusal('SecondFactorWrong');
  await requireSecondFactor(context, { id: userId, username: user.username }, typed, origin);
  const codes = newRecoveryCodeSet();
  await inTransaction(database, async (transaction) => {
    await replaceRecoveryCodes(
      transaction,
      userId,
      codes.map((code) => vault.hashes(userId, code)[0] ?? ''),
    );
    await recordAudit(transaction, {
      kind: 'recoveryCodesRenewed',
      userId,
      sessionId,
      address: origin.address,
    });
    await notifyOwner(context, transaction, {
      userId,
      event: 'recoveryCodesRenewed',
      language: origin.language,
    });
  });
  outbox.wake();
  return codes;
}
