import { recordAudit } from '#platform/auth/audit.store.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Transaction } from '#platform/database/database.ts';
import { insertUser, type NewUser } from './users.store.ts';

/** Creates a client account with a password. Throws UsernameTaken. */
export async function createUser(transaction: Transaction, user: NewUser): Promise<string> {
  const id = await insertUser(transaction, user);
  if (id === undefined) throw new Refusal('UsernameTaken');
  await recordAudit(transaction, { kind: 'accountCreated', userId: id });
  return id;
}
