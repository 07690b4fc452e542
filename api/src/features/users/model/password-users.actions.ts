import { recordAudit } from '../../../platform/auth/audit.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { Refusal } from '../../../platform/core/refusals.ts';
import { insertPasswordUser, type PasswordUser } from './password-users.store.ts';

/** A new client account. Throws UsernameTaken. */
export async function createPasswordUser(
  transaction: Transaction,
  user: PasswordUser,
): Promise<string> {
  const id = await insertPasswordUser(transaction, user);
  if (id === undefined) throw new Refusal('UsernameTaken');
  await recordAudit(transaction, { kind: 'accountCreated', userId: id });
  return id;
}
