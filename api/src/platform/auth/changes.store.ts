import type { Insertable } from 'kysely';
import type { ChangeAction, ChangeEntity, FieldChange } from '@diwan/contract/people/changes';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import type { Transaction } from '../database/database.ts';
import type { Tables } from '../database/schema.generated.ts';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'changes.action': ChangeAction;
    'changes.entity': ChangeEntity;
    'changes.fields': FieldChange[];
    'changes.name': LocalizedText | string;
  }
}

/** Appends entries to the log of changes. */
export async function insertChanges(
  transaction: Transaction,
  rows: readonly Insertable<Tables['changes']>[],
): Promise<void> {
  await transaction.insertInto('changes').values(rows).execute();
}
