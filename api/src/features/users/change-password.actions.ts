import { verify } from '@node-rs/argon2';
import type { ValidationIssue } from '@diwan/contract/errors';
import { passwordChangeFaults, type PasswordChange } from '@diwan/contract/password';
import { recordAudit } from '../../platform/audit.ts';
import type { House } from '../../platform/house.ts';
import { Refusal, ValidationRefusal } from '../../platform/refusals.ts';
import type { Caller } from '../../platform/session.ts';
import type { TryLimits } from './try-limits.ts';
import { hashPassword } from './users.actions.ts';
import { getUser, replacePasswordHash } from './users.store.ts';

type UserHouse = Pick<House, 'database' | 'sessions'>;

async function replacePassword({ database, sessions }: UserHouse, caller: Caller, oldHash: string, newHash: string, address: string): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    if (!(await replacePasswordHash(transaction, caller.userId, oldHash, newHash))) return false;
    await recordAudit(transaction, { kind: 'passwordChanged', userId: caller.userId, sessionId: caller.sessionId, address });
    await sessions.endOthers(transaction, caller.userId, caller.sessionId, address);
    return true;
  });
}

/** Changes the caller's own password and ends every other session of theirs. */
export async function changePassword(house: UserHouse, limits: TryLimits, caller: Caller, change: PasswordChange, address: string): Promise<void> {
  const user = await getUser(house.database, caller.userId);
  const faults = passwordChangeFaults(change, [user.username, ...user.full_name.split(/\s+/)]);
  const issues: ValidationIssue[] = Object.entries(faults).flatMap(([field, codes]) => codes.map((code) => ({ field, code })));
  if (issues.length > 0) throw new ValidationRefusal(issues);

  const isChanged = await limits.tryOldPassword(caller.userId, async () => {
    const oldHash = user.password_hash;
    const isRight = oldHash !== null && (await verify(oldHash, change.oldPassword)) && (await replacePassword(house, caller, oldHash, await hashPassword(change.newPassword), address));
    if (isRight) return true;
    await recordAudit(house.database, { kind: 'passwordChangeFailed', userId: caller.userId, sessionId: caller.sessionId, address });
    return undefined;
  });
  if (!isChanged) throw new Refusal('IncorrectPassword');
}
