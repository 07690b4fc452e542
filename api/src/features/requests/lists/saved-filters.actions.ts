import type { Caller } from '#platform/auth/caller.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import type { Database } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type {
  FilterChoice,
  FilteredList,
  SavedFilter,
} from '@diwan/contract/requests/saved-filters';
import { maximumSavedFilters } from '@diwan/contract/requests/saved-filters';
import * as store from './saved-filters.store.ts';

const describe = (row: store.SavedFilterRow): SavedFilter => ({
  id: row.id,
  list: row.list,
  name: row.name,
  choice: row.choice,
  isDefault: row.is_default,
});

export async function listFilters(database: Database, caller: Caller): Promise<SavedFilter[]> {
  return (await store.selectFilters(database, caller.userId)).map(describe);
}

function checkDays({ from, to }: FilterChoice): void {
  if (from !== '' && to !== '' && from > to)
    throw new ValidationRefusal([{ field: 'to', code: 'dateTooEarly', params: { minimum: from } }]);
}

function checkName(
  rows: readonly store.SavedFilterRow[],
  list: FilteredList,
  name: string,
  except?: string,
): void {
  const isTaken = rows.some(
    (row) =>
      row.list === list && row.id !== except && row.name.toLowerCase() === name.toLowerCase(),
  );
  if (isTaken) throw new Refusal('FilterNameTaken');
}

/** Saves a new filter. Throws FilterNameTaken, TooManySavedFilters, a ValidationRefusal. */
export async function addFilter(
  database: Database,
  caller: Caller,
  wanted: Omit<SavedFilter, 'id'>,
): Promise<void> {
  checkDays(wanted.choice);
  const { list, name, choice, isDefault } = wanted;
  await inTransaction(database, async (transaction) => {
    await store.lockOwner(transaction, caller.userId);
    const rows = await store.selectFilters(transaction, caller.userId);
    checkName(rows, list, name);
    if (rows.length >= maximumSavedFilters)
      throw new Refusal('TooManySavedFilters', { maximum: maximumSavedFilters });
    if (isDefault) await store.clearDefault(transaction, caller.userId, list);
    await store.insertFilter(transaction, {
      user_id: caller.userId,
      list,
      name,
      choice: JSON.stringify(choice),
      is_default: isDefault,
    });
  });
}

/** Changes a filter of the caller. Throws NotFound, FilterNameTaken, a ValidationRefusal. */
export async function changeFilter(
  database: Database,
  caller: Caller,
  id: string,
  changed: Partial<Pick<SavedFilter, 'name' | 'choice' | 'isDefault'>>,
): Promise<void> {
  const { name, choice, isDefault } = changed;
  if (choice) checkDays(choice);
  await inTransaction(database, async (transaction) => {
    await store.lockOwner(transaction, caller.userId);
    const rows = await store.selectFilters(transaction, caller.userId);
    const row = rows.find((each) => each.id === id);
    if (!row) throw new Refusal('NotFound');
    if (name !== undefined) checkName(rows, row.list, name, id);
    if (isDefault) await store.clearDefault(transaction, caller.userId, row.list);
    await store.updateFilter(transaction, id, {
      name: name ?? row.name,
      choice: JSON.stringify(choice ?? row.choice),
      is_default: isDefault ?? row.is_default,
    });
  });
}

/** Deletes a filter of the caller. Throws NotFound, also for a filter of another user. */
export async function deleteFilter(database: Database, caller: Caller, id: string): Promise<void> {
  if (!(await store.removeFilter(database, caller.userId, id))) throw new Refusal('NotFound');
}
