import type { Database, Transaction } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';

/** Whether somebody is an administrator, suspended or not. */
export async function hasAdmin(database: Database | Transaction): Promise<boolean> {
  const row = await database
    .selectFrom('users')
    .select('id')
    .where(sql<boolean>`'Admin' = any(roles)`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function makeAdmin(transaction: Transaction, userId: string): Promise<void> {
  await transaction
    .updateTable('users')
    .set({ roles: ['Admin'], all_agencies: true })
    .where('id', '=', userId)
    .execute();
}

export async function deleteSecret(transaction: Transaction, name: string): Promise<void> {
  await transaction.deleteFrom('secrets').where('name', '=', name).execute();
}
