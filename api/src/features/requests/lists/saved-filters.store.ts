import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import type { FilteredList, FilterChoice } from '@diwan/contract/requests/saved-filters';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'saved_filters.choice': FilterChoice;
    'saved_filters.list': FilteredList;
  }
}

export type SavedFilterRow = Selectable<Tables['saved_filters']>;

/** Lets one transaction change a user's filters at a time. */
export async function lockOwner(transaction: Transaction, userId: string): Promise<void> {
  await transaction
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

export function selectFilters(
  database: Database | Transaction,
  userId: string,
): Promise<SavedFilterRow[]> {
  return database
    .selectFrom('saved_filters')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('name')
    .orderBy('id')
    .execute();
}

export async function insertFilter(
  transaction: Transaction,
  row: Insertable<Tables['saved_filters']>,
): Promise<void> {
  await transaction.insertInto('saved_filters').values(row).execute();
}

export async function updateFilter(
  transaction: Transaction,
  id: string,
  changes: Updateable<Tables['saved_filters']>,
): Promise<void> {
  await transaction.updateTable('saved_filters').set(changes).where('id', '=', id).execute();
}

export async function clearDefault(
  transaction: Transaction,
  userId: string,
  list: FilteredList,
): Promise<void> {
  await transaction
    .updateTable('saved_filters')
    .set({ is_default: false })
    .where('user_id', '=', userId)
    .where('list', '=', list)
    .where('is_default', '=', true)
    .execute();
}

/** Deletes a filter and returns whether it existed. */
export async function removeFilter(
  database: Database,
  userId: string,
  id: string,
): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('saved_filters')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
