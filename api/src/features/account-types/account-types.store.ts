import type { Database, Transaction } from '#platform/database/database.ts';
import type { AccountTypeRecord } from '@diwan/contract/catalogue/account-types';
import type { LocalizedText } from '@diwan/contract/wire/languages';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'account_types.alt': LocalizedText;
    'account_types.description': LocalizedText;
    'account_types.name': LocalizedText;
  }
}

export function selectAccountTypes(database: Database): Promise<AccountTypeRecord[]> {
  return database.selectFrom('account_types').selectAll().orderBy('id').execute();
}

/** Locks an account type until the end of the transaction. */
export function lockAccountType(
  transaction: Transaction,
  id: number,
): Promise<AccountTypeRecord | undefined> {
  return transaction
    .selectFrom('account_types')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export async function updateAccountType(
  transaction: Transaction,
  { id, name, alt, description, version }: AccountTypeRecord,
): Promise<void> {
  await transaction
    .updateTable('account_types')
    .set({
      name: JSON.stringify(name),
      alt: JSON.stringify(alt),
      description: JSON.stringify(description),
      version,
    })
    .where('id', '=', id)
    .execute();
}
