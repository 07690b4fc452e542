import type { Transaction } from '../database/database.ts';

/**
 * Who made an account an administrator or a finance officer, and when; `null` for the first
 * administrator and demo accounts.
 */
export async function selectAdminOrigin(
  transaction: Transaction,
  userId: string,
): Promise<{ by: string | null; since: Date | null } | undefined> {
  return transaction
    .selectFrom('users')
    .select(['admin_by as by', 'admin_since as since'])
    .where('id', '=', userId)
    .executeTakeFirst();
}
