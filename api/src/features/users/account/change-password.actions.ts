import { verify } from '@node-rs/argon2';
import { announceAccessChange } from '#platform/auth/access-changes.ts';
import { recordAudit } from '#platform/auth/audit.store.ts';
import type { Caller } from '#platform/auth/caller.ts';
import { hashPassword } from '#platform/auth/password-hash.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { AppContext } from '#platform/http/context.ts';
import { findPasswordChangeErrors, type PasswordChange } from '@diwan/contract/people/password';
import type { ValidationIssue } from '@diwan/contract/wire/errors';
import type { Language } from '@diwan/contract/wire/languages';
import { getUser, replacePasswordHash } from '../model/users.store.ts';
import { notifyOwner } from '../notifications/security-notifications.ts';
import type { LoginThrottle } from '../sign-in/login-throttle.ts';

type UserContext = Pick<AppContext, 'database' | 'sessions' | 'publicUrl' | 'outbox'> & {
  throttle: LoginThrottle;
};

/** The network address and the language of the caller. */
interface ChangeOrigin {
  address: string;
  language: Language;
}

async function replacePassword(
  context: UserContext,
  caller: Caller,
  { oldHash, newHash }: { oldHash: string; newHash: string },
  { address, language }: ChangeOrigin,
): Promise<boolean> {
  const { database, sessions, outbox } = context;
  const isReplaced = await inTransaction(database, async (transaction) => {
    if (!(await replacePasswordHash(transaction, caller.userId, oldHash, newHash))) return false;
    await recordAudit(transaction, {
      kind: 'passwordChanged',
      userId: caller.userId,
      sessionId: caller.sessionId,
      address,
    });
    await sessions.endOthers(transaction, caller.userId, {
      exceptSessionId: caller.sessionId,
      address,
    });
    await notifyOwner(context, transaction, {
      userId: caller.userId,
      event: 'ownPasswordChanged',
      language,
    });
    return true;
  });
  outbox.wake();
  // guard: hub connections of other sessions after a change of the password (hubs)
  await announceAccessChange(database, caller.userId);
  return isReplaced;
}

/** Changes the password of the caller and ends their other sessions. */
export async function changePassword(
  context: UserContext,
  caller: Caller,
  change: PasswordChange,
  origin: ChangeOrigin,
): Promise<void> {
  const user = await getUser(context.database, caller.userId);
  const faults = findPasswordChangeErrors(change, [user.username, ...user.full_name.split(/\s+/)]);
  const issues: ValidationIssue[] = Object.entries(faults).flatMap(([field, codes]) =>
    codes.map((code) => ({ field, code })),
  );
  if (issues.length > 0) throw new ValidationRefusal(issues);

  const isChanged = await context.throttle.tryCurrentPassword(caller.userId, async () => {
    const oldHash = user.password_hash;
    const isRight =
      oldHash !== null &&
      (await verify(oldHash, change.oldPassword)) &&
      (await replacePassword(
        context,
        caller,
        { oldHash, newHash: await hashPassword(change.newPassword) },
        origin,
      ));
    return isRight || undefined;
  });
  if (isChanged) return;
  // After the attempt, which stays counted when this fails.
  await recordAudit(context.database, {
    kind: 'passwordChangeFailed',
    userId: caller.userId,
    sessionId: caller.sessionId,
    address: origin.address,
  });
  throw new Refusal('IncorrectPassword');
}
